package dev.pysandbox.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.egress.address.Resolver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the limits on what hostile scripts and servers can make the proxy use. */
@Timeout(120)
final class EgressBoundsIT {
    private static final ProxyLimits SHORT_LIMITS =
            new ProxyLimits(64, 16 * 1024, Duration.ofMillis(300), Duration.ofMillis(500), Duration.ofSeconds(10));

    @TempDir
    private Path folder;

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
    void boundsLookUpsInNumberAndTime() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch release = new CountDownLatch(1);
        Resolver stuck = name -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            await(release);
            running.decrementAndGet();
            throw new UnknownHostException(name);
        };
        try (EgressProxy proxy = EgressProxy.listen(socket, EgressPolicy.publicInternet(), stuck, SHORT_LIMITS)) {
            List<EgressTestClient> clients = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                clients.add(new EgressTestClient(socket).send("CONNECT n" + i + ".example:443 HTTP/1.1\r\n\r\n"));
            }
            for (EgressTestClient client : clients) {
                String answer = client.readAll();
                assertTrue(answer.startsWith("HTTP/1.1 502 Bad Gateway\r\n"), answer);
                client.close();
            }
            assertEquals(8, most.get());
            assertEquals(8, running.get());
            assertEquals(List.of(), proxy.refused());
        } finally {
            release.countDown();
        }
    }

    @Test
    void endsConnectionsThatLookUpWhenItIsClosed() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Semaphore asked = new Semaphore(0);
        Resolver stuck = stuck(asked, release);
        EgressProxy proxy = EgressProxy.listen(socket, EgressPolicy.publicInternet(), stuck, ProxyLimits.STANDARD);
        List<EgressTestClient> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(new EgressTestClient(socket).send("CONNECT n" + i + ".example:443 HTTP/1.1\r\n\r\n"));
        }
        asked.acquire(8);
        proxy.close();
        for (EgressTestClient client : clients) {
            assertEndsWithoutAnswer(client);
        }
        awaitNoThread("egress-connection");
        release.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitNoThread(String name) throws InterruptedException {
        while (Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(name))) {
            Thread.sleep(10);
        }
    }

    private static void assertEndsWithoutAnswer(EgressTestClient client) {
        try (client) {
            assertEquals("", client.readAll());
        } catch (IOException e) {
            // A reset also ends the connection.
        }
    }

    /** All sandboxes together have 512 connections in addition to the first 8 of each. Others wait until one ends. */
    @Test
    void boundsTheConnectionsOfAllSandboxesButTheFirstOfEach() throws Exception {
        Semaphore connected = new Semaphore(0);
        List<EgressProxy> proxies = new ArrayList<>();
        List<EgressTestClient> clients = new ArrayList<>();
        try (EgressTestServer server = new EgressTestServer(s -> {
            connected.release();
            while (s.getInputStream().read() >= 0) {
                // The proxy has ended it.
            }
        })) {
            String request = "GET http://server.test:" + server.port() + "/ HTTP/1.1\r\n\r\n";
            // Four take 120 each in addition to their first 8, the fifth takes the remaining 32, the sixth none.
            List<Integer> served = List.of(128, 128, 128, 128, 40, 8);
            for (int expected : served) {
                Path each = folder.resolve("proxy" + proxies.size());
                proxies.add(listen(each, ProxyLimits.STANDARD));
                for (int i = 0; i < Math.min(128, expected + 1); i++) {
                    clients.add(new EgressTestClient(each).send(request));
                }
                assertTrue(connected.tryAcquire(expected, 30, TimeUnit.SECONDS), "a sandbox is starved by others");
            }
            assertEquals(0, connected.availablePermits());
            proxies.get(0).close();
            connected.acquire(2);
        } finally {
            proxies.forEach(EgressProxy::close);
            for (EgressTestClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void resolvesTheFirstNameOfASandboxWhileOthersLookUpAllTheyCan() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Semaphore asked = new Semaphore(0);
        Resolver stuck = stuck(asked, release);
        List<EgressProxy> proxies = new ArrayList<>();
        List<EgressTestClient> clients = new ArrayList<>();
        try {
            // Nine take 63 in addition to their first one, the tenth takes the last one.
            for (int expected : List.of(8, 8, 8, 8, 8, 8, 8, 8, 8, 2)) {
                Path each = folder.resolve("proxy" + proxies.size());
                proxies.add(EgressProxy.listen(each, EgressPolicy.publicInternet(), stuck, ProxyLimits.STANDARD));
                for (int i = 0; i < 8; i++) {
                    clients.add(new EgressTestClient(each).send("CONNECT n" + i + ".example:443 HTTP/1.1\r\n\r\n"));
                }
                asked.acquire(expected);
            }
            assertEquals(0, asked.availablePermits());
            proxies.add(EgressProxy.listen(socket, EgressPolicy.publicInternet(), name -> List.of(), SHORT_LIMITS));
            String answer = EgressTestClient.ask(socket, "CONNECT a.example:443 HTTP/1.1\r\n\r\n");
            assertTrue(answer.contains("it has no address"), answer);
        } finally {
            release.countDown();
            proxies.forEach(EgressProxy::close);
            for (EgressTestClient client : clients) {
                client.close();
            }
        }
    }

    /** Causes more failures than there are slots. Each must release its slot and close its connection. */
    @Test
    void continuesIfAConnectionCannotBeStarted() throws Exception {
        ProxyLimits two =
                new ProxyLimits(2, 16 * 1024, Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10));
        AtomicInteger started = new AtomicInteger();
        ThreadFactory scarce = task -> switch (started.getAndIncrement()) {
            case 0 -> throw new OutOfMemoryError("unable to create native thread");
            case 1 -> throw new IllegalStateException("no thread");
            case 2 -> throw new InternalError("no thread");
            default -> EgressProxy.connectionThread(task);
        };
        try (EgressProxy proxy =
                EgressProxy.listen(socket, EgressPolicy.only(List.of()), Resolver.SYSTEM, two, scarce)) {
            for (int i = 0; i < 3; i++) {
                assertEndsWithoutAnswer(new EgressTestClient(socket));
            }
            String answer = EgressTestClient.ask(socket, "CONNECT a.example:443 HTTP/1.1\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 403 "), answer);
            assertEquals(List.of("a.example:443 (not an allowed host)"), proxy.refused());
        }
    }

    @Test
    void endsAResponseWithASlowHead() throws Exception {
        try (EgressTestServer slow = new EgressTestServer(s -> {
                    EgressTestServer.readHead(s.getInputStream());
                    s.getOutputStream().write("HTTP/1.1 200 OK\r\nA: ".getBytes(StandardCharsets.UTF_8));
                    while (true) {
                        s.getOutputStream().write('x');
                        sleep();
                    }
                });
                EgressProxy proxy = listen(socket, SHORT_LIMITS)) {
            assertBadGateway(slow, proxy);
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void endsAFloodOfInterimAnswers() throws Exception {
        byte[] interim = "HTTP/1.1 103 Early Hints\r\n\r\n".getBytes(StandardCharsets.UTF_8);
        try (EgressTestServer flood = new EgressTestServer(s -> {
                    EgressTestServer.readHead(s.getInputStream());
                    while (true) {
                        s.getOutputStream().write(interim);
                    }
                });
                EgressProxy proxy = listen(socket, SHORT_LIMITS)) {
            String answer = ask(flood);
            assertTrue(answer.contains("HTTP/1.1 502 Bad Gateway\r\n"), answer);
            assertEquals(List.of(), proxy.refused());
        }
    }

    @Test
    void refusesAHeadWithoutEnd() throws Exception {
        byte[] field = "A: bbbbbbbbbbbbbbbbbbbbbbbb\r\n".getBytes(StandardCharsets.UTF_8);
        try (EgressTestServer endless = new EgressTestServer(s -> {
                    EgressTestServer.readHead(s.getInputStream());
                    s.getOutputStream().write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.UTF_8));
                    while (true) {
                        s.getOutputStream().write(field);
                    }
                });
                EgressProxy proxy = listen(socket, SHORT_LIMITS)) {
            assertBadGateway(endless, proxy);
        }
    }

    private void assertBadGateway(EgressTestServer server, EgressProxy proxy) throws IOException {
        String answer = ask(server);
        assertTrue(answer.startsWith("HTTP/1.1 502 Bad Gateway\r\n"), answer);
        assertEquals(List.of(), proxy.refused());
    }

    private String ask(EgressTestServer server) throws IOException {
        return EgressTestClient.ask(socket, "GET http://server.test:" + server.port() + "/ HTTP/1.1\r\n\r\n");
    }

    private static EgressProxy listen(Path socket, ProxyLimits limits) throws IOException {
        return EgressProxy.listen(
                socket,
                EgressPolicy.only(List.of()).trusting(List.of("server.test")),
                name -> List.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 1})),
                limits);
    }

    /** Returns a resolver whose lookups block until they are released, and then find no address. */
    private static Resolver stuck(Semaphore asked, CountDownLatch release) {
        return name -> {
            asked.release();
            await(release);
            throw new UnknownHostException(name);
        };
    }
}
