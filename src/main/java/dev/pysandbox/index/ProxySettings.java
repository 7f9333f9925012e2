package dev.pysandbox.index;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The proxies for http and https in the host's variables, and the hosts that are reached without a proxy. */
public record ProxySettings(Optional<URI> http, Optional<URI> https, List<String> direct) {
    public ProxySettings {
        direct = List.copyOf(direct);
    }

    static ProxySettings fromEnvironment(Map<String, String> environment) {
        return new ProxySettings(
                proxy(environment, "HTTP_PROXY"),
                proxy(environment, "HTTPS_PROXY"),
                value(environment, "NO_PROXY").stream()
                        .flatMap(list -> Stream.of(list.split("[,\\s]+", -1)))
                        .map(entry -> entry.toLowerCase(Locale.ROOT))
                        .filter(entry -> !entry.isEmpty())
                        .toList());
    }

    /** Returns the proxy for a URL; it may contain credentials. */
    public Optional<URI> proxyFor(URI url) {
        String host = Optional.ofNullable(url.getHost()).orElse("").toLowerCase(Locale.ROOT);
        String hostAndPort = IndexUrl.hostAndPort(url).orElse("").toLowerCase(Locale.ROOT);
        if (direct.stream().anyMatch(entry -> covers(entry, host) || entry.equals(hostAndPort))) {
            return Optional.empty();
        }
        return "http".equalsIgnoreCase(url.getScheme()) ? http : https;
    }

    /** Returns the variables for these proxies, including credentials, for trusted programs. */
    public Map<String, String> environment() {
        Map<String, String> variables = new TreeMap<>();
        http.ifPresent(proxy -> variables.put("HTTP_PROXY", proxy.toString()));
        https.ifPresent(proxy -> variables.put("HTTPS_PROXY", proxy.toString()));
        if (!direct.isEmpty()) {
            variables.put("NO_PROXY", String.join(",", direct));
        }
        return variables;
    }

    /** Returns a text without credentials. */
    @Override
    public String toString() {
        return "ProxySettings[http=" + http.map(IndexUrl::redacted) + ", https=" + https.map(IndexUrl::redacted)
                + ", direct=" + direct + "]";
    }

    private static boolean covers(String entry, String host) {
        String domain = entry.replaceFirst("^\\*?\\.", "");
        return entry.equals("*") || host.equals(domain) || host.endsWith("." + domain);
    }

    private static Optional<URI> proxy(Map<String, String> environment, String name) {
        return value(environment, name)
                .or(() -> value(environment, "ALL_PROXY"))
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

    /** Prefers the lower-case name, as curl and uv do. */
    private static Optional<String> value(Map<String, String> environment, String name) {
        return Stream.of(name.toLowerCase(Locale.ROOT), name)
                .flatMap(each -> Optional.ofNullable(environment.get(each)).stream())
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .findFirst();
    }
}
