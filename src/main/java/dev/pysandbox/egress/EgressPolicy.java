package dev.pysandbox.egress;

import dev.pysandbox.egress.address.HostPattern;
import dev.pysandbox.egress.address.Resolver;
import dev.pysandbox.egress.address.Target;
import java.net.UnknownHostException;
import java.time.Duration;
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
 * @param trustedHosts reachable whatever they resolve to: {@code host} or {@code host:port}, named by the operator
 * @param resolvedOnly whether an allowed host that does not resolve here is refused rather than left to the upstream
 * @param upstream the proxy that the host itself must use
 * @param virtualHosts hosts that the proxy answers for itself
 */
public record EgressPolicy(
        List<String> allowedHosts,
        List<String> trustedHosts,
        boolean resolvedOnly,
        Optional<UpstreamProxy> upstream,
        List<VirtualHost> virtualHosts) {
    private static final Duration LOOKUP_TIME = Duration.ofSeconds(3);

    public EgressPolicy {
        virtualHosts = List.copyOf(virtualHosts);
        allowedHosts = normalized(allowedHosts);
        trustedHosts = normalized(trustedHosts);
        for (String host : trustedHosts) {
            if (host.startsWith("*")) {
                throw new IllegalArgumentException("a trusted host is named exactly, without '*': '" + host + "'");
            }
        }
    }

    /** Any host, as long as its addresses are public; so one whose addresses are not known here is refused. */
    public static EgressPolicy publicInternet() {
        return new EgressPolicy(List.of("*"), List.of(), true, Optional.empty(), List.of());
    }

    /**
     * Only these hosts, as long as their addresses are public; none at all for an empty list. The operator named them:
     * those that only the upstream proxy can resolve are left to it.
     */
    public static EgressPolicy only(List<String> hosts) {
        return new EgressPolicy(hosts, List.of(), false, Optional.empty(), List.of());
    }

    /** The same, and these hosts even at private addresses. */
    public EgressPolicy trusting(List<String> hosts) {
        return new EgressPolicy(allowedHosts, hosts, resolvedOnly, upstream, virtualHosts);
    }

    /** The same, by way of this proxy. */
    public EgressPolicy through(UpstreamProxy proxy) {
        return new EgressPolicy(allowedHosts, trustedHosts, resolvedOnly, Optional.of(proxy), virtualHosts);
    }

    /** The same, and these virtual hosts. */
    public EgressPolicy serving(List<? extends VirtualHost> hosts) {
        return new EgressPolicy(allowedHosts, trustedHosts, resolvedOnly, upstream, List.copyOf(hosts));
    }

    /** The same, by way of the proxy that the host's variables name, if they name one. */
    public EgressPolicy asHostDoes(Map<String, String> environment) {
        return UpstreamProxy.fromEnvironment(environment).map(this::through).orElse(this);
    }

    /** Whether a public name is refused because it does not resolve here; asks the system's resolver. */
    public boolean leavesOut(String publicName) {
        if (!resolvedOnly || upstream.isEmpty()) {
            return false;
        }
        try {
            return new NameLookups(Resolver.SYSTEM, LOOKUP_TIME)
                    .resolve(publicName)
                    .isEmpty();
        } catch (UnknownHostException e) {
            return true;
        }
    }

    boolean allows(Target target) {
        return matches(allowedHosts, target);
    }

    boolean trusts(Target target) {
        return matches(trustedHosts, target);
    }

    /** Whether an allowed host is named together with this very port. */
    boolean namesPort(Target target) {
        return allowedHosts.stream()
                .map(HostPattern::parse)
                .anyMatch(pattern -> pattern.port().isPresent() && pattern.matches(target));
    }

    Optional<VirtualHost> virtualHost(Target target) {
        return virtualHosts.stream()
                .filter(host -> host.name().equals(target.host().text()))
                .findFirst();
    }

    private static boolean matches(List<String> hosts, Target target) {
        return hosts.stream().anyMatch(host -> HostPattern.parse(host).matches(target));
    }

    private static List<String> normalized(List<String> hosts) {
        return hosts.stream()
                .map(host -> HostPattern.parse(host).toString())
                .distinct()
                .toList();
    }
}
