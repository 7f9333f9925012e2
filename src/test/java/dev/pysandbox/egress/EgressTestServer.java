package dev.pysandbox.egress;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on 127.0.0.1 with a handler for each connection. */
final class EgressTestServer implements AutoCloseable {
    /** Handles a connection, which is closed afterwards. */
    interface Handler {
        void handle(Socket socket) throws IOException;
    }

    private final ServerSocket listener;
    private final Handler handler;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final List<String> heads = new CopyOnWriteArrayList<>();

    EgressTestServer(Handler handler) {
        try {
            this.listener = new ServerSocket(0, 1024, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.handler = handler;
        start("test-server", this::accept);
    }

    /** Responds to one request and keeps the connection open, like a server with keep-alive. */
    static EgressTestServer answering(String response) {
        EgressTestServer[] server = new EgressTestServer[1];
        server[0] = new EgressTestServer(socket -> {
            server[0].readHead(socket);
            socket.getOutputStream().write(response.getBytes(StandardCharsets.ISO_8859_1));
            socket.getInputStream().read();
        });
        return server[0];
    }

    /** Skips the beginning of TLS and sends back all further data. */
    static EgressTestServer echoing() {
        return new EgressTestServer(socket -> {
            EgressTestHello.skip(socket.getInputStream());
            socket.getInputStream().transferTo(socket.getOutputStream());
            socket.shutdownOutput();
        });
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Returns the request heads so far. */
    List<String> heads() {
        return heads;
    }

    String readHead(Socket socket) throws IOException {
        String head = readHead(socket.getInputStream());
        heads.add(head);
        return head;
    }

    static String readHead(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("no whole head: " + head);
            }
            head.write(b);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                sockets.add(socket);
                start("test-server-connection", () -> handle(socket));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void handle(Socket socket) {
        try (socket) {
            handler.handle(socket);
        } catch (IOException | UncheckedIOException e) {
            // The other end closed the connection, which some tests expect.
        } finally {
            sockets.remove(socket);
        }
    }

    static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
