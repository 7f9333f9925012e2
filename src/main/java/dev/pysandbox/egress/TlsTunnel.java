package dev.pysandbox.egress;

import dev.pysandbox.egress.address.Target;
import dev.pysandbox.egress.http.MessageSource;
import dev.pysandbox.support.Threads;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection after a CONNECT; allows only TLS with the host of the CONNECT. */
record TlsTunnel(Target target, Router router, MessageSource fromClient, SocketChannel client) {
    private static final Logger log = LoggerFactory.getLogger(TlsTunnel.class);
    private static final String ADVICE =
            "a tunnel carries TLS with the host that CONNECT names; plain HTTP and ws:// can't use one";
    /** A fatal TLS alert (RFC 8446, section 6). */
    private static final byte[] UNRECOGNIZED_NAME = {21, 3, 3, 0, 2, 2, 112};

    /**
     * Forwards both directions after the client has sent a valid ClientHello; the server receives nothing before.
     *
     * @throws ProxyProblem if the client sends anything other than TLS
     */
    void run(MessageSource fromServer, SocketChannel server, Duration helloTime) throws IOException {
        Optional<ClientHello> hello = readHello(helloTime);
        if (hello.isPresent()) {
            MessageSource.write(hello.get().bytes(), server);
            pumpBoth(fromServer, server);
        }
    }

    /** Returns empty if the client is gone or was already sent a response. */
    private Optional<ClientHello> readHello(Duration time) throws IOException {
        ReadDeadline deadline = ReadDeadline.start(client, time);
        boolean tls = false;
        try {
            tls = fromClient.peek() == ClientHello.HANDSHAKE;
            ClientHello hello = ClientHello.read(fromClient);
            if (hello.isFor(target.host())) {
                return Optional.of(hello);
            }
            return alert("TLS for another host");
        } catch (ProtocolException e) {
            if (tls) {
                return alert(String.valueOf(e.getMessage()));
            }
            throw router.refusal(target, "not TLS", ADVICE);
        } catch (EOFException e) {
            // A client that closes without sending anything is not recorded.
            if (tls || deadline.isExpired()) {
                log.debug(
                        "{}", router.refusal(target, "no TLS handshake", ADVICE).getMessage());
            }
            return Optional.empty();
        } finally {
            deadline.cancel();
        }
    }

    private Optional<ClientHello> alert(String reason) throws IOException {
        log.debug("{}", router.refusal(target, reason, ADVICE).getMessage());
        MessageSource.write(ByteBuffer.wrap(UNRECOGNIZED_NAME), client);
        client.shutdownOutput();
        ProxyConnection.linger(client);
        return Optional.empty();
    }

    /** Forwards each direction until it ends, independently of the other. */
    private void pumpBoth(MessageSource fromServer, SocketChannel server) {
        Thread upload = Threads.startDaemon("egress-upload", () -> pump(fromClient, server));
        pump(fromServer, client);
        try {
            upload.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pump(MessageSource from, SocketChannel to) {
        try {
            from.copyAll(to);
        } catch (IOException e) {
            log.trace("a tunnel failed: {}", e.toString());
        }
        try {
            to.shutdownOutput();
        } catch (IOException e) {
            log.trace("a tunnel was already closed: {}", e.toString());
        }
    }
}
