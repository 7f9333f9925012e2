package dev.pysandbox.index;

import dev.pysandbox.egress.VirtualHost;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * Gives a sandbox access to an index that needs credentials: a virtual host with plain HTTP and without credentials.
 *
 * <p>It forwards a request with the credentials if it is for a page of the index, or for a link of such a page with the
 * same scheme, host and port. Nothing else of that host can be read. A path of the virtual host is
 * {@code /simple/PROJECT/}, {@code /links} or an {@link IndexLink}.
 */
final class IndexGateway implements VirtualHost {
    private static final String DOMAIN = ".index.invalid";
    private static final String SIMPLE = "/simple/";
    private static final String LINKS = "/links";
    private static final Pattern PROJECT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*/?");
    private static final Set<String> REQUEST_FIELDS =
            Set.of("accept", "cache-control", "if-modified-since", "if-none-match", "if-range", "range", "user-agent");
    /** The forwarded header fields: no cookies, which may be credentials, and no encodings, which are not requested. */
    private static final List<String> ANSWER_FIELDS = List.of(
            "Accept-Ranges",
            "Age",
            "Cache-Control",
            "Content-Range",
            "Content-Type",
            "Date",
            "ETag",
            "Expires",
            "Last-Modified",
            "Retry-After",
            "X-PyPI-Last-Serial");

    private static final Set<Integer> REFUSED = Set.of(401, 403);
    /** uv would retry a gateway error three times. */
    private static final int FAILED_DEPENDENCY = 424;

    private final URI address;
    private final boolean flat;
    private final IndexLink.Key key;
    private final IndexClient client;
    private final Duration timeout;
    private final String origin;
    private volatile Optional<String> problem = Optional.empty();

    /**
     * Creates the virtual host of one index.
     *
     * @param address the address without credentials
     * @param flat whether it is a single page of links rather than an index
     * @param timeout the time within which the index must send a kilobyte
     */
    IndexGateway(URI address, boolean flat, IndexLink.Key key, IndexClient client, Duration timeout) {
        this.address = address;
        this.flat = flat;
        this.key = key;
        this.client = client;
        this.timeout = timeout;
        this.origin = IndexUrl.origin(address);
    }

    /** Depends on the key, so that uv finds its cached pages as long as the signed links in them are valid. */
    @Override
    public String name() {
        byte[] digest = key.sign(flat + "\n" + address);
        return HexFormat.of().formatHex(Arrays.copyOf(digest, 10)) + DOMAIN;
    }

    /** Returns the address of the index inside a sandbox. */
    String url() {
        return "http://" + name() + (flat ? LINKS : SIMPLE);
    }

    /** Returns the error of the index or its credentials, if there was one. */
    Optional<String> problem() {
        return problem;
    }

    boolean isFor(URI other) {
        return address.equals(IndexUrl.redacted(other));
    }

    boolean sharesOriginWith(String text) {
        return text.contains(origin);
    }

    /** Replaces addresses of the virtual host in a text by the real ones. */
    String translate(String text) {
        String folder = address.toString().replaceFirst("/*$", "/");
        String host = Pattern.quote("http://" + name());
        return text.replace(url(), flat ? address.toString() : folder)
                .replace(url().replaceFirst("/$", ""), address.toString())
                .replaceAll(host + "/(?:page|file)/[A-Za-z0-9_-]{22}", Matcher.quoteReplacement(origin))
                .replaceAll(host, Matcher.quoteReplacement(origin));
    }

    @Override
    public Answer answer(String method, String path, Map<String, String> fields)
            throws IOException, InterruptedException {
        Optional<IndexLink> link = link(path);
        if (link.isEmpty()) {
            return text(
                    403,
                    "python-sandbox does not forward this to " + origin
                            + ": with the index's credentials only its pages and what they link to can be read");
        }
        URI target = URI.create(origin + link.get().path());
        Map<String, String> forwarded = new LinkedHashMap<>(fields);
        forwarded.keySet().retainAll(REQUEST_FIELDS);
        try {
            HttpResponse<InputStream> response = client.send(method, target, forwarded);
            if (REFUSED.contains(response.statusCode())) {
                problem = Optional.of(target + " answered with status " + response.statusCode()
                        + ": the user name or password of this index is not accepted; to fix: correct it in"
                        + " UV_DEFAULT_INDEX, UV_INDEX or the variable that names it");
            }
            return answer(target, link.get().page(), response);
        } catch (SSLException e) {
            String sentence = "the certificate of " + origin + " is not trusted (" + e.getMessage()
                    + "); to fix: set SSL_CERT_FILE to a bundle of certificates that has its authority";
            problem = Optional.of(sentence);
            return text(FAILED_DEPENDENCY, sentence);
        } catch (IOException e) {
            throw recorded(origin + " can't be reached: "
                    + Optional.ofNullable(e.getMessage()).orElse("the connection failed"));
        }
    }

    private static Answer text(int status, String sentence) {
        String text = sentence + "\n";
        Map<String, String> fields = Map.of("Content-Type", "text/plain; charset=utf-8");
        return new Answer(
                status, fields, OptionalLong.of(text.getBytes(StandardCharsets.UTF_8).length), new Text(text));
    }

    private IOException recorded(String sentence) {
        problem = Optional.of(sentence);
        return new IOException(sentence);
    }

    /** Returns what a path of the virtual host refers to, if it may be read. */
    private Optional<IndexLink> link(String path) {
        String home = Optional.ofNullable(address.getRawPath()).orElse("");
        if (flat && path.equals(LINKS)) {
            String query = Optional.ofNullable(address.getRawQuery())
                    .map(text -> "?" + text)
                    .orElse("");
            return Optional.of(new IndexLink(true, (home.isEmpty() ? "/" : home) + query));
        }
        if (!flat && path.startsWith(SIMPLE)) {
            String rest = path.substring(SIMPLE.length());
            return rest.isEmpty() || PROJECT.matcher(rest).matches()
                    ? Optional.of(new IndexLink(true, home.replaceFirst("/*$", "/") + rest))
                    : Optional.empty();
        }
        return IndexLink.parse(path, origin, key);
    }

    private Answer answer(URI target, boolean page, HttpResponse<InputStream> response) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String name : ANSWER_FIELDS) {
            response.headers().firstValue(name).ifPresent(value -> fields.put(name, value));
        }
        response.headers()
                .firstValue("Location")
                .flatMap(location -> redirection(target, page, location))
                .ifPresent(location -> fields.put("Location", location));
        String type = fields.getOrDefault("Content-Type", "").toLowerCase(Locale.ROOT);
        boolean json = type.startsWith("application/vnd.pypi.simple.") && type.contains("+json");
        boolean html = type.startsWith("text/html") || type.startsWith("application/vnd.pypi.simple.");
        if (page && response.statusCode() == 200 && (json || html)) {
            if (response.headers().firstValue("Content-Encoding").isPresent()) {
                response.body().close();
                throw new IOException(target + " answered with an encoding that was not requested");
            }
            IndexPageRewriter rewriter = new IndexPageRewriter(target, link -> virtualAddress(link, false));
            InputStream bounded = new BoundedInput(response.body(), SimplePage.MAX_BYTES);
            Content content = new IndexContent(target, bounded, json ? rewriter::copyJson : rewriter::copyHtml);
            return new Answer(200, fields, OptionalLong.empty(), content);
        }
        response.headers()
                .firstValue("Content-Encoding")
                .ifPresent(encoding -> fields.put("Content-Encoding", encoding));
        OptionalLong length = response.headers().firstValueAsLong("Content-Length");
        Content content = new IndexContent(target, response.body(), InputStream::transferTo);
        return new Answer(response.statusCode(), fields, length, content);
    }

    private Optional<String> redirection(URI target, boolean page, String location) {
        try {
            return Optional.of(
                    virtualAddress(target.resolve(location).normalize(), page).toString());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the virtual address of a link on the index's own origin; other links are not changed. */
    private URI virtualAddress(URI link, boolean page) {
        if (link.getHost() == null || !IndexUrl.origin(link).equals(origin)) {
            return link;
        }
        String path = Optional.ofNullable(link.getRawPath())
                .filter(text -> !text.isEmpty())
                .orElse("/");
        String query =
                Optional.ofNullable(link.getRawQuery()).map(text -> "?" + text).orElse("");
        return URI.create("http://" + name() + new IndexLink(page, path + query).signed(origin, key));
    }

    /** Copies content of an index: pages with replaced links, everything else unchanged. */
    private interface Copier {
        void copy(InputStream from, OutputStream to) throws IOException;
    }

    /** The content of a response from the index. */
    private final class IndexContent implements Content {
        private final URI target;
        private final InputStream body;
        private final Copier copier;

        IndexContent(URI target, InputStream body, Copier copier) {
            this.target = target;
            this.body = body;
            this.copier = copier;
        }

        @Override
        public void copy(OutputStream to) throws IOException {
            try (InputStream guarded = new StallGuard(body, timeout)) {
                copier.copy(guarded, to);
            } catch (IndexProblem e) {
                throw recorded(target + " can't be used: " + e.getMessage());
            }
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    /** A response of the gateway itself. */
    private record Text(String text) implements Content {
        @Override
        public void copy(OutputStream to) throws IOException {
            to.write(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void close() {}
    }
}
