package dev.pysandbox.egress;

import dev.pysandbox.egress.address.HostName;
import dev.pysandbox.egress.address.Target;
import dev.pysandbox.support.NetworkVariables;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The HTTP proxy that the host uses to reach the internet.
 *
 * @param host its name or address
 * @param credentials {@code user:password}
 * @param exceptions hosts that are reached directly, as in {@code NO_PROXY}
 */
public record UpstreamProxy(String host, int port, Optional<String> credentials, List<String> exceptions) {
    private static final List<String> VARIABLES =
            List.of(NetworkVariables.HTTPS_PROXY, NetworkVariables.HTTP_PROXY, NetworkVariables.ALL_PROXY);

    private static final Pattern FORM = Pattern.compile("(?:([A-Za-z][A-Za-z0-9+.-]*)://)?(?:([^/]*)@)?([^/@?#]+)/?");
    private static final String FORMS = "expected http://host:port or http://user:password@host:port";
    private static final int DEFAULT_PORT = 80;

    public UpstreamProxy {
        host = new Target(HostName.parse(host), port).host().text();
        exceptions = List.copyOf(exceptions);
        if (credentials.filter(UpstreamProxy::hasControlCharacter).isPresent()) {
            throw new IllegalArgumentException("the credentials of the proxy " + host + " contain a control character");
        }
    }

    /** Returns the proxy in the usual variables, if there is one. */
    public static Optional<UpstreamProxy> fromEnvironment(Map<String, String> environment)
            throws InvalidProxyException {
        return fromEnvironment(environment, VARIABLES);
    }

    /**
     * Returns the proxy in the first of these variables that is set, if there is one.
     *
     * @throws InvalidProxyException if that variable has an unusable value
     */
    public static Optional<UpstreamProxy> fromEnvironment(Map<String, String> environment, List<String> variables)
            throws InvalidProxyException {
        Optional<String> variable = variables.stream()
                .flatMap(name -> NetworkVariables.spelling(environment, name).stream())
                .findFirst();
        if (variable.isEmpty()) {
            return Optional.empty();
        }
        String value = environment.getOrDefault(variable.get(), "").strip();
        return Optional.of(parse(variable.get(), value, NetworkVariables.proxyExceptions(environment)));
    }

    /** Does not include the value in error messages, because it may contain a password. */
    private static UpstreamProxy parse(String variable, String value, List<String> exceptions)
            throws InvalidProxyException {
        Matcher matcher = FORM.matcher(value);
        if (!matcher.matches()) {
            throw new InvalidProxyException(variable + " does not name a proxy: " + FORMS);
        }
        String scheme = Optional.ofNullable(matcher.group(1)).orElse("http").toLowerCase(Locale.ROOT);
        if (!scheme.equals("http")) {
            throw new InvalidProxyException(variable + " has the scheme " + scheme
                    + "://, only http:// is supported: set it to an HTTP proxy or unset it");
        }
        try {
            Target target = Target.parse(matcher.group(3), DEFAULT_PORT);
            Optional<String> credentials = Optional.ofNullable(matcher.group(2)).map(UpstreamProxy::decoded);
            return new UpstreamProxy(target.host().text(), target.port(), credentials, exceptions);
        } catch (IllegalArgumentException e) {
            throw new InvalidProxyException(variable + " has an invalid host, port or %-escape: " + FORMS);
        }
    }

    private static String decoded(String userInfo) {
        // A plus sign in credentials is not a space.
        String credentials = URLDecoder.decode(userInfo.replace("+", "%2B"), StandardCharsets.UTF_8);
        return credentials.contains(":") ? credentials : credentials + ":";
    }

    private static boolean hasControlCharacter(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    /** Whether connections to the target use this proxy. */
    boolean serves(Target target) {
        return !ProxyExceptions.cover(exceptions, target);
    }

    Target target() {
        return new Target(HostName.parse(host), port);
    }

    /** Returns the header line with the credentials, or an empty string. */
    String authorization() {
        return credentials
                .map(text -> Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)))
                .map(encoded -> "Proxy-Authorization: Basic " + encoded + "\r\n")
                .orElse("");
    }

    /** Returns a text without credentials. */
    @Override
    public String toString() {
        return "http://" + host + ":" + port;
    }
}
