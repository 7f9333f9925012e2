package dev.pysandbox.egress;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which hosts a sandbox may reach through its proxy, and how.
 *
 * <p>A list without entries allows nothing; "anything public" is written out as {@code *}.
 *
 * @param allowedHosts reachable where they resolve to public addresses: {@code example.org}, {@code *.example.org} (its
 *     subdomains alone), {@code *}, each with an optional {@code :port}
 * @param trustedHosts reachable whatever they resolve to: {@code host} or {@code host:port}, named by whoever installs us
 * @param upstream the proxy that the host itself must use
 */
public record EgressPolicy(List<String> allowedHosts, List<String> trustedHosts, Optional<UpstreamProxy> upstream) {
    public EgressPolicy {
        allowedHosts = normalized(allowedHosts);
        trustedHosts = normalized(trustedHosts);
        for (String host : trustedHosts) {
            if (host.startsWith("*")) {
                throw new IllegalArgumentException("a trusted host is named exactly, without '*': '" + host + "'");
            }
        }
    }

    /** Any host, as long as its addresses are public. */
    public static EgressPolicy publicInternet() {
        return only(List.of("*"));
    }

    /** Only these hosts, as long as their addresses are public; none at all for an empty list. */
    public static EgressPolicy only(List<String> hosts) {
        return new EgressPolicy(hosts, List.of(), Optional.empty());
    }

    /** The same, and these hosts even at private addresses. */
    public EgressPolicy trusting(List<String> hosts) {
        return new EgressPolicy(allowedHosts, hosts, upstream);
    }

    /** The same, by way of this proxy. */
    public EgressPolicy through(UpstreamProxy proxy) {
        return new EgressPolicy(allowedHosts, trustedHosts, Optional.of(proxy));
    }

    /** The same, by way of the proxy that the host's variables name, if they name one. */
    public EgressPolicy asHostDoes(Map<String, String> environment) {
        return UpstreamProxy.fromEnvironment(environment).map(this::through).orElse(this);
    }

    boolean allows(EgressTarget target) {
        return matches(allowedHosts, target);
    }

    boolean trusts(EgressTarget target) {
        return matches(trustedHosts, target);
    }

    private static boolean matches(List<String> hosts, EgressTarget target) {
        return hosts.stream().anyMatch(host -> EgressHostPattern.parse(host).matches(target));
    }

    private static List<String> normalized(List<String> hosts) {
        return hosts.stream()
                .map(host -> EgressHostPattern.parse(host).toString())
                .distinct()
                .toList();
    }
}
