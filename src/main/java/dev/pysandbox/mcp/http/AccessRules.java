package dev.pysandbox.mcp.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which requests are accepted by their Host and Origin headers.
 *
 * <p>A web page that lets its own name resolve to a loopback address sends that name as Host; any web page sends its
 * address as Origin.
 */
final class AccessRules {
    private static final List<String> LOOPBACK_NAMES = List.of("localhost", "127.0.0.1", "[::1]");
    private static final String ALLOWED_HEADERS = "Content-Type, Accept, Authorization, MCP-Protocol-Version,"
            + " Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID";

    private final Set<String> hosts = new HashSet<>(LOOPBACK_NAMES);
    private final Set<String> ownOrigins = new HashSet<>();
    private final Set<String> allowedOrigins = new HashSet<>();

    /** @param allowedOrigins the origins of web pages whose requests are accepted */
    AccessRules(InetSocketAddress address, List<String> allowedOrigins) {
        hosts.add(literal(address.getAddress()));
        hosts.forEach(host -> ownOrigins.add("http://" + host + ":" + address.getPort()));
        allowedOrigins.forEach(origin -> this.allowedOrigins.add(parseOrigin(origin)));
    }

    /** Returns an address as it stands in a URL. */
    static String literal(InetAddress address) {
        String text = address.getHostAddress();
        return text.indexOf(':') >= 0 ? "[" + text + "]" : text;
    }

    /**
     * Returns an origin in the form that browsers send.
     *
     * @throws IllegalArgumentException if it is not {@code SCHEME://HOST[:PORT]}
     */
    static String parseOrigin(String text) {
        String origin = text.toLowerCase(Locale.ROOT);
        try {
            URI uri = new URI(origin);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (web && uri.getHost() != null && origin.equals(uri.getScheme() + "://" + uri.getAuthority())) {
                return origin;
            }
        } catch (URISyntaxException e) {
            // Refused below.
        }
        throw new IllegalArgumentException("must look like https://HOST or http://HOST:PORT, got '" + text + "'");
    }

    /** Refuses a request from a foreign web page. */
    void check(HttpExchange exchange) throws Refusal {
        URI uri = exchange.getRequestURI();
        if (uri.isAbsolute() || uri.getRawAuthority() != null) {
            throw new Refusal(Refusal.BAD_REQUEST, "The target of the request must be a path.");
        }
        Headers headers = exchange.getRequestHeaders();
        String host = single(headers, "Host")
                .orElseThrow(() -> new Refusal(Refusal.BAD_REQUEST, "The header Host is missing."));
        if (!hosts.contains(withoutPort(host.toLowerCase(Locale.ROOT)))) {
            throw new Refusal(Refusal.FORBIDDEN, "The header Host does not name this server.");
        }
        Optional<String> origin = origin(headers);
        if (origin.isPresent() && !ownOrigins.contains(origin.get()) && !allowedOrigins.contains(origin.get())) {
            throw new Refusal(
                    Refusal.FORBIDDEN, "Requests of this Origin are not accepted; --allow-origin accepts them.");
        }
    }

    /** Lets the pages of allowed origins read the response. */
    void addCorsHeaders(HttpExchange exchange) throws Refusal {
        Optional<String> origin = origin(exchange.getRequestHeaders()).filter(allowedOrigins::contains);
        if (origin.isPresent()) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Access-Control-Allow-Origin", origin.get());
            headers.set("Access-Control-Expose-Headers", "Mcp-Session-Id");
            headers.set("Vary", "Origin");
        }
    }

    /** Adds the response to a preflight request; returns false if the request is none of an allowed origin. */
    boolean addPreflightHeaders(HttpExchange exchange) throws Refusal {
        boolean preflight = origin(exchange.getRequestHeaders())
                .filter(allowedOrigins::contains)
                .isPresent();
        if (preflight) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Access-Control-Allow-Methods", "POST");
            headers.set("Access-Control-Allow-Headers", ALLOWED_HEADERS);
            headers.set("Access-Control-Max-Age", "3600");
        }
        return preflight;
    }

    private static Optional<String> origin(Headers headers) throws Refusal {
        return single(headers, "Origin").map(origin -> origin.toLowerCase(Locale.ROOT));
    }

    /** Returns the value of a header; a repeated one is refused, because programs disagree about which value counts. */
    static Optional<String> single(Headers headers, String name) throws Refusal {
        List<String> values = headers.getOrDefault(name, List.of());
        if (values.size() > 1) {
            throw new Refusal(Refusal.BAD_REQUEST, "The header " + name + " is repeated.");
        }
        return values.stream().findFirst().map(String::strip);
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        boolean port = colon > 0
                && colon + 1 < host.length()
                && host.substring(colon + 1).chars().allMatch(c -> c >= '0' && c <= '9');
        return port ? host.substring(0, colon) : host;
    }
}
