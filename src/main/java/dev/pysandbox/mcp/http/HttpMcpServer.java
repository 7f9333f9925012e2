package dev.pysandbox.mcp.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pysandbox.mcp.McpServer;
import dev.pysandbox.mcp.Principal;
import dev.pysandbox.mcp.jsonrpc.RpcError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP transport: serves any number of clients at {@code /mcp}, and health checks. */
public final class HttpMcpServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HttpMcpServer.class);
    private static final String PATH = "/mcp";
    private static final Duration TIME_TO_FLUSH = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration LISTENER_CHECK = Duration.ofSeconds(1);
    private static final int BACKLOG = 1_024;
    private static final int NO_CONTENT = 204;
    private static final int OK = 200;

    private final McpServer server;
    private final HttpBounds bounds;
    private final Duration drain;
    private final HttpThreads threads;
    private final McpEndpoint endpoint;
    private final Optional<SsePair> ssePair;
    private final HttpServer http;
    private final AccessRules access;
    private final Listener listener;
    /** The requests without a response. */
    private final AtomicInteger pending = new AtomicInteger();

    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean failed;

    /**
     * Starts to serve.
     *
     * @param allowedOrigins the origins of web pages whose requests are accepted
     * @param ssePair whether the transport of 2024-11-05 is served, too
     * @param drain how long running calls may take after {@link #close}
     * @throws IllegalArgumentException if an origin is malformed
     */
    public HttpMcpServer(
            McpServer server, ListenAddress address, List<String> allowedOrigins, boolean ssePair, Duration drain)
            throws IOException {
        this(server, address, allowedOrigins, ssePair, drain, HttpBounds.defaults());
    }

    HttpMcpServer(
            McpServer server,
            ListenAddress address,
            List<String> allowedOrigins,
            boolean ssePair,
            Duration drain,
            HttpBounds bounds)
            throws IOException {
        setProperties(bounds);
        this.server = server;
        this.bounds = bounds;
        this.drain = drain;
        this.http = HttpServer.create(new InetSocketAddress(address.host(), address.port()), BACKLOG);
        this.access = new AccessRules(http.getAddress(), allowedOrigins);
        this.threads = new HttpThreads(bounds.headerTime());
        RequestReader reader = new RequestReader(server.json(), bounds, threads);
        this.endpoint = new McpEndpoint(server, reader, SessionIds.withNewKey(), bounds, threads, pending);
        this.ssePair = ssePair ? Optional.of(new SsePair(server, reader, bounds, threads, pending)) : Optional.empty();
        http.setExecutor(threads);
        http.createContext("/", this::handle);
        this.listener = Listener.start(http);
        threads.repeat(LISTENER_CHECK, this::endIfListenerDied);
    }

    /**
     * Checks an origin.
     *
     * @throws IllegalArgumentException if it is not {@code SCHEME://HOST[:PORT]}
     */
    public static void checkOrigin(String origin) {
        String ignored = AccessRules.parseOrigin(origin);
    }

    /** Configures the server of the JDK, which reads these when it is first used. */
    private static void setProperties(HttpBounds bounds) {
        // Without it, the second request of a connection waits 40 ms for a delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("jdk.httpserver.maxConnections", Integer.toString(bounds.connections()));
        // A header that exceeds this gets no response, so it is more than what gets one.
        System.setProperty("sun.net.httpserver.maxReqHeaderSize", Integer.toString(4 * bounds.headerBytes()));
    }

    /** Returns the URL for clients. */
    public String url() {
        InetSocketAddress address = http.getAddress();
        return "http://" + AccessRules.literal(address.getAddress()) + ":" + address.getPort() + PATH;
    }

    private void handle(HttpExchange exchange) {
        threads.headerIsRead();
        try {
            if (endpoint.isDraining()) {
                exchange.getResponseHeaders().set("Connection", "close");
            }
            check(exchange);
            route(exchange);
        } catch (Refusal e) {
            Refusals.sendAndClose(exchange, server.json(), e, threads);
        } catch (IOException e) {
            exchange.close(); // the client is gone
        } catch (RuntimeException | Error e) { // also out of memory or stack: only this request is lost
            log.error("A request could not be handled", e);
            Refusal refusal = new Refusal(Refusal.INTERNAL, RpcError.internal(), Map.of());
            Refusals.sendAndClose(exchange, server.json(), refusal, threads);
        }
    }

    private void check(HttpExchange exchange) throws Refusal {
        Headers headers = exchange.getRequestHeaders();
        long length = headers.entrySet().stream()
                .mapToLong(header -> header.getValue().stream()
                        .mapToLong(value -> header.getKey().length() + value.length())
                        .sum())
                .sum();
        if (length > bounds.headerBytes()) {
            throw new Refusal(
                    Refusal.HEADER_TOO_LARGE, "The header is longer than " + bounds.headerBytes() + " bytes.");
        }
        access.check(exchange);
        RequestBody.checkFraming(headers);
        access.addCorsHeaders(exchange);
    }

    private void route(HttpExchange exchange) throws IOException, Refusal {
        switch (String.valueOf(exchange.getRequestURI().getRawPath())) {
            case PATH -> {
                if (exchange.getRequestMethod().equals("POST")) {
                    endpoint.post(exchange, Principal.LOCAL);
                } else if (exchange.getRequestMethod().equals("OPTIONS") && access.addPreflightHeaders(exchange)) {
                    threads.within(bounds.writeTime(), () -> {
                        exchange.sendResponseHeaders(NO_CONTENT, -1);
                        exchange.close();
                    });
                } else {
                    throw wrongMethod("POST");
                }
            }
            case "/healthz" -> tell(exchange, OK, "ok");
            case "/readyz" ->
                tell(
                        exchange,
                        endpoint.isDraining() ? Refusal.UNAVAILABLE : OK,
                        endpoint.isDraining() ? "draining" : "ready");
            default -> routeToPair(exchange);
        }
    }

    private void routeToPair(HttpExchange exchange) throws IOException, Refusal {
        String path = exchange.getRequestURI().getRawPath();
        if (ssePair.isEmpty() || !(SsePair.STREAM.equals(path) || SsePair.MESSAGES.equals(path))) {
            throw new Refusal(Refusal.NOT_FOUND, "Not found: MCP is served at " + PATH + ".");
        }
        endpoint.checkDraining();
        String method = SsePair.STREAM.equals(path) ? "GET" : "POST";
        if (!exchange.getRequestMethod().equals(method)) {
            throw wrongMethod(method);
        }
        if (method.equals("GET")) {
            ssePair.get().open(exchange, Principal.LOCAL);
        } else {
            ssePair.get().post(exchange, Principal.LOCAL);
        }
    }

    private void tell(HttpExchange exchange, int status, String word) throws IOException, Refusal {
        String method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            throw wrongMethod("GET");
        }
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        // Closing waits for the rest of the request.
        threads.within(bounds.writeTime(), () -> HttpMessages.send(exchange, status, "text/plain", word + "\n"));
    }

    private static Refusal wrongMethod(String allowed) {
        RpcError error = RpcError.invalidRequest("The method must be " + allowed + ".");
        return new Refusal(Refusal.METHOD_NOT_ALLOWED, error, Map.of("Allow", allowed));
    }

    /** A server that lives but answers nothing would not be started again. */
    private void endIfListenerDied() {
        if (listener.hasDied() && !closing.get()) {
            threads.start(() -> {
                failed = true;
                close();
            });
        }
    }

    /**
     * Waits until the server is closed.
     *
     * @throws IllegalStateException if it closed itself, because it could accept no more connections
     */
    public void awaitClosed() throws InterruptedException {
        closed.await();
        if (failed) {
            throw new IllegalStateException("the thread that accepts connections has died, probably out of memory");
        }
    }

    /** Refuses further calls, waits until the running ones end, interrupts those that take too long, and stops. */
    @Override
    public void close() {
        if (closing.getAndSet(true)) {
            return;
        }
        try {
            endpoint.drain();
            server.stop(drain);
            awaitFlushed();
            http.stop(0);
            threads.close();
        } finally {
            closed.countDown();
        }
    }

    private void awaitFlushed() {
        long end = System.nanoTime() + TIME_TO_FLUSH.toNanos();
        try {
            while (pending.get() > 0 && System.nanoTime() < end) {
                Thread.sleep(POLL.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
