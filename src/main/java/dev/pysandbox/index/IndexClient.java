package dev.pysandbox.index;

import dev.pysandbox.egress.InvalidProxyException;
import dev.pysandbox.egress.UpstreamProxy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/** Reads pages and files of package indexes, with the proxies, certificates and credentials of the settings. */
public final class IndexClient {
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
    private static final int MAX_REDIRECTS = 10;
    /**
     * The JDK refuses passwords for proxies of https addresses unless this is set before its client is loaded. A client
     * can't set it for itself, so it is set for the whole JVM; {@code PythonSandbox} documents it.
     */
    private static final String REFUSED_PROXY_SCHEMES = "jdk.http.auth.tunneling.disabledSchemes";

    private final IndexSettings settings;
    private final HttpClient client;
    private final HttpClient unchecked;

    IndexClient(IndexSettings settings) throws IOException {
        if (System.getProperty(REFUSED_PROXY_SCHEMES) == null) {
            System.setProperty(REFUSED_PROXY_SCHEMES, "");
        }
        this.settings = settings;
        HttpClient.Builder builder = builder();
        if (!settings.caBundles().isEmpty()) {
            builder.sslContext(Certificates.trusting(settings.caBundles()));
        }
        this.client = builder.build();
        this.unchecked = settings.hasInsecureHosts()
                ? builder().sslContext(Certificates.trustingAll()).build()
                : client;
    }

    private HttpClient.Builder builder() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(settings.timeout())
                .proxy(new SettingsProxySelector(settings.proxies()));
    }

    /** Returns the list of a project's files on an index; empty if the index does not have the project. */
    public Optional<SimplePage> page(URI index, String project) throws IOException, InterruptedException {
        String folder = index.toString().replaceFirst("[?#].*", "").replaceFirst("/*$", "/");
        Answer answer = get(URI.create(folder + project + "/"), SimplePage.ACCEPT);
        try (InputStream body = answer.body()) {
            if (answer.status() == 404) {
                return Optional.empty();
            }
            answer.requireSuccess();
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            copy(body, text, SimplePage.MAX_BYTES, bytes -> {});
            return Optional.of(
                    SimplePage.parse(answer.address(), answer.contentType(), text.toString(StandardCharsets.UTF_8)));
        }
    }

    /** Downloads a file of at most {@code limit} bytes and reports the number of bytes so far. */
    public void download(URI file, OutputStream target, long limit, LongConsumer progress)
            throws IOException, InterruptedException {
        Answer answer = get(file, "*/*");
        try (InputStream body = answer.body()) {
            answer.requireSuccess();
            copy(body, target, limit, progress);
        }
    }

    private Answer get(URI start, String accept) throws IOException, InterruptedException {
        URI address = start;
        for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
            HttpResponse<InputStream> response =
                    send("GET", address, Map.of("Accept", accept, "User-Agent", "python-sandbox"));
            Optional<String> location = response.headers().firstValue("Location");
            if (!REDIRECTS.contains(response.statusCode()) || location.isEmpty()) {
                return new Answer(IndexUrl.redacted(address), response);
            }
            response.body().close();
            address = resolve(address, location.get());
        }
        throw new IOException(IndexUrl.redacted(start) + " redirects too often");
    }

    /** Sends one request with the credentials for the address; follows no redirect. */
    HttpResponse<InputStream> send(String method, URI address, Map<String, String> fields)
            throws IOException, InterruptedException {
        requireAllowed(address);
        HttpRequest.Builder request = HttpRequest.newBuilder(IndexUrl.redacted(address))
                .method(method, BodyPublishers.noBody())
                .timeout(settings.timeout());
        fields.forEach(request::header);
        // Sets the header itself: with an Authenticator, the JDK drops the Authorization header of a request.
        settings.credentials(address).ifPresent(pair -> request.header("Authorization", basic(pair)));
        settings.proxies()
                .proxyFor(address)
                .flatMap(UpstreamProxy::credentials)
                .ifPresent(pair -> request.header("Proxy-Authorization", basic(pair)));
        HttpClient chosen = settings.isInsecure(address) ? unchecked : client;
        return chosen.send(request.build(), BodyHandlers.ofInputStream());
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    private static URI resolve(URI address, String location) throws IOException {
        try {
            return IndexUrl.redacted(address).resolve(location);
        } catch (IllegalArgumentException e) {
            throw new IOException(IndexUrl.redacted(address) + " redirects to an invalid URL", e);
        }
    }

    /** Refuses plain http unless the user configured it. */
    private void requireAllowed(URI address) throws IOException {
        boolean https = "https".equalsIgnoreCase(address.getScheme());
        boolean http = "http".equalsIgnoreCase(address.getScheme())
                && Stream.concat(settings.indexes().stream(), settings.guarded().stream())
                        .anyMatch(index -> "http".equalsIgnoreCase(index.getScheme()));
        if (address.getHost() == null || !(https || http)) {
            throw new IOException("refused to read " + IndexUrl.redacted(address) + ": it is not https");
        }
    }

    private void copy(InputStream body, OutputStream target, long limit, LongConsumer progress) throws IOException {
        try (StallGuard guard = new StallGuard(body, settings.timeout())) {
            byte[] buffer = new byte[1 << 16];
            long total = 0;
            for (int n = guard.read(buffer); n >= 0; n = guard.read(buffer)) {
                total += n;
                if (total > limit) {
                    throw new IOException("the file is longer than the expected " + limit + " bytes");
                }
                target.write(buffer, 0, n);
                progress.accept(total);
            }
        }
    }

    /** A response, with the address after all redirects. */
    private record Answer(URI address, HttpResponse<InputStream> response) {
        int status() {
            return response.statusCode();
        }

        InputStream body() {
            return response.body();
        }

        String contentType() {
            return response.headers().firstValue("Content-Type").orElse("text/html");
        }

        void requireSuccess() throws IOException {
            if (status() != 200) {
                throw new IOException(address + " answered with status " + status());
            }
        }
    }

    /** Selects the proxy of the settings for an address. */
    private static final class SettingsProxySelector extends ProxySelector {
        private final ProxySettings proxies;

        SettingsProxySelector(ProxySettings proxies) {
            this.proxies = proxies;
        }

        @Override
        public List<Proxy> select(URI uri) {
            try {
                return List.of(proxies.proxyFor(uri)
                        .map(proxy -> new InetSocketAddress(proxy.host(), proxy.port()))
                        .map(address -> new Proxy(Proxy.Type.HTTP, address))
                        .orElse(Proxy.NO_PROXY));
            } catch (InvalidProxyException e) {
                throw new UncheckedIOException(e); // not reached: each request parses the variable first
            }
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException e) {
            // The request itself fails with this exception.
        }
    }
}
