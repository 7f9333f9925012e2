package dev.pysandbox.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.egress.address.Resolver;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class EgressProxyIT {
    private static final int MANY_BYTES = 50 * 1024 * 1024;
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nhi";

    @TempDir
    private Path folder;

    private final List<String> lookups = new CopyOnWriteArrayList<>();
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
        assertFalse(Files.exists(socket));
    }

    @Test
    void tunnelsManyBytesBothWaysAtOnce() throws Exception {
        try (EgressTestServer server = EgressTestServer.echoing();
                EgressProxy proxy = proxyFor(server);
                EgressTestClient client = EgressTestClient.connect(socket, "server.test:" + server.port())) {
            CompletableFuture<Long> sent = new CompletableFuture<>();
            EgressTestServer.start("sender", () -> sendMany(client, sent));
            CRC32 received = new CRC32();
            ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
            long count = 0;
            while (client.channel().read(buffer.clear()) >= 0) {
                count += buffer.flip().remaining();
                received.update(buffer);
            }
            assertEquals(MANY_BYTES, count);
            assertEquals(sent.get(), received.getValue());
            assertEquals(List.of(), proxy.refused());
        }
    }

    private static void sendMany(EgressTestClient client, CompletableFuture<Long> sent) {
        try {
            CRC32 sum = new CRC32();
            Random random = new Random(1);
            byte[] block = new byte[1024 * 1024];
            for (int i = 0; i < MANY_BYTES / block.length; i++) {
                random.nextBytes(block);
                sum.update(block);
                client.send(ByteBuffer.wrap(block));
            }
            client.endInput();
            sent.complete(sum.getValue());
        } catch (IOException e) {
            sent.completeExceptionally(e);
        }
    }

    @Test
    void forwardsTheEndOfEachDirection() throws Exception {
        try (EgressTestServer lateAnswer = new EgressTestServer(s -> {
                    EgressTestHello.skip(s.getInputStream());
                    byte[] all = s.getInputStream().readAllBytes();
                    s.getOutputStream().write(all);
                });
                EgressProxy proxy = proxyFor(lateAnswer);
                EgressTestClient client = EgressTestClient.connect(socket, "server.test:" + lateAnswer.port())) {
            assertEquals("ping", client.send("ping").endInput().readAll());
            assertEquals(List.of(), proxy.refused());
        }
        CompletableFuture<String> heard = new CompletableFuture<>();
        try (EgressTestServer firstToEnd = new EgressTestServer(s -> {
                    s.getOutputStream().write("bye".getBytes(StandardCharsets.UTF_8));
                    s.shutdownOutput();
                    EgressTestHello.skip(s.getInputStream());
                    heard.complete(new String(s.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
                });
                EgressProxy proxy = proxyFor(firstToEnd);
                EgressTestClient client = EgressTestClient.connect(socket, "server.test:" + firstToEnd.port())) {
            assertEquals("bye", client.readAll());
            client.send("still here").endInput();
            assertEquals("still here", heard.get());
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void forwardsDataSentTogetherWithConnect() throws Exception {
        try (EgressTestServer server = EgressTestServer.echoing();
                EgressProxy proxy = proxyFor(server);
                EgressTestClient client = new EgressTestClient(socket)) {
            client.send("CONNECT server.test:" + server.port() + " HTTP/1.1\r\n\r\n"
                            + new String(EgressTestHello.named("server.test"), StandardCharsets.ISO_8859_1) + "hello")
                    .endInput();
            assertEquals("HTTP/1.1 200 Connection established\r\n\r\nhello", client.readAll());
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void forwardsPlainHttpAndEndsTheConnectionWithTheAnswer() throws Exception {
        try (EgressTestServer server = EgressTestServer.answering(OK);
                EgressProxy proxy = proxyFor(server)) {
            String uri = "http://server.test:" + server.port() + "/a?b";
            String answer = EgressTestClient.ask(
                    socket, "GET " + uri + " HTTP/1.1\r\nHost: other\r\nProxy-Connection: keep-alive\r\nA: b\r\n\r\n");
            assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi", answer);
            assertEquals(
                    List.of("GET /a?b HTTP/1.1\r\nHost: server.test:" + server.port()
                            + "\r\nA: b\r\nConnection: close\r\n\r\n"),
                    server.heads());
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void forwardsEveryFormOfAnswer() throws Exception {
        assertEquals("hi", body("GET", "HTTP/1.0 200 OK\r\n\r\nhi", true));
        assertEquals(
                "2\r\nhi\r\n0\r\n\r\n",
                body("GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\nhi\r\n0\r\n\r\n", false));
        assertEquals("", body("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", false));
        assertEquals("", body("GET", "HTTP/1.1 204 No Content\r\n\r\n", false));
        assertEquals("", body("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", false));
        assertEquals(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi",
                body("GET", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK, false));
    }

    private String body(String method, String response, boolean closing) throws IOException {
        try (EgressTestServer server = closing
                        ? new EgressTestServer(s -> {
                            EgressTestServer.readHead(s.getInputStream());
                            s.getOutputStream().write(response.getBytes(StandardCharsets.ISO_8859_1));
                        })
                        : EgressTestServer.answering(response);
                EgressProxy proxy = proxyFor(server)) {
            String answer = EgressTestClient.ask(
                    socket, method + " http://server.test:" + server.port() + "/ HTTP/1.1\r\n\r\n");
            assertEquals(List.of(), proxy.refused());
            return answer.substring(answer.indexOf("\r\n\r\n") + 4);
        }
    }

    @Test
    void streamsRequestBodies() throws Exception {
        String large = "x".repeat(5 * 1024 * 1024);
        assertEquals(large, upload("Content-Length: " + large.length() + "\r\n\r\n" + large));
        String chunk = Integer.toHexString(large.length()) + ";ext\r\n" + large + "\r\n";
        assertEquals(
                Integer.toHexString(large.length()) + "\r\n" + large + "\r\n0\r\n\r\n",
                upload("Transfer-Encoding: chunked\r\n\r\n" + chunk + "0\r\nTrailer: dropped\r\n\r\n"));
    }

    /** Sends a request, with an interim response, and returns the body that the server received. */
    private String upload(String fieldsAndBody) throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        try (EgressTestServer server = new EgressTestServer(s -> {
                    String head = EgressTestServer.readHead(s.getInputStream());
                    s.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                    int length = head.contains("chunked") ? fieldsAndBody.length() : 5 * 1024 * 1024;
                    StringBuilder body = new StringBuilder();
                    byte[] buffer = new byte[64 * 1024];
                    while (body.length() < length && body.indexOf("0\r\n\r\n", body.length() - 5) < 0) {
                        int count = s.getInputStream().read(buffer);
                        body.append(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
                    }
                    heard.complete(body.toString());
                    s.getOutputStream().write(OK.getBytes(StandardCharsets.UTF_8));
                });
                EgressProxy proxy = proxyFor(server)) {
            String answer = EgressTestClient.ask(
                    socket,
                    "POST http://server.test:" + server.port() + "/ HTTP/1.1\r\nExpect: 100-continue\r\n"
                            + fieldsAndBody);
            assertTrue(answer.startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"), answer);
            assertEquals(List.of(), proxy.refused());
            return heard.get();
        }
    }

    @Test
    void forwardsAResponseSentBeforeTheBody() throws Exception {
        try (EgressTestServer server =
                        EgressTestServer.answering("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
                EgressProxy proxy = proxyFor(server)) {
            String answer = EgressTestClient.ask(
                    socket,
                    "POST http://server.test:" + server.port() + "/ HTTP/1.1\r\nContent-Length: 1000000\r\n\r\nx");
            assertTrue(answer.startsWith("HTTP/1.1 413 "), answer);
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void answersBrokenContentWith400() throws Exception {
        try (EgressTestServer server =
                        new EgressTestServer(s -> s.getInputStream().readAllBytes());
                EgressProxy proxy = proxyFor(server)) {
            String answer = EgressTestClient.ask(
                    socket,
                    "POST http://server.test:" + server.port()
                            + "/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 400 Bad Request\r\n"), answer);
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void explainsARefusalAndRecordsItOnce() throws Exception {
        try (EgressProxy proxy = listen(EgressPolicy.publicInternet(), ProxyLimits.STANDARD)) {
            for (int i = 0; i < 3; i++) {
                String answer = EgressTestClient.ask(socket, "CONNECT server.test:443 HTTP/1.1\r\n\r\n");
                assertTrue(answer.startsWith("HTTP/1.1 403 Forbidden\r\n"), answer);
                assertTrue(
                        answer.endsWith("\r\n\r\npython-sandbox refused server.test:443: loopback address; only public"
                                + " addresses can be reached, unless the server is started with --network host\n"),
                        answer);
            }
            EgressTestClient.ask(socket, "GET http://169.254.169.254/latest HTTP/1.1\r\n\r\n");
            assertEquals(
                    List.of("server.test:443 (loopback address)", "169.254.169.254:80 (cloud metadata address)"),
                    proxy.refused());
            for (int port = 1; port <= 60; port++) {
                EgressTestClient.ask(socket, "CONNECT 127.0.0.1:" + port + " HTTP/1.1\r\n\r\n");
            }
            assertEquals(50, proxy.refused().size());
        }
    }

    /** A client that sends its whole body before it reads must still receive the response. */
    @Test
    void refusesALargeUploadWithAnAnswer() throws Exception {
        try (EgressProxy proxy = listen(EgressPolicy.only(List.of()), ProxyLimits.STANDARD)) {
            String body = "x".repeat(700_000);
            String answer = EgressTestClient.ask(
                    socket,
                    "POST http://example.org/ HTTP/1.1\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            assertTrue(answer.startsWith("HTTP/1.1 403 Forbidden\r\n"), answer);
            assertEquals(List.of("example.org:80 (not an allowed host)"), proxy.refused());
        }
    }

    @Test
    void answers502IfTheServerCannotBeReached() throws Exception {
        int closedPort;
        try (EgressTestServer server = EgressTestServer.echoing()) {
            closedPort = server.port();
        }
        try (EgressTestServer garbage = EgressTestServer.answering("SSH-2.0-x\r\n\r\n");
                EgressTestServer silent = new EgressTestServer(s -> {});
                EgressProxy proxy = listen(
                        EgressPolicy.publicInternet().trusting(List.of("server.test", "unknown.test")),
                        ProxyLimits.STANDARD)) {
            for (String request : List.of(
                    "CONNECT unknown.test:443 HTTP/1.1\r\n\r\n",
                    "CONNECT server.test:" + closedPort + " HTTP/1.1\r\n\r\n",
                    "GET http://server.test:" + garbage.port() + "/ HTTP/1.1\r\n\r\n",
                    "GET http://server.test:" + silent.port() + "/ HTTP/1.1\r\n\r\n")) {
                String answer = EgressTestClient.ask(socket, request);
                assertTrue(answer.startsWith("HTTP/1.1 502 Bad Gateway\r\n"), answer);
                assertTrue(answer.endsWith("\n") && answer.contains(".test"), answer);
            }
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void resolvesANameOnceAndTriesEachAddress() throws Exception {
        // No server listens on 127.0.0.9, so the second address responds.
        Resolver resolver = name -> {
            lookups.add(name);
            return List.of(
                    InetAddress.getByAddress(new byte[] {127, 0, 0, 9}),
                    InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        };
        try (EgressTestServer server = EgressTestServer.echoing();
                EgressProxy proxy = EgressProxy.listen(
                        socket,
                        EgressPolicy.only(List.of()).trusting(List.of("server.test")),
                        resolver,
                        ProxyLimits.STANDARD);
                EgressTestClient client = EgressTestClient.connect(socket, "server.test:" + server.port())) {
            assertEquals("x", client.send("x").endInput().readAll());
            assertEquals(List.of("server.test"), lookups);
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void servesHundredsOfConnectionsAtOnce() throws Exception {
        try (EgressTestServer server = EgressTestServer.echoing();
                EgressProxy proxy = proxyFor(server)) {
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                String text = "client " + i;
                CompletableFuture<String> answer = new CompletableFuture<>();
                answers.add(answer);
                EgressTestServer.start("client", () -> {
                    try (EgressTestClient client = EgressTestClient.connect(socket, "server.test:" + server.port())) {
                        answer.complete(client.send(text).endInput().readAll());
                    } catch (IOException e) {
                        answer.completeExceptionally(e);
                    }
                });
            }
            for (int i = 0; i < answers.size(); i++) {
                assertEquals("client " + i, answers.get(i).get());
            }
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void delaysConnectionsBeyondTheLimit() throws Exception {
        ProxyLimits two =
                new ProxyLimits(2, 16 * 1024, Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10));
        try (EgressTestServer server = EgressTestServer.echoing();
                EgressProxy proxy = listen(EgressPolicy.only(List.of()).trusting(List.of("server.test")), two)) {
            String target = "server.test:" + server.port();
            EgressTestClient first = EgressTestClient.connect(socket, target);
            EgressTestClient second = EgressTestClient.connect(socket, target);
            EgressTestClient third = new EgressTestClient(socket).send("CONNECT " + target + " HTTP/1.1\r\n\r\n");
            third.channel().configureBlocking(false);
            for (int i = 0; i < 50; i++) {
                second.send("x").channel().read(ByteBuffer.allocate(1));
                assertEquals(0, third.channel().read(ByteBuffer.allocate(1)));
            }
            first.close();
            second.close();
            third.channel().configureBlocking(true);
            assertTrue(third.readHead().startsWith("HTTP/1.1 200 "));
            third.close();
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void endsEveryConnectionAtOnceWhenItIsClosed() throws Exception {
        CountDownLatch connected = new CountDownLatch(2);
        byte[] block = new byte[64 * 1024];
        try (EgressTestServer endless = new EgressTestServer(s -> {
            connected.countDown();
            EgressTestHello.skip(s.getInputStream());
            while (true) {
                s.getOutputStream().write(block);
            }
        })) {
            EgressProxy proxy = proxyFor(endless);
            EgressTestClient reading = EgressTestClient.connect(socket, "server.test:" + endless.port());
            EgressTestClient stalled = EgressTestClient.connect(socket, "server.test:" + endless.port());
            EgressTestClient silent = new EgressTestClient(socket);
            connected.await();
            ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
            for (long count = 0; count < 10_000_000; count += buffer.position()) {
                assertTrue(reading.channel().read(buffer.clear()) > 0);
            }
            proxy.close();
            proxy.close();
            for (EgressTestClient client : List.of(reading, stalled, silent)) {
                readToTheEnd(client);
                client.close();
            }
            assertThrows(IOException.class, () -> new EgressTestClient(socket));
        }
    }

    private static void readToTheEnd(EgressTestClient client) {
        try {
            client.readAll();
        } catch (IOException e) {
            // A reset also ends the connection.
        }
    }

    @Test
    void createsASocketThatAllUsersCanOpenAndNoneTwice() throws Exception {
        try (EgressProxy proxy = listen(EgressPolicy.publicInternet(), ProxyLimits.STANDARD)) {
            assertEquals("rw-rw-rw-", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
            IOException twice =
                    assertThrows(IOException.class, () -> EgressProxy.listen(socket, EgressPolicy.publicInternet()));
            assertTrue(twice.getMessage().contains(socket.toString()), twice.getMessage());
            assertTrue(Files.exists(socket));
            assertEquals(List.of(), proxy.refused());
        }
        Path tooLong = folder.resolve("x".repeat(120));
        assertThrows(IOException.class, () -> EgressProxy.listen(tooLong, EgressPolicy.publicInternet()));
    }

    @Test
    void leavesNoSocketIfItCannotListen() throws Exception {
        EgressLeftovers before = EgressLeftovers.now();
        InetAddress ofAnotherMachine = InetAddress.getByName("192.0.2.1");
        IOException e = assertThrows(
                IOException.class, () -> EgressProxy.listen(ofAnotherMachine, "secret", EgressPolicy.publicInternet()));
        assertTrue(e.getMessage().contains("192.0.2.1"), e.getMessage());
        before.assertNone();
    }

    @Test
    void answersASlowRequestWith408() throws Exception {
        ProxyLimits shortLimits =
                new ProxyLimits(128, 16 * 1024, Duration.ofMillis(300), Duration.ofSeconds(10), Duration.ofSeconds(10));
        try (EgressProxy proxy = listen(EgressPolicy.publicInternet(), shortLimits);
                EgressTestClient silent = new EgressTestClient(socket);
                EgressTestClient slow = new EgressTestClient(socket)) {
            assertThrows(IOException.class, () -> {
                while (true) {
                    slow.send("G");
                    Thread.sleep(20);
                }
            });
            assertTrue(slow.readAll().startsWith("HTTP/1.1 408 Request Timeout\r\n"));
            assertTrue(silent.readAll().startsWith("HTTP/1.1 408 Request Timeout\r\n"));
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void requiresTheSecretOnThePort() throws Exception {
        try (EgressProxy proxy =
                EgressProxy.listen(InetAddress.getLoopbackAddress(), "open sesame", EgressPolicy.only(List.of()))) {
            proxy.open();
            String request = "GET http://refused.test/ HTTP/1.1\r\nHost: refused.test\r\n\r\n";
            assertTrue(ask(proxy.port(), "open sesame\r\n" + request).startsWith("HTTP/1.1 403"));
            for (String sent : List.of("", "open barley\r\n", "open sesame!\r\n", "open\r\n", "open sesame\n")) {
                assertEquals("", ask(proxy.port(), sent + request), sent);
            }
            assertEquals(1, proxy.refused().size());
        }
    }

    private static String ask(int port, String sent) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(sent.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException e) {
            return ""; // closed with unread data
        }
    }

    @Test
    void answersAHeaderWithoutEndWith400() throws Exception {
        try (EgressProxy proxy = listen(EgressPolicy.publicInternet(), ProxyLimits.STANDARD)) {
            String answer =
                    EgressTestClient.ask(socket, "CONNECT example.org:443 HTTP/1.1\r\n" + "A: b\r\n".repeat(4000));
            assertTrue(answer.startsWith("HTTP/1.1 400 Bad Request\r\n"), answer);
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void answersForVirtualHosts() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        VirtualHost host = new VirtualHost() {
            @Override
            public String name() {
                return "virtual.invalid";
            }

            @Override
            public Answer answer(String method, String path, Map<String, String> fields) {
                asked.add(method + " " + path + " " + fields.get("range"));
                boolean known = path.startsWith("/known");
                OptionalLong length = known ? OptionalLong.of(4) : OptionalLong.empty();
                return new Answer(200, Map.of("ETag", "x\r\ny"), length, new Text(path.contains("broken")));
            }
        };
        EgressPolicy policy = EgressPolicy.only(List.of()).serving(List.of(host));
        try (EgressProxy proxy = listen(policy, ProxyLimits.STANDARD)) {
            String uri = "http://virtual.invalid";
            assertEquals(
                    "HTTP/1.1 200 OK\r\nETag: x  y\r\nContent-Length: 4\r\nConnection: close\r\n\r\ntext",
                    EgressTestClient.ask(socket, "GET " + uri + "/known HTTP/1.1\r\nRange: 1\r\n\r\n"));
            String chunked = EgressTestClient.ask(socket, "GET " + uri + "/ HTTP/1.1\r\n\r\n");
            assertTrue(chunked.endsWith("chunked\r\nConnection: close\r\n\r\n4\r\ntext\r\n0\r\n\r\n"), chunked);
            String broken = EgressTestClient.ask(socket, "GET " + uri + "/broken HTTP/1.1\r\n\r\n");
            assertTrue(broken.endsWith("\r\n\r\n4\r\ntext\r\n"), broken);
            String old = EgressTestClient.ask(socket, "GET " + uri + "/ HTTP/1.0\r\n\r\n");
            assertTrue(old.endsWith("\r\nConnection: close\r\n\r\ntext"), old);
            String head = EgressTestClient.ask(socket, "HEAD " + uri + "/known HTTP/1.1\r\n\r\n");
            assertTrue(head.endsWith("Content-Length: 4\r\nConnection: close\r\n\r\n"), head);
            assertEquals(5, asked.size());
            assertEquals("GET /known 1", asked.get(0));
            for (String request : List.of(
                    "CONNECT virtual.invalid:443 HTTP/1.1\r\n\r\n",
                    "POST " + uri + "/ HTTP/1.1\r\nContent-Length: 1\r\n\r\nx",
                    "GET " + uri + "/ HTTP/1.1\r\nContent-Length: 1\r\n\r\nx",
                    "DELETE " + uri + "/ HTTP/1.1\r\n\r\n",
                    "GET http://other.invalid/ HTTP/1.1\r\n\r\n")) {
                String answer = EgressTestClient.ask(socket, request);
                assertTrue(answer.startsWith("HTTP/1.1 403 "), answer);
            }
            assertEquals(5, asked.size());
            assertEquals(List.of("other.invalid:80 (not an allowed host)"), proxy.refused());
        }
    }

    /** A short text, after which the connection may break. */
    private record Text(boolean breaks) implements VirtualHost.Content {
        @Override
        public void copy(OutputStream to) throws IOException {
            to.write("text".getBytes(StandardCharsets.UTF_8));
            if (breaks) {
                throw new IOException("broken");
            }
        }

        @Override
        public void close() {}
    }

    private EgressProxy proxyFor(EgressTestServer server) throws IOException {
        return listen(
                EgressPolicy.only(List.of()).trusting(List.of("server.test:" + server.port())), ProxyLimits.STANDARD);
    }

    private EgressProxy listen(EgressPolicy policy, ProxyLimits limits) throws IOException {
        return EgressProxy.listen(socket, policy, this::resolve, limits);
    }

    private List<InetAddress> resolve(String name) throws UnknownHostException {
        lookups.add(name);
        if (name.equals("server.test")) {
            return List.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        }
        throw new UnknownHostException(name);
    }
}
