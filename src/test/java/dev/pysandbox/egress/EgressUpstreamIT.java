package dev.pysandbox.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class EgressUpstreamIT {
    private static final ProxyLimits LIMITS =
            new ProxyLimits(16, 16 * 1024, Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofMillis(500));
    private static final String TUNNEL = "HTTP/1.1 200 OK\r\nVia: test\r\n\r\n";

    @TempDir
    private Path folder;

    private EgressLeftovers before;
    private Path socket;
    private EgressTestServer upstream;

    @BeforeEach
    void remember() {
        before = EgressLeftovers.now();
        socket = folder.resolve("proxy.sock");
    }

    @AfterEach
    void leavesNothing() throws InterruptedException {
        upstream.close();
        before.assertNone();
    }

    @Test
    void tunnelsThroughTheUpstreamToNamesThatOnlyItKnows() throws Exception {
        upstream = new EgressTestServer(s -> {
            upstream.readHead(s);
            write(s, TUNNEL + "early ");
            EgressTestHello.skip(s.getInputStream());
            s.getInputStream().transferTo(s.getOutputStream());
        });
        try (EgressProxy proxy = listen("");
                EgressTestClient client = EgressTestClient.connect(socket, "elsewhere.example:443")) {
            assertEquals("early hello", client.send("hello").endInput().readAll());
            String expected = """
                    CONNECT elsewhere.example:443 HTTP/1.1
                    Host: elsewhere.example:443
                    Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=

                    """;
            assertEquals(List.of(expected.replace("\n", "\r\n")), upstream.heads());
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void forwardsPlainHttpToTheUpstream() throws Exception {
        upstream = EgressTestServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nProxy-Agent: x\r\n\r\nhi");
        try (EgressProxy proxy = listen("")) {
            String answer = EgressTestClient.ask(socket, "GET http://elsewhere.example/x HTTP/1.1\r\n\r\n");
            assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi", answer);
            String head = upstream.heads().get(0);
            assertTrue(head.startsWith("GET http://elsewhere.example/x HTTP/1.1\r\nHost: elsewhere.example\r\n"), head);
            assertTrue(head.contains("\r\nProxy-Authorization: Basic dXNlcjpzZWNyZXQ=\r\n"), head);
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void refusesPrivateTargetsWithoutTheUpstream() throws Exception {
        upstream = EgressTestServer.answering(TUNNEL);
        try (EgressProxy proxy = listen("")) {
            for (String target : List.of("10.0.0.1:443", "private.example:443", "localhost:80")) {
                String answer = EgressTestClient.ask(socket, "CONNECT " + target + " HTTP/1.1\r\n\r\n");
                assertTrue(answer.startsWith("HTTP/1.1 403 Forbidden\r\n"), answer);
            }
            assertEquals(List.of(), upstream.heads());
            assertEquals(3, proxy.refused().size());
        }
    }

    @Test
    void answers502WhenTheUpstreamRefusesOrIsSilent() throws Exception {
        upstream = EgressTestServer.answering("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
        assertBadGateway("answered 407");
        upstream.close();
        upstream = EgressTestServer.answering("nonsense\r\n\r\n");
        assertBadGateway("opened no tunnel");
        upstream.close();
        upstream = EgressTestServer.answering("");
        assertBadGateway("no complete header");
        upstream.close();
        assertBadGateway("could not connect to the proxy");
    }

    private void assertBadGateway(String reason) throws IOException {
        try (EgressProxy proxy = listen("")) {
            String answer = EgressTestClient.ask(socket, "CONNECT elsewhere.example:443 HTTP/1.1\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 502 Bad Gateway\r\n"), answer);
            assertTrue(answer.contains(reason), answer);
            assertFalse(answer.contains("secret") || answer.contains("dXNlcjpzZWNyZXQ="), answer);
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void connectsDirectlyToHostsInNoProxy() throws Exception {
        upstream = EgressTestServer.answering(TUNNEL);
        try (EgressTestServer direct = EgressTestServer.echoing();
                EgressProxy proxy = listen("server.test");
                EgressTestClient client = EgressTestClient.connect(socket, "server.test:" + direct.port())) {
            assertEquals("hello", client.send("hello").endInput().readAll());
            assertEquals(List.of(), upstream.heads());
            assertEquals(List.of(), proxy.refused());
        }
    }

    private EgressProxy listen(String noProxy) throws IOException {
        UpstreamProxy chained = UpstreamProxy.fromEnvironment(
                        Map.of("HTTPS_PROXY", "http://user:secret@server.test:" + upstream.port(), "NO_PROXY", noProxy))
                .orElseThrow();
        EgressPolicy policy =
                EgressPolicy.only(List.of("*")).trusting(List.of("server.test")).through(chained);
        return EgressProxy.listen(socket, policy, EgressUpstreamIT::resolve, LIMITS);
    }

    private static List<InetAddress> resolve(String name) throws UnknownHostException {
        return switch (name) {
            case "server.test" -> List.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
            case "private.example" -> List.of(InetAddress.getByAddress(new byte[] {10, 0, 0, 1}));
            default -> throw new UnknownHostException(name);
        };
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
