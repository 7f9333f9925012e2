package dev.pysandbox.index;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy for https that requires a password and connects to one port of this machine. */
public final class PasswordProxy implements AutoCloseable {
    private final ServerSocket server;
    private final String expected;
    private final int target;
    private final AtomicInteger tunnels = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    public PasswordProxy(String userAndPassword, int target) throws IOException {
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.target = target;
        byte[] pair = userAndPassword.getBytes(StandardCharsets.UTF_8);
        this.expected = "proxy-authorization: basic " + Base64.getEncoder().encodeToString(pair);
        threads.execute(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    public int tunnels() {
        return tunnels.get();
    }

    @Override
    public void close() throws IOException {
        server.close();
        threads.shutdownNow();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                threads.execute(() -> serve(client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket client) {
        try (client) {
            BufferedReader head =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
            boolean connect = false;
            boolean allowed = false;
            for (String line = head.readLine(); line != null && !line.isEmpty(); line = head.readLine()) {
                connect |= line.startsWith("CONNECT ");
                allowed |= line.equalsIgnoreCase(expected);
            }
            OutputStream answer = client.getOutputStream();
            if (!connect || !allowed) {
                String refusal = String.join(
                        "\r\n",
                        "HTTP/1.1 407 Proxy Authentication Required",
                        "Proxy-Authenticate: Basic realm=\"x\"",
                        "Content-Length: 0",
                        "",
                        "");
                answer.write(refusal.getBytes(StandardCharsets.ISO_8859_1));
                return;
            }
            tunnels.incrementAndGet();
            try (Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target)) {
                answer.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
                threads.execute(() -> copy(upstream, client));
                copy(client, upstream);
            }
        } catch (IOException e) {
            // The client closed the connection.
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            InputStream source = from.getInputStream();
            source.transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            // One side closed the connection.
        }
    }
}
