package dev.pysandbox.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class TlsTunnelIT {
    private static final String ALERT = "\u0015\u0003\u0003\0\u0002\u0002p";
    private static final ProxyLimits SHORT_LIMITS =
            new ProxyLimits(16, 16 * 1024, Duration.ofMillis(300), Duration.ofSeconds(10), Duration.ofSeconds(10));

    @TempDir
    private Path folder;

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private EgressLeftovers before;
    private Path socket;

    @BeforeEach
    void remember() {
        before = EgressLeftovers.now();
        socket = folder.resolve("proxy.sock");
    }

    @AfterEach
    void leavesNothing() throws InterruptedException {
        before.assertNone();
    }

    @Test
    void forwardsAHelloThatArrivesInPieces() throws Exception {
        byte[] hello = EgressTestHello.large("server.test", 5000, 700);
        try (EgressTestServer server = recording();
                EgressProxy proxy = listen(ProxyLimits.STANDARD);
                EgressTestClient client = EgressTestClient.open(socket, "server.test:" + server.port())) {
            for (int at = 0; at < hello.length; at += 100) {
                client.send(ByteBuffer.wrap(hello, at, Math.min(100, hello.length - at)));
            }
            assertEquals("SSH-2.0-server", client.send("more").endInput().readAll());
            assertEquals(List.of(new String(hello, StandardCharsets.ISO_8859_1) + "more"), heard);
            assertEquals(List.of(), proxy.refused());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
                "SSH-2.0-client\r\n",
                "\0\0",
                "\u0017\u0003\u0003"
            })
    void refusesOtherProtocolsWithAnAnswer(String sent) throws Exception {
        try (EgressTestServer server = recording();
                EgressProxy proxy = listen(ProxyLimits.STANDARD);
                EgressTestClient client = EgressTestClient.open(socket, "server.test:" + server.port())) {
            String answer = client.send(sent).endInput().readAll();
            assertTrue(answer.startsWith("HTTP/1.1 403 Forbidden\r\n"), answer);
            assertTrue(answer.contains("not TLS; a tunnel carries TLS"), answer);
            assertEquals(List.of("server.test:" + server.port() + " (not TLS)"), proxy.refused());
        }
        assertReceived("");
    }

    @Test
    void refusesAnotherNameWithAnAlert() throws Exception {
        try (EgressTestServer server = recording();
                EgressProxy proxy = listen(ProxyLimits.STANDARD);
                EgressTestClient client = EgressTestClient.open(socket, "server.test:" + server.port())) {
            client.send(ByteBuffer.wrap(EgressTestHello.named("evil.test")));
            assertEquals(ALERT, client.endInput().readAll());
            assertEquals(List.of("server.test:" + server.port() + " (TLS for another host)"), proxy.refused());
        }
        assertReceived("");
    }

    /** The client receives nothing from a server that sends first until the client has begun TLS. */
    @Test
    void endsATunnelInWhichTheClientWaits() throws Exception {
        try (EgressTestServer server = recording();
                EgressProxy proxy = listen(SHORT_LIMITS)) {
            String target = "server.test:" + server.port();
            try (EgressTestClient silent = EgressTestClient.open(socket, target);
                    EgressTestClient slow =
                            EgressTestClient.open(socket, target).send("\u0016\u0003")) {
                assertEquals("", silent.readAll());
                assertEquals("", slow.readAll());
            }
            assertEquals(List.of(target + " (no TLS handshake)"), proxy.refused());
        }
        assertReceived("");
    }

    @Test
    void doesNotRecordAClientThatCloses() throws Exception {
        try (EgressTestServer server = recording();
                EgressProxy proxy = listen(ProxyLimits.STANDARD);
                EgressTestClient client = EgressTestClient.open(socket, "server.test:" + server.port())) {
            assertEquals("", client.endInput().readAll());
            assertEquals(List.of(), proxy.refused());
        }
    }

    private void assertReceived(String expected) {
        assertTrue(heard.stream().allMatch(expected::equals), heard::toString);
    }

    /** Returns a server that sends first and records what it receives. */
    private EgressTestServer recording() {
        return new EgressTestServer(s -> {
            s.getOutputStream().write("SSH-2.0-server".getBytes(StandardCharsets.UTF_8));
            heard.add(new String(s.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
        });
    }

    private EgressProxy listen(ProxyLimits limits) throws IOException {
        EgressPolicy policy = EgressPolicy.only(List.of()).trusting(List.of("server.test"));
        return EgressProxy.listen(
                socket, policy, name -> List.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 1})), limits);
    }
}
