package dev.pysandbox.index;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An index in a variable: {@code URL}, {@code NAME=URL} or a local folder. */
public record IndexUrl(String text, URI uri) {
    private static final Pattern NAMED = Pattern.compile("([A-Za-z0-9._-]+)=(.+)");
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

    public static IndexUrl parse(String variable, String text) {
        Matcher named = NAMED.matcher(text);
        String url = named.matches() ? named.group(2) : text;
        try {
            URI uri = hasScheme(url) ? new URI(url) : Path.of(url).toUri();
            boolean web = "https".equalsIgnoreCase(uri.getScheme()) || "http".equalsIgnoreCase(uri.getScheme());
            if ((web && uri.getHost() != null) || "file".equalsIgnoreCase(uri.getScheme())) {
                return new IndexUrl(text, uri);
            }
        } catch (URISyntaxException | InvalidPathException e) {
            // Not passed as the cause, because the message of e may contain credentials.
        }
        throw new IllegalArgumentException(
                variable + " must be an http or https URL or a folder, got '" + withoutCredentials(url) + "'");
    }

    public static boolean hasScheme(String text) {
        return SCHEME.matcher(text).matches();
    }

    /** Returns the name of the index in the variable. */
    Optional<String> name() {
        Matcher named = NAMED.matcher(text);
        return named.matches() ? Optional.of(named.group(1)) : Optional.empty();
    }

    /** Returns the text with another URL. */
    String withUrl(String url) {
        return name().map(name -> name + "=").orElse("") + url;
    }

    /** Returns scheme, host and port, as in {@code https://example.org:8443}. */
    static String origin(URI uri) {
        String origin =
                uri.getScheme() + "://" + uri.getHost() + (port(uri) == defaultPort(uri) ? "" : ":" + port(uri));
        return origin.toLowerCase(Locale.ROOT);
    }

    /** Returns {@code host:port}; empty for a folder. */
    static Optional<String> hostAndPort(URI uri) {
        return Optional.ofNullable(uri.getHost()).map(host -> host + ":" + port(uri));
    }

    /** Returns the decoded {@code user:password} in the URL. */
    static Optional<String> credentials(URI uri) {
        return Optional.ofNullable(uri.getRawUserInfo())
                // A plus sign in credentials is not a space.
                .map(info -> URLDecoder.decode(info.replace("+", "%2B"), StandardCharsets.UTF_8))
                .map(info -> info.contains(":") ? info : info + ":");
    }

    /** Returns the URL without credentials. */
    public static URI redacted(URI uri) {
        return URI.create(withoutCredentials(uri.toString()));
    }

    public URI redacted() {
        return redacted(uri);
    }

    private static String withoutCredentials(String url) {
        return url.replaceFirst("//[^/?#]*@", "//");
    }

    private static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : defaultPort(uri);
    }

    private static int defaultPort(URI uri) {
        return "http".equalsIgnoreCase(uri.getScheme()) ? 80 : 443;
    }
}
