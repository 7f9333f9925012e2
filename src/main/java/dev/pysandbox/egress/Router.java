package dev.pysandbox.egress;

import dev.pysandbox.egress.address.AddressRules;
import dev.pysandbox.egress.address.Resolver;
import dev.pysandbox.egress.address.Target;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Decides whether a target may be reached, and over which addresses.
 *
 * @param refused receives each refused target, as {@code host:port (reason)}
 */
record Router(EgressPolicy policy, Resolver resolver, Consumer<String> refused) {
    /** Top-level names that are never public; an upstream proxy may resolve them. */
    private static final Set<String> INTERNAL_DOMAINS = Set.of("localhost", "local", "internal", "lan", "arpa");

    private static final int NAMED_HOSTS = 5;
    private static final Set<Integer> WEB_PORTS = Set.of(80, 443);
    private static final int FIRST_UNPRIVILEGED_PORT = 1024;

    /** The addresses and port to connect to; those of the upstream proxy, if there is one. */
    record Route(List<InetAddress> addresses, int port, Optional<UpstreamProxy> upstream) {}

    Route route(Target target) throws ProxyProblem {
        boolean trusted = policy.trusts(target);
        if (!trusted && !policy.allows(target)) {
            throw refusal(target, "not an allowed host", "reachable here: " + reachable());
        }
        if (!trusted && isSystemPort(target.port()) && !policy.namesPort(target)) {
            throw refusal(
                    target,
                    "port of another service",
                    "ports below 1024 other than 80 and 443 are closed, unless --allow-host names host and port");
        }
        Optional<UpstreamProxy> upstream = policy.upstream().filter(proxy -> proxy.serves(target));
        List<InetAddress> addresses = addresses(target, upstream, trusted || !policy.resolvedOnly());
        if (!trusted) {
            check(target, addresses);
        }
        if (upstream.isEmpty()) {
            return new Route(addresses, target.port(), upstream);
        }
        Target proxy = upstream.get().target();
        return new Route(addresses(proxy, Optional.empty(), false), proxy.port(), upstream);
    }

    private static boolean isSystemPort(int port) {
        return port < FIRST_UNPRIVILEGED_PORT && !WEB_PORTS.contains(port);
    }

    /**
     * @param mayBeUnknown whether the upstream may resolve a name that does not resolve here; then the result is empty
     */
    private List<InetAddress> addresses(Target target, Optional<UpstreamProxy> upstream, boolean mayBeUnknown)
            throws ProxyProblem {
        if (target.host().address().isPresent()) {
            return List.of(target.host().address().get());
        }
        try {
            return resolver.resolve(target.host().text());
        } catch (UnknownHostException e) {
            if (upstream.isPresent() && mayBeUnknown) {
                return List.of();
            }
            if (upstream.isPresent()) {
                throw refusal(
                        target,
                        "not resolved on this machine",
                        "the proxy " + upstream.get()
                                + " is used only for names that resolve here to public addresses,"
                                + " or that the server's --allow-host names");
            }
            throw new ProxyProblem(
                    ProxyProblem.Status.BAD_GATEWAY,
                    "python-sandbox found no address of " + target.host() + ": the name does not exist or can't be"
                            + " resolved now");
        }
    }

    /** Refuses a name if any of its addresses is not public: a name with both kinds is an attack or a mistake. */
    private void check(Target target, List<InetAddress> addresses) throws ProxyProblem {
        if (addresses.isEmpty() && isInternalName(target.host().text())) {
            throw notPublic(target, "not a public name");
        }
        for (InetAddress address : addresses) {
            Optional<String> objection = AddressRules.objection(address);
            if (objection.isPresent()) {
                throw notPublic(target, objection.get());
            }
            if (resolver.isOwn(address)) {
                throw notPublic(target, "address of this machine");
            }
        }
    }

    private static boolean isInternalName(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 || INTERNAL_DOMAINS.contains(name.substring(dot + 1));
    }

    /** Does not include the address in the message, so that a script learns nothing about a private network. */
    private ProxyProblem notPublic(Target target, String reason) {
        return refusal(
                target,
                reason,
                "only public addresses can be reached, unless the server is started with --network host");
    }

    Optional<VirtualHost> virtualHost(Target target) {
        return policy.virtualHost(target);
    }

    /** Records a refusal and returns the message for the client. */
    ProxyProblem refusal(Target target, String reason, String advice) {
        refused.accept(target + " (" + reason + ")");
        return new ProxyProblem(
                ProxyProblem.Status.FORBIDDEN, "python-sandbox refused " + target + ": " + reason + "; " + advice);
    }

    private String reachable() {
        List<String> hosts = policy.allowedHosts();
        if (hosts.isEmpty()) {
            return "no host at all";
        }
        String named = String.join(", ", hosts.subList(0, Math.min(NAMED_HOSTS, hosts.size())));
        return hosts.size() > NAMED_HOSTS ? named + " and " + (hosts.size() - NAMED_HOSTS) + " more" : named;
    }
}
