package dev.pysandbox.index;

import dev.pysandbox.egress.InvalidProxyException;
import dev.pysandbox.egress.ProxyExceptions;
import dev.pysandbox.egress.UpstreamProxy;
import dev.pysandbox.egress.address.Target;
import dev.pysandbox.support.NetworkVariables;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The proxies of the host. They are parsed when they are used, because a value that can't be used here may be valid for
 * uv, and may not be needed.
 *
 * @param variables the environment variables of the host
 */
public record ProxySettings(Map<String, String> variables) {
    private static final List<String> HTTP = List.of(NetworkVariables.HTTP_PROXY, NetworkVariables.ALL_PROXY);
    private static final List<String> HTTPS = List.of(NetworkVariables.HTTPS_PROXY, NetworkVariables.ALL_PROXY);

    /** Returns the proxy for a URL; empty if there is none or NO_PROXY names the host. */
    Optional<UpstreamProxy> proxyFor(URI url) throws InvalidProxyException {
        return isDirect(url) ? Optional.empty() : UpstreamProxy.fromEnvironment(variables, names(url));
    }

    private static List<String> names(URI url) {
        return "http".equalsIgnoreCase(url.getScheme()) ? HTTP : HTTPS;
    }

    private boolean isDirect(URI url) {
        try {
            List<String> direct = NetworkVariables.proxyExceptions(variables);
            return IndexUrl.hostAndPort(url)
                    .filter(host -> ProxyExceptions.cover(direct, Target.parse(host)))
                    .isPresent();
        } catch (IllegalArgumentException e) {
            return false; // a host that can't be named in the list either
        }
    }

    /** Returns the variables for these proxies, including credentials, for trusted programs. */
    public Map<String, String> environment() {
        Map<String, String> passed = new TreeMap<>();
        value(HTTP).ifPresent(proxy -> passed.put(NetworkVariables.HTTP_PROXY, proxy));
        value(HTTPS).ifPresent(proxy -> passed.put(NetworkVariables.HTTPS_PROXY, proxy));
        List<String> direct = NetworkVariables.proxyExceptions(variables);
        if (!direct.isEmpty()) {
            passed.put(NetworkVariables.NO_PROXY, String.join(",", direct));
        }
        return passed;
    }

    private Optional<String> value(List<String> names) {
        return names.stream()
                .flatMap(name -> NetworkVariables.proxy(variables, name).stream())
                .map(text -> text.contains("://") ? text : "http://" + text)
                .findFirst();
    }

    /** Returns a text without values, which may contain credentials. */
    @Override
    public String toString() {
        return "ProxySettings" + environment().keySet();
    }
}
