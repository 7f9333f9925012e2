package dev.pysandbox.egress;

import dev.pysandbox.egress.ProxyProblem.Status;
import dev.pysandbox.egress.address.Target;
import dev.pysandbox.egress.http.HttpResponse;
import dev.pysandbox.egress.http.MessageHead;
import dev.pysandbox.egress.http.MessageSource;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection of a client to the proxy, from its request to the last byte of the response. */
final class ProxyConnection implements Runnable, Closeable {
    private static final Logger log = LoggerFactory.getLogger(ProxyConnection.class);
    private static final Duration LINGER = Duration.ofSeconds(1);
    private static final long LINGER_BYTES = 1024 * 1024;

    private final SocketChannel client;
    private final MessageSource fromClient;
    private final Router router;
    private final ProxyLimits limits;
    private final Optional<String> secret;
    /** All open channels; guarded by itself, like {@link #closed}. */
    private final List<SocketChannel> channels = new ArrayList<>();

    private boolean closed;
    private Optional<Thread> thread = Optional.empty();

    /** @param secret the line that a client must send first, if clients must authenticate */
    ProxyConnection(SocketChannel client, Router router, ProxyLimits limits, Optional<String> secret) {
        this.client = client;
        this.fromClient = new MessageSource(client);
        this.router = router;
        this.limits = limits;
        this.secret = secret;
        channels.add(client);
    }

    @Override
    public void run() {
        synchronized (channels) {
            thread = Optional.of(Thread.currentThread());
        }
        try {
            if (secret.isEmpty() || receives(secret.get())) {
                serve();
            }
        } catch (IOException e) {
            log.debug("a connection ended: {}", e.toString());
        } finally {
            close();
        }
    }

    private boolean receives(String expected) throws IOException {
        ReadDeadline deadline = ReadDeadline.start(client, limits.headTime());
        try {
            return MessageDigest.isEqual(
                    fromClient.readLine(expected.length()).getBytes(StandardCharsets.ISO_8859_1),
                    expected.getBytes(StandardCharsets.ISO_8859_1));
        } finally {
            deadline.cancel();
        }
    }

    private void serve() throws IOException {
        try {
            ProxyRequest request = ProxyRequest.parse(readHead(fromClient, client, limits.headTime()));
            Optional<VirtualHost> virtual = router.virtualHost(request.target());
            if (virtual.isPresent()) {
                new VirtualExchange(request, virtual.get()).run(client);
                return;
            }
            Router.Route route = router.route(request.target());
            SocketChannel server = connect(route, request.target());
            if (request.isConnect()) {
                MessageSource fromServer = openTunnel(server, route, request.target());
                new TlsTunnel(request.target(), router, fromClient, client).run(fromServer, server, limits.headTime());
            } else {
                new HttpExchange(request, route, server, limits).run(fromClient, client);
            }
        } catch (ProxyProblem e) {
            answer(e.status(), String.valueOf(e.getMessage()));
        } catch (SocketTimeoutException e) {
            answer(Status.REQUEST_TIMEOUT, "python-sandbox's proxy received no request in time: " + e.getMessage());
        } catch (ProtocolException | EOFException e) {
            answer(Status.BAD_REQUEST, "python-sandbox's proxy can't read this request: " + e.getMessage());
        }
    }

    private MessageHead readHead(MessageSource source, SocketChannel channel, Duration time) throws IOException {
        ReadDeadline deadline = ReadDeadline.start(channel, time);
        try {
            return MessageHead.read(source, limits.headBytes());
        } catch (EOFException e) {
            if (deadline.isExpired()) {
                throw new SocketTimeoutException("no complete header within " + time.toMillis() + " ms");
            }
            throw e;
        } finally {
            deadline.cancel();
        }
    }

    /** Tries the addresses one after the other; each gets an equal share of the remaining time. */
    private SocketChannel connect(Router.Route route, Target target) throws IOException {
        long end = System.nanoTime() + limits.connectTime().toNanos();
        String failure = "it has no address";
        int untried = route.addresses().size();
        for (InetAddress address : route.addresses()) {
            long share = Duration.ofNanos(end - System.nanoTime()).toMillis() / untried--;
            SocketChannel server = open();
            try {
                server.setOption(StandardSocketOptions.TCP_NODELAY, true);
                server.socket().connect(new InetSocketAddress(address, route.port()), (int) Math.max(1, share));
                return server;
            } catch (IOException | UnsupportedAddressTypeException e) {
                failure = String.valueOf(e.getMessage());
                close(server);
            }
        }
        String where = route.upstream().map(proxy -> "the proxy " + proxy).orElse(target.toString());
        throw new ProxyProblem(Status.BAD_GATEWAY, "python-sandbox could not connect to " + where + ": " + failure);
    }

    private SocketChannel open() throws IOException {
        SocketChannel channel = SocketChannel.open();
        synchronized (channels) {
            channels.add(channel);
            if (closed) {
                close(channel);
                throw new ClosedChannelException();
            }
        }
        return channel;
    }

    /** Confirms the CONNECT when the connection is open; the source may already contain the server's first bytes. */
    private MessageSource openTunnel(SocketChannel server, Router.Route route, Target target) throws IOException {
        MessageSource fromServer = new MessageSource(server);
        if (route.upstream().isPresent()) {
            UpstreamProxy upstream = route.upstream().get();
            int status = connectUpstream(fromServer, server, upstream, target);
            if (status / 100 != 2) {
                throw new ProxyProblem(
                        Status.BAD_GATEWAY, "the proxy " + upstream + " answered " + status + " for " + target);
            }
        }
        MessageSource.write("HTTP/1.1 200 Connection established\r\n\r\n", client);
        return fromServer;
    }

    private int connectUpstream(MessageSource fromServer, SocketChannel server, UpstreamProxy upstream, Target target)
            throws ProxyProblem {
        String request =
                "CONNECT %s HTTP/1.1\r\nHost: %s\r\n%s\r\n".formatted(target, target, upstream.authorization());
        try {
            MessageSource.write(request, server);
            return HttpResponse.parse(readHead(fromServer, server, limits.upstreamTime()), "CONNECT")
                    .status();
        } catch (IOException e) {
            throw new ProxyProblem(
                    Status.BAD_GATEWAY,
                    "the proxy " + upstream + " opened no tunnel to " + target + ": " + e.getMessage());
        }
    }

    private void answer(Status status, String sentence) throws IOException {
        log.debug("{}: {}", status.line(), sentence);
        byte[] text = (sentence + "\n").getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n"
                        .formatted(status.line(), text.length)
                + "Connection: close\r\n\r\n";
        MessageSource.write(head, client);
        MessageSource.write(ByteBuffer.wrap(text), client);
        client.shutdownOutput();
        linger(client);
    }

    /** Reads on for a moment: closing while the client still sends would discard the response. */
    static void linger(SocketChannel client) throws IOException {
        ReadDeadline deadline = ReadDeadline.start(client, LINGER);
        try {
            // Not from the buffer, which an upload may still use.
            new MessageSource(client).discard(LINGER_BYTES);
        } finally {
            deadline.cancel();
        }
    }

    /** Closes all channels at once, from any thread. */
    @Override
    public void close() {
        synchronized (channels) {
            closed = true;
            channels.forEach(ProxyConnection::close);
            thread.filter(running -> running != Thread.currentThread()).ifPresent(Thread::interrupt);
        }
    }

    static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            log.trace("closing failed: {}", e.toString());
        }
    }
}
