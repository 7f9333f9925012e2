package dev.pysandbox.egress;

import java.util.Optional;
import java.util.OptionalInt;

/** The hosts that one entry of a list stands for: {@code example.org}, {@code *.example.org}, {@code *}, each also with a port. */
record EgressHostPattern(boolean wildcard, Optional<EgressHost> host, OptionalInt port) {

    /**
     * Reads an entry.
     *
     * @throws IllegalArgumentException if it has another form
     */
    static EgressHostPattern parse(String text) {
        try {
            OptionalInt port = EgressTarget.port(text);
            String host = EgressTarget.withoutPort(text);
            if (port.isPresent() && (port.getAsInt() < 1 || port.getAsInt() > 65535)) {
                throw new IllegalArgumentException("no such port");
            }
            if (host.equals("*")) {
                return new EgressHostPattern(true, Optional.empty(), port);
            }
            if (!host.startsWith("*.")) {
                return new EgressHostPattern(false, Optional.of(EgressHost.parse(host)), port);
            }
            EgressHost parent = EgressHost.parse(host.substring(2));
            if (parent.address().isPresent()) {
                throw new IllegalArgumentException("an address has no subdomains");
            }
            return new EgressHostPattern(true, Optional.of(parent), port);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "expected a host such as example.org, example.org:443 or *.example.org, got '" + text + "'", e);
        }
    }

    boolean matches(EgressTarget target) {
        if (port.isPresent() && port.getAsInt() != target.port()) {
            return false;
        }
        if (host.isEmpty()) {
            return true;
        }
        return wildcard
                ? target.host().text().endsWith("." + host.get().text())
                : target.host().equals(host.get());
    }

    @Override
    public String toString() {
        String name = host.map(h -> wildcard ? "*." + h : h.text()).orElse("*");
        return port.isPresent() ? name + ":" + port.getAsInt() : name;
    }
}
