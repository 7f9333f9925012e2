package dev.pysandbox.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.Fuzz;
import dev.pysandbox.egress.http.MessageSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends thousands of damaged requests. Each must get a response, and a server must never receive more than one valid
 * request.
 */
final class EgressFuzzIT {
    private static final int REQUESTS = Fuzz.rounds(4_000);
    private static final Pattern ANSWER =
            Pattern.compile("HTTP/1\\.1 (200 (OK|Connection established)|400 |403 |502 ).*", Pattern.DOTALL);
    private static final Pattern CLEAN_HEAD = Pattern.compile("([^\\x00-\\x1f\\x7f]|\t|\r\n)*");
    private static final Pattern DELIMITER =
            Pattern.compile("\r\n(Content-Length|Transfer-Encoding):([^\r]*)", Pattern.CASE_INSENSITIVE);
    private static final List<String> PIECES = List.of(
            "\r\n",
            "\n",
            "\r",
            "\0",
            " ",
            "\t",
            ":",
            ";",
            ",",
            "/",
            "@",
            "#",
            "%00",
            "\u00e9",
            "\u00ff",
            "[",
            "]",
            "..",
            "-1",
            "0",
            "99999999999999999999",
            "chunked",
            "Content-Length: 3\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Host: x\r\n",
            "Connection: content-length\r\n",
            "Connection: Content-Length\r\n",
            "connection: HOST, close, Transfer-Encoding\r\n",
            "Expect: 100-continue\r\n",
            "\u0016\u0003\u0001",
            "evil.test",
            " folded\r\n",
            "GET http://web.test/ HTTP/1.1\r\n\r\n",
            "HTTP/1.1",
            "127.0.0.1",
            "0x7f.1",
            "[::1]",
            "CONNECT ",
            "TRACE ");

    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final AtomicInteger forwarded = new AtomicInteger();
    private final AtomicInteger tunnelled = new AtomicInteger();

    @TempDir
    private Path folder;

    @Test
    void survivesDamagedRequests() throws Exception {
        EgressLeftovers before = EgressLeftovers.now();
        try (EgressTestServer web = new EgressTestServer(this::serve);
                EgressTestServer echo = new EgressTestServer(this::serveTls)) {
            String webTarget = "web.test:" + web.port();
            String echoTarget = "echo.test:" + echo.port();
            Path socket = folder.resolve("proxy.sock");
            // Only these are allowed, so that no damaged address leads out of this machine.
            EgressPolicy policy = EgressPolicy.only(List.of()).trusting(List.of(webTarget, echoTarget));
            try (EgressProxy proxy = EgressProxy.listen(socket, policy, EgressFuzzIT::resolve, ProxyLimits.STANDARD)) {
                Random random = Fuzz.random(20261116);
                List<String> seeds = seeds(webTarget, echoTarget);
                for (int i = 0; i < REQUESTS; i++) {
                    String request = damaged(seeds.get(i % seeds.size()), random);
                    String answer = ask(socket, request);
                    assertTrue(ANSWER.matcher(answer).matches(), () -> request + "\n->\n" + answer);
                }
                assertTrue(proxy.refused().size() <= 50);
            }
        }
        assertEquals(List.of(), complaints);
        assertTrue(forwarded.get() > REQUESTS / 20, "only " + forwarded + " were forwarded: the test tests too little");
        assertTrue(tunnelled.get() > REQUESTS / 50, "only " + tunnelled + " tunnels: the test tests too little");
        before.assertNone();
    }

    /** After a damaged response the client gets a valid head or 502, and the connection ends. */
    @Test
    void survivesDamagedAnswers() throws Exception {
        EgressLeftovers before = EgressLeftovers.now();
        Random random = Fuzz.random(20261117);
        List<String> seeds = List.of(
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nA: b\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nConnection: X-A\r\nX-A: 1\r\n\r\n",
                "HTTP/1.0 404 Not Found\r\nLocation: /x\r\n\r\ngone");
        try (EgressTestServer web = new EgressTestServer(socket -> {
            int seed = Integer.parseInt(
                    EgressTestServer.readHead(socket.getInputStream()).replaceFirst("(?s)GET /(\\d+) .*", "$1"));
            String answer = damaged(seeds.get(seed % seeds.size()), new Random(seed));
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        })) {
            Path socket = folder.resolve("answers.sock");
            String target = "web.test:" + web.port();
            EgressPolicy policy = EgressPolicy.only(List.of()).trusting(List.of(target));
            try (EgressProxy proxy = EgressProxy.listen(socket, policy, EgressFuzzIT::resolve, ProxyLimits.STANDARD)) {
                for (int i = 0; i < REQUESTS / 2; i++) {
                    int seed = random.nextInt(1 << 30);
                    String answer = ask(socket, "GET http://" + target + "/" + seed + " HTTP/1.1\r\n\r\n");
                    String head = answer.substring(0, answer.indexOf("\r\n\r\n") + 4);
                    assertTrue(head.matches("(?s)HTTP/1\\.[01] [1-5]\\d\\d.*"), answer);
                    assertTrue(CLEAN_HEAD.matcher(head).matches(), answer);
                }
                assertEquals(List.of(), proxy.refused());
            }
        }
        before.assertNone();
    }

    private static List<String> seeds(String web, String echo) {
        return List.of(
                "CONNECT " + echo + " HTTP/1.1\r\nHost: " + echo + "\r\n\r\n"
                        + new String(EgressTestHello.named("echo.test"), StandardCharsets.ISO_8859_1) + "hello",
                "GET http://" + web + "/a?b=c HTTP/1.1\r\nHost: " + web + "\r\nAccept: */*\r\n\r\n",
                "POST http://" + web + "/ HTTP/1.1\r\nContent-Length: 5\r\nA: b\r\n\r\nhello",
                "POST http://" + web
                        + "/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n3;x=y\r\nabc\r\n0\r\n\r\n",
                "PUT http://" + web + "/ HTTP/1.0\r\nConnection: x-a, close\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nhi");
    }

    private static String damaged(String seed, Random random) {
        StringBuilder text = new StringBuilder(seed);
        for (int i = random.nextInt(4); i >= 0; i--) {
            int start = random.nextInt(text.length() + 1);
            int end = Math.min(text.length(), start + 1 + random.nextInt(8));
            switch (random.nextInt(5)) {
                case 0 -> text.insert(start, PIECES.get(random.nextInt(PIECES.size())));
                case 1 -> text.delete(start, end);
                case 2 -> text.insert(end, text.substring(start, end));
                case 3 -> text.insert(start, (char) random.nextInt(256));
                default -> text.setLength(random.nextInt(20) == 0 ? start : text.length());
            }
        }
        return text.toString();
    }

    private static String ask(Path socket, String request) throws IOException {
        try (EgressTestClient client = new EgressTestClient(socket)) {
            return client.send(request).endInput().readAll();
        }
    }

    /** Reads strictly, and records everything that two servers could interpret differently. */
    private void serve(Socket socket) throws IOException {
        PushbackInputStream in = new PushbackInputStream(socket.getInputStream());
        int first = in.read();
        if (first < 0) {
            return;
        }
        in.unread(first);
        String head = EgressTestServer.readHead(in);
        forwarded.incrementAndGet();
        Matcher delimiter = DELIMITER.matcher(head);
        boolean delimited = delimiter.find();
        String value = delimited ? delimiter.group(2).strip() : "0";
        if (!CLEAN_HEAD.matcher(head).matches()
                || head.split("(?i)\r\nhost:", -1).length != 2
                || !head.contains("\r\nHost: web.test:" + socket.getLocalPort() + "\r\n")
                || delimiter.find()) {
            complaints.add(head);
        }
        if (value.equalsIgnoreCase("chunked")) {
            skipChunks(in);
        } else {
            in.readNBytes((int) Math.min(Long.parseLong(value), 1_000_000));
        }
        socket.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        byte[] more = in.readAllBytes();
        if (more.length > 0) {
            complaints.add(head + "followed by " + new String(more, StandardCharsets.ISO_8859_1));
        }
    }

    /** Checks that the data of a tunnel begins with TLS for its host. */
    private void serveTls(Socket socket) throws IOException {
        PushbackInputStream in = new PushbackInputStream(socket.getInputStream());
        int first = in.read();
        if (first < 0) {
            return;
        }
        in.unread(first);
        tunnelled.incrementAndGet();
        try {
            ClientHello hello = ClientHello.read(new MessageSource(Channels.newChannel(in)));
            if (!hello.serverName().orElse("echo.test").equalsIgnoreCase("echo.test")) {
                complaints.add("TLS for " + hello.serverName());
            }
        } catch (IOException e) {
            complaints.add("a tunnel without TLS: " + e);
        }
    }

    private static void skipChunks(InputStream in) throws IOException {
        for (long size = Long.parseLong(line(in), 16); size > 0; size = Long.parseLong(line(in), 16)) {
            in.readNBytes((int) Math.min(size, 1_000_000));
            line(in);
        }
        line(in);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("cut off");
            }
            line.append((char) b);
        }
        return line.toString().strip();
    }

    private static List<InetAddress> resolve(String name) throws UnknownHostException {
        if (name.equals("web.test") || name.equals("echo.test")) {
            return List.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        }
        throw new UnknownHostException(name);
    }
}
