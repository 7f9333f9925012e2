package dev.pysandbox.index;

import dev.pysandbox.egress.ProxyExceptions;
import dev.pysandbox.egress.address.Target;
import dev.pysandbox.support.NetworkVariables;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The proxies for http and https in the host's variables, and the hosts that are reached without a proxy. */
public record ProxySettings(Optional<URI> http, Optional<URI> https, List<String> direct) {
    public ProxySettings {
        direct = List.copyOf(direct);
    }

    static ProxySettings fromEnvironment(Map<String, String> environment) {
        return new ProxySettings(
                proxy(environment, NetworkVariables.HTTP_PROXY),
                proxy(environment, NetworkVariables.HTTPS_PROXY),
                NetworkVariables.proxyExceptions(environment));
    }

    /** Returns the proxy for a URL; it may contain credentials. */
    public Optional<URI> proxyFor(URI url) {
        if (IndexUrl.hostAndPort(url).filter(this::isDirect).isPresent()) {
            return Optional.empty();
        }
        return "http".equalsIgnoreCase(url.getScheme()) ? http : https;
    }

    /** Returns the variables for these proxies, including credentials, for trusted programs. */
    public Map<String, String> environment() {
        Map<String, String> variables = new TreeMap<>();
        http.ifPresent(proxy -> variables.put(NetworkVariables.HTTP_PROXY, proxy.toString()));
        https.ifPresent(proxy -> variables.put(NetworkVariables.HTTPS_PROXY, proxy.toString()));
        if (!direct.isEmpty()) {
            variables.put(NetworkVariables.NO_PROXY, String.join(",", direct));
        }
        return variables;
    }

    /** Returns a text without credentials. */
    @Override
    public String toString() {
        return "ProxySettings[http=" + http.map(IndexUrl::redacted) + ", https=" + https.map(IndexUrl::redacted)
                + ", direct=" + direct + "]";
    }

    private boolean isDirect(String hostAndPort) {
        try {
            return ProxyExceptions.cover(direct, Target.parse(hostAndPort));
        } catch (IllegalArgumentException e) {
            return false; // a host that can't be named in the list either
        }
    }

    private static Optional<URI> proxy(Map<String, String> environment, String name) {
        return NetworkVariables.proxy(environment, name)
                .or(() -> NetworkVariables.proxy(environment, NetworkVariables.ALL_PROXY))
                .map(text -> {
                    try {
                        URI uri = new URI(text.contains("://") ? text : "http://" + text);
                        if (uri.getHost() != null) {
                            return uri;
                        }
                    } catch (URISyntaxException e) {
                        // Reported below without the message of e, which may contain credentials.
                    }
                    throw new IllegalArgumentException(name + " must be a URL such as http://proxy.example:3128, got '"
                            + text.replaceFirst("(//|^)[^/?#]*@", "$1") + "'");
                });
    }
}
