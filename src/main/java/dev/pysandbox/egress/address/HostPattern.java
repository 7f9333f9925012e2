package dev.pysandbox.egress.address;

import java.util.Optional;
import java.util.OptionalInt;

/** A pattern for hosts: {@code example.org}, {@code *.example.org} or {@code *}, each with an optional port. */
public record HostPattern(boolean wildcard, Optional<HostName> host, OptionalInt port) {

    /**
     * Parses a pattern.
     *
     * @throws IllegalArgumentException if it has another form
     */
    public static HostPattern parse(String text) {
        try {
            OptionalInt port = Target.port(text);
            String host = Target.withoutPort(text);
            if (port.isPresent() && (port.getAsInt() < 1 || port.getAsInt() > 65535)) {
                throw new IllegalArgumentException("no such port");
            }
            if (host.equals("*")) {
                return new HostPattern(true, Optional.empty(), port);
            }
            if (!host.startsWith("*.")) {
                return new HostPattern(false, Optional.of(HostName.parse(host)), port);
            }
            HostName parent = HostName.parse(host.substring(2));
            if (parent.address().isPresent()) {
                throw new IllegalArgumentException("an address has no subdomains");
            }
            return new HostPattern(true, Optional.of(parent), port);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "must be a host such as example.org, example.org:443 or *.example.org, got '" + text + "'", e);
        }
    }

    public boolean matches(Target target) {
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
