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
 * The hosts that a sandbox may reach through its proxy.
 *
 * <p>An empty list allows nothing; {@code *} allows all public hosts.
 *
 * @param allowedHosts reachable if they resolve to public addresses: {@code example.org}, {@code *.example.org} (only
 *     its subdomains), {@code *}, each with an optional {@code :port}
 * @param trustedHosts reachable at any address: {@code host} or {@code host:port}, named by the operator
 * @param resolvedOnly whether to refuse an allowed host that does not resolve here, even if there is an upstream proxy
 * @param upstream the proxy that the host itself must use
 * @param virtualHosts hosts that the proxy itself implements
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
                throw new IllegalArgumentException("a trusted host must not contain '*': '" + host + "'");
            }
        }
    }

    /** Allows any host with public addresses; refuses one that does not resolve here. */
    public static EgressPolicy publicInternet() {
        return new EgressPolicy(List.of("*"), List.of(), true, Optional.empty(), List.of());
    }

    /**
     * Allows only these hosts, at public addresses; an empty list allows nothing. Because the operator named the hosts,
     * those that only the upstream proxy can resolve are allowed too.
     */
    public static EgressPolicy only(List<String> hosts) {
        return new EgressPolicy(hosts, List.of(), false, Optional.empty(), List.of());
    }

    /** Returns a policy that also allows these hosts, even at private addresses. */
    public EgressPolicy trusting(List<String> hosts) {
        return new EgressPolicy(allowedHosts, hosts, resolvedOnly, upstream, virtualHosts);
    }

    /** Returns a policy that uses this upstream proxy. */
    public EgressPolicy through(UpstreamProxy proxy) {
        return new EgressPolicy(allowedHosts, trustedHosts, resolvedOnly, Optional.of(proxy), virtualHosts);
    }

    /** Returns a policy with these virtual hosts. */
    public EgressPolicy serving(List<? extends VirtualHost> hosts) {
        return new EgressPolicy(allowedHosts, trustedHosts, resolvedOnly, upstream, List.copyOf(hosts));
    }

    /** Returns a policy that uses the upstream proxy in the host's variables, if there is one. */
    public EgressPolicy withUpstreamFrom(Map<String, String> environment) throws InvalidProxyException {
        return UpstreamProxy.fromEnvironment(environment).map(this::through).orElse(this);
    }

    /** Whether a public name is refused because the system's resolver can't resolve it. */
    public boolean refusesAsUnresolved(String publicName) {
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

    /** Whether an allowed host is named together with this port. */
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
