package dev.pysandbox.index;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** A package index on the loopback interface. */
public final class LocalIndex implements AutoCloseable {
    private final HttpServer server;
    private final String scheme;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Handles a request, correctly or not. */
    public interface Handler {
        void handle(HttpExchange exchange) throws IOException;
    }

    private LocalIndex(HttpServer server, String scheme) {
        this.server = server;
        this.scheme = scheme;
        server.setExecutor(threads);
        server.start();
    }

    public static LocalIndex http() throws IOException {
        return new LocalIndex(HttpServer.create(anyPort(), 0), "http");
    }

    public static LocalIndex https(SSLContext context) throws IOException {
        HttpsServer server = HttpsServer.create(anyPort(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return new LocalIndex(server, "https");
    }

    public void serve(String path, Handler handler) {
        server.createContext(path, handler::handle);
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public String url(String path) {
        return scheme + "://localhost:" + port() + path;
    }

    public static Handler html(String page) {
        return exchange -> answer(exchange, 200, "text/html", page.getBytes(StandardCharsets.UTF_8));
    }

    public static Handler json(String page) {
        return exchange ->
                answer(exchange, 200, "application/vnd.pypi.simple.v1+json", page.getBytes(StandardCharsets.UTF_8));
    }

    public static Handler bytes(byte[] content) {
        return exchange -> answer(exchange, 200, "application/octet-stream", content);
    }

    public static Handler redirect(String location) {
        return exchange -> {
            exchange.getResponseHeaders().set("Location", location);
            answer(exchange, 302, "text/plain", new byte[0]);
        };
    }

    public static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
}
