package dev.pysandbox.egress;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What follows a CONNECT: TLS with the host that it named, and nothing else. */
final class EgressTunnel {
    private static final Logger log = LoggerFactory.getLogger(EgressTunnel.class);
    private static final String ADVICE =
            "a tunnel carries TLS with the host that CONNECT names; plain HTTP and ws:// can't use one";
    /** A fatal alert of TLS: RFC 8446, section 6. */
    private static final byte[] UNRECOGNIZED_NAME = {21, 3, 3, 0, 2, 2, 112};

    private final EgressTarget target;
    private final EgressRouter router;
    private final EgressSource fromClient;
    private final SocketChannel client;

    EgressTunnel(EgressTarget target, EgressRouter router, EgressSource fromClient, SocketChannel client) {
        this.target = target;
        this.router = router;
        this.fromClient = fromClient;
        this.client = client;
    }

    /**
     * Passes on both directions once the client has begun with a fitting ClientHello; the server sees no byte before it.
     *
     * @throws EgressProblem if the client speaks something else than TLS
     */
    void run(EgressSource fromServer, SocketChannel server, Duration helloTime) throws IOException {
        Optional<EgressHello> hello = readHello(helloTime);
        if (hello.isPresent()) {
            EgressSource.write(hello.get().bytes(), server);
            pumpBoth(fromServer, server);
        }
    }

    /** Empty if there is no use in an answer, or it was given. */
    private Optional<EgressHello> readHello(Duration time) throws IOException {
        EgressDeadline deadline = EgressDeadline.start(client, time);
        boolean tls = false;
        try {
            tls = fromClient.peek() == EgressHello.HANDSHAKE;
            EgressHello hello = EgressHello.read(fromClient);
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
            // A client that leaves without a word is no attempt at anything.
            if (tls || deadline.isExpired()) {
                log.debug(
                        "{}", router.refusal(target, "no TLS handshake", ADVICE).getMessage());
            }
            return Optional.empty();
        } finally {
            deadline.cancel();
        }
    }

    private Optional<EgressHello> alert(String reason) throws IOException {
        log.debug("{}", router.refusal(target, reason, ADVICE).getMessage());
        EgressSource.write(ByteBuffer.wrap(UNRECOGNIZED_NAME), client);
        client.shutdownOutput();
        EgressConnection.linger(client);
        return Optional.empty();
    }

    /** Each direction ends by itself: one that is closed says nothing about the other. */
    private void pumpBoth(EgressSource fromServer, SocketChannel server) {
        Thread upload = EgressProxy.startThread("egress-upload", () -> pump(fromClient, server));
        pump(fromServer, client);
        try {
            upload.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pump(EgressSource from, SocketChannel to) {
        try {
            from.copyAll(to);
        } catch (IOException e) {
            log.trace("a tunnel broke: {}", e.toString());
        }
        try {
            to.shutdownOutput();
        } catch (IOException e) {
            log.trace("a tunnel was gone: {}", e.toString());
        }
    }
}
