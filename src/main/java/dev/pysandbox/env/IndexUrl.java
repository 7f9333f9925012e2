package dev.pysandbox.env;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One index as a variable names it: {@code URL}, {@code NAME=URL} or a local folder. */
record IndexUrl(String text, URI uri) {
    private static final Pattern NAMED = Pattern.compile("([A-Za-z0-9._-]+)=(.+)");
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

    static IndexUrl parse(String variable, String text) {
        Matcher named = NAMED.matcher(text);
        String url = named.matches() ? named.group(2) : text;
        try {
            URI uri = hasScheme(url) ? new URI(url) : Path.of(url).toUri();
            boolean web = "https".equalsIgnoreCase(uri.getScheme()) || "http".equalsIgnoreCase(uri.getScheme());
            if ((web && uri.getHost() != null) || "file".equalsIgnoreCase(uri.getScheme())) {
                return new IndexUrl(text, uri);
            }
        } catch (URISyntaxException | InvalidPathException e) {
            // The message below says it all, and e's would show credentials.
        }
        throw new IllegalArgumentException(
                variable + " must be an http or https URL or a folder, got '" + withoutCredentials(url) + "'");
    }

    static boolean hasScheme(String text) {
        return SCHEME.matcher(text).matches();
    }

    /** The host and port that must be reachable; none for a folder. */
    static Optional<String> hostAndPort(URI uri) {
        return Optional.ofNullable(uri.getHost()).map(host -> host + ":" + port(uri));
    }

    /** The {@code user:password} in the URL, decoded. */
    static Optional<String> credentials(URI uri) {
        return Optional.ofNullable(uri.getRawUserInfo())
                // A plus is a plus here, not a space.
                .map(info -> URLDecoder.decode(info.replace("+", "%2B"), StandardCharsets.UTF_8))
                .map(info -> info.contains(":") ? info : info + ":");
    }

    /** The URL as it may be shown and sent. */
    static URI redacted(URI uri) {
        return URI.create(withoutCredentials(uri.toString()));
    }

    URI redacted() {
        return redacted(uri);
    }

    private static String withoutCredentials(String url) {
        return url.replaceFirst("//[^/?#]*@", "//");
    }

    private static int port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return "http".equalsIgnoreCase(uri.getScheme()) ? 80 : 443;
    }
}
