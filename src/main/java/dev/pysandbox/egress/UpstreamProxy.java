package dev.pysandbox.egress;

import dev.pysandbox.egress.address.AddressRange;
import dev.pysandbox.egress.address.HostName;
import dev.pysandbox.egress.address.HostPattern;
import dev.pysandbox.egress.address.Target;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The HTTP proxy that the host uses to reach the internet.
 *
 * @param host its name or address
 * @param credentials {@code user:password}
 * @param exceptions hosts that are reached directly, as in {@code NO_PROXY}
 */
public record UpstreamProxy(String host, int port, Optional<String> credentials, List<String> exceptions) {
    /** In order of priority; as in curl, lower-case names come first. */
    private static final List<String> VARIABLES =
            List.of("https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY");

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

    /**
     * Returns the proxy in the usual variables, if there is one.
     *
     * @throws IllegalArgumentException if the first variable that is set has an unusable value
     */
    public static Optional<UpstreamProxy> fromEnvironment(Map<String, String> environment) {
        for (String variable : VARIABLES) {
            String value = environment.getOrDefault(variable, "").strip();
            if (!value.isEmpty()) {
                return Optional.of(parse(variable, value, exceptions(environment)));
            }
        }
        return Optional.empty();
    }

    /** Does not include the value in error messages, because it may contain a password. */
    private static UpstreamProxy parse(String variable, String value, List<String> exceptions) {
        Matcher matcher = FORM.matcher(value);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(variable + " does not name a proxy: " + FORMS);
        }
        String scheme = Optional.ofNullable(matcher.group(1)).orElse("http").toLowerCase(Locale.ROOT);
        if (!scheme.equals("http")) {
            throw new IllegalArgumentException(variable + " has the scheme " + scheme
                    + "://, only http:// is supported: set it to an HTTP proxy or unset it");
        }
        try {
            Target target = Target.parse(matcher.group(3), DEFAULT_PORT);
            Optional<String> credentials = Optional.ofNullable(matcher.group(2)).map(UpstreamProxy::decoded);
            return new UpstreamProxy(target.host().text(), target.port(), credentials, exceptions);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(variable + " has an invalid host, port or %-escape: " + FORMS);
        }
    }

    private static String decoded(String userInfo) {
        return URLDecoder.decode(userInfo.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static List<String> exceptions(Map<String, String> environment) {
        String lists = environment.getOrDefault("no_proxy", environment.getOrDefault("NO_PROXY", ""));
        return Stream.of(lists.split("[,\\s]+"))
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    private static boolean hasControlCharacter(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    /** Whether connections to the target use this proxy. */
    boolean serves(Target target) {
        return exceptions.stream().noneMatch(entry -> excepts(entry, target));
    }

    /** Ignores an invalid entry, because these lists are written for many programs. */
    private static boolean excepts(String entry, Target target) {
        try {
            if (entry.contains("/")) {
                AddressRange range = AddressRange.parse(entry);
                return target.host().address().filter(range::contains).isPresent();
            }
            String bare = entry.startsWith("*.") ? entry.substring(2) : entry.replaceFirst("^\\.", "");
            String host = bare.indexOf(':') == bare.lastIndexOf(':') || bare.startsWith("[") ? bare : "[" + bare + "]";
            HostPattern pattern = HostPattern.parse(host);
            boolean named = pattern.host().flatMap(HostName::address).isEmpty();
            return pattern.matches(target)
                    || (named
                            && !pattern.wildcard()
                            && HostPattern.parse("*." + host).matches(target));
        } catch (IllegalArgumentException e) {
            return false;
        }
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
