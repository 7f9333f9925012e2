package dev.pysandbox.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.Fuzz;
import dev.pysandbox.egress.http.MessageBody;
import dev.pysandbox.egress.http.MessageHead;
import dev.pysandbox.egress.http.MessageSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ProxyRequestTest {
    private static final String GET = "GET http://example.org/ HTTP/1.1\r\n";
    private static final String POST = "POST http://example.org/ HTTP/1.1\r\n";

    @Test
    void readsConnect() throws IOException {
        ProxyRequest request = parse("CONNECT Example.org:443 HTTP/1.1\r\nHost: other:1\r\n\r\n");
        assertTrue(request.isConnect());
        assertEquals("example.org:443", request.target().toString());
    }

    @Test
    void forwardsInOriginFormWithItsOwnHostAndWithoutHopByHopFields() throws IOException {
        ProxyRequest request = parse(crlf("""
                GET http://Example.org:8080/a?b=c HTTP/1.1
                Host: evil.example
                Accept: */*
                Connection: x-private, keep-alive
                X-Private: 1
                Keep-Alive: 5
                Proxy-Authorization: Basic x
                Proxy-Connection: keep-alive
                TE: trailers
                Trailer: x
                Upgrade: h2c
                Max-Forwards: 0
                X-Empty:

                """));
        assertFalse(request.isConnect());
        assertEquals(crlf("""
                GET /a?b=c HTTP/1.1
                Host: example.org:8080
                Accept: */*
                X-Empty:\s
                Connection: close

                """), request.forOrigin());
    }

    @Test
    void sendsAnUpstreamTheAbsoluteFormAndItsCredentials() throws IOException {
        UpstreamProxy upstream = new UpstreamProxy("proxy", 3128, Optional.of("u:p"), List.of());
        assertEquals(
                crlf("""
                GET http://example.org/ HTTP/1.1
                Host: example.org
                Proxy-Authorization: Basic dTpw
                Connection: close

                """),
                parse(GET + "Proxy-Authorization: Basic mine\r\n\r\n").forUpstream(upstream));
    }

    @ParameterizedTest
    @CsvSource({
        "http://example.org, example.org:80, /",
        "HTTP://example.org/, example.org:80, /",
        "http://example.org?q, example.org:80, /?q",
        "http://example.org/a//b/../c, example.org:80, /a//b/../c",
        "http://[2606::1]:81/x, [2606::1]:81, /x",
        "http://127.0.0.1/, 127.0.0.1:80, /",
        "http://example.org/@x:1, example.org:80, /@x:1",
    })
    void readsAbsoluteUris(String uri, String target, String path) throws IOException {
        ProxyRequest request = parse("GET " + uri + " HTTP/1.1\r\n\r\n");
        assertEquals(target, request.target().toString());
        assertEquals(path, request.path());
    }

    @Test
    void readsNamesBeyondAsciiAsUtf8() throws IOException {
        assertEquals(
                "xn--bcher-kva.example:443",
                parse("CONNECT bücher.example:443 HTTP/1.1\r\n\r\n").target().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n",
                "GET\r\n",
                "GET / HTTP/1.1\r\n",
                "GET * HTTP/1.1\r\n",
                "GET example.org/ HTTP/1.1\r\n",
                "GET https://example.org/ HTTP/1.1\r\n",
                "GET ftp://example.org/ HTTP/1.1\r\n",
                "GET http:///x HTTP/1.1\r\n",
                "GET http://user@example.org/ HTTP/1.1\r\n",
                "GET http://example.org/#f HTTP/1.1\r\n",
                "GET http://example.org:0/ HTTP/1.1\r\n",
                "GET http://example.org:/ HTTP/1.1\r\n",
                "GET http://127.1/ HTTP/1.1\r\n",
                "GET http://exa\\mple.org/ HTTP/1.1\r\n",
                "GET http://example.org/a b HTTP/1.1\r\n",
                "GET http://example.org/a\tb HTTP/1.1\r\n",
                "GET http://example.org/a\0b HTTP/1.1\r\n",
                "GET http://example.org/a\u007fb HTTP/1.1\r\n",
                "GET  http://example.org/ HTTP/1.1\r\n",
                "GET http://example.org/  HTTP/1.1\r\n",
                " GET http://example.org/ HTTP/1.1\r\n",
                "GET http://example.org/ HTTP/1.1 \r\n",
                "GET http://example.org/ HTTP/2.0\r\n",
                "GET http://example.org/ HTTP/1.2\r\n",
                "GET http://example.org/ http/1.1\r\n",
                "GET http://example.org/\r\n",
                "G(T http://example.org/ HTTP/1.1\r\n",
                "TRACE http://example.org/ HTTP/1.1\r\n",
                "CONNECT example.org HTTP/1.1\r\n",
                "CONNECT http://example.org/ HTTP/1.1\r\n",
                "CONNECT example.org:443/ HTTP/1.1\r\n",
                "CONNECT 2130706433:443 HTTP/1.1\r\n",
                "CONNECT example.org:443 HTTP/1.1\r\nContent-Length: 5\r\n",
                "CONNECT example.org:443 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n",
                GET + "Host: a\r\nHost: b\r\n",
                GET + "Host : a\r\n",
                GET + "No colon\r\n",
                GET + ": empty\r\n",
                GET + " folded: x\r\n",
                GET + "A: b\r\n\tfolded\r\n",
                GET + "A: b\rc\r\n",
                GET + "A: b\nContent-Length: 5\r\n",
                GET + "A: b\n\n",
                GET + "A: \u0001\r\n",
                GET + "A: \0\r\n",
                GET + "Ä: x\r\n",
                POST + "Content-Length: 5\r\nContent-Length: 6\r\n",
                POST + "Content-Length: 5\r\nContent-Length: 5\r\n",
                POST + "Content-Length: 5, 5\r\n",
                POST + "Content-Length: +5\r\n",
                POST + "Content-Length: -5\r\n",
                POST + "Content-Length: 0x5\r\n",
                POST + "Content-Length: 5 5\r\n",
                POST + "Content-Length:\r\n",
                POST + "Content-Length: 9999999999999999999\r\n",
                POST + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
                POST + "Transfer-Encoding: chunked, chunked\r\n",
                POST + "Transfer-Encoding: gzip, chunked\r\n",
                POST + "Transfer-Encoding: identity\r\n",
                POST + "Transfer-Encoding: xchunked\r\n",
                POST + "Transfer-Encoding:\r\n",
                POST + "transfer-encoding: chunked\r\nTRANSFER-ENCODING: x\r\n",
                "POST http://example.org/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n",
            })
    void refusesAmbiguousRequests(String head) {
        assertThrows(ProtocolException.class, () -> parse(head + "\r\n"));
    }

    @Test
    void keepsTheFieldsThatDelimitEvenWhenConnectionNamesThem() throws IOException {
        ProxyRequest request = parse(POST + "Connection: content-length, host\r\nContent-Length: 3\r\n\r\n");
        assertTrue(request.forOrigin().contains("Content-Length: 3\r\n"), request.forOrigin());
        assertTrue(request.forOrigin().contains("Host: example.org\r\n"), request.forOrigin());
        assertEquals(new MessageBody(MessageBody.Kind.FIXED, 3), request.body());
    }

    /**
     * For any case and number of names in Connection: the fields that delimit the body stay, other named fields are
     * removed.
     */
    @Test
    void readsConnectionWithoutCase() throws IOException {
        Random random = Fuzz.random(7);
        for (int i = 0; i < Fuzz.rounds(2_000); i++) {
            List<String> names = new ArrayList<>(List.of("content-length", "transfer-encoding", "host"));
            for (int more = random.nextInt(6); more > 0; more--) {
                names.add("x-" + random.nextInt(5));
            }
            Collections.shuffle(names, random);
            List<String> named = names.subList(0, random.nextInt(names.size() + 1));
            StringBuilder fields = new StringBuilder();
            for (String name : named) {
                boolean newField = fields.isEmpty() || random.nextInt(3) == 0;
                String end = fields.isEmpty() ? "" : "\r\n";
                fields.append(newField ? end + randomCase("Connection", random) + ":" : ",")
                        .append(" ".repeat(random.nextInt(2)))
                        .append(randomCase(name, random));
            }
            String end = fields.isEmpty() ? "" : "\r\n";
            ProxyRequest request = parse(
                    POST + fields + end + randomCase("Content-Length", random) + ": 3\r\nX-0: a\r\nx-1: b\r\n\r\n");
            String forwarded = request.forOrigin().toLowerCase(Locale.ROOT);
            assertEquals(new MessageBody(MessageBody.Kind.FIXED, 3), request.body());
            assertTrue(forwarded.contains("\r\ncontent-length: 3\r\n"), forwarded);
            assertTrue(forwarded.contains("\r\nhost: example.org\r\n"), forwarded);
            assertTrue(forwarded.endsWith("\r\nconnection: close\r\n\r\n"), forwarded);
            assertEquals(!named.contains("x-0"), forwarded.contains("\r\nx-0: a\r\n"), forwarded);
            assertEquals(!named.contains("x-1"), forwarded.contains("\r\nx-1: b\r\n"), forwarded);
        }
    }

    private static String randomCase(String text, Random random) {
        return text.chars()
                .map(c -> random.nextBoolean() ? Character.toUpperCase(c) : Character.toLowerCase(c))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    @Test
    void boundsTheHeader() throws IOException {
        String fits = GET + "A: " + "x".repeat(900) + "\r\n\r\n";
        parse(fits, 1024);
        assertThrows(ProtocolException.class, () -> parse(fits, 900));
        String many = GET + "A: b\r\n".repeat(200) + "\r\n";
        assertThrows(ProtocolException.class, () -> parse(many, 1024));
    }

    @ParameterizedTest
    @CsvSource({
        "3|abc|0||, 3|abc|0||",
        "3;x=y|abc|0||, 3|abc|0||",
        "003 |abc|00||, 3|abc|0||",
        "1|a|A|0123456789|0|X: y|Content-Length: 5||, 1|a|a|0123456789|0||",
        "0||, 0||",
    })
    void writesChunksAnew(String sent, String passedOn) throws IOException {
        assertEquals(lines(passedOn), copyChunks(lines(sent)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "|",
                "x|",
                "-1|a|0||",
                "+1|a|0||",
                "0x1|a|0||",
                "1000000000000000|",
                "3|abcd|0||",
                "3|ab|0||",
                "3|abc0||",
                " 3|abc|0||",
            })
    void refusesBrokenChunks(String sent) {
        assertThrows(IOException.class, () -> copyChunks(lines(sent)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3\nabc\r\n0\r\n\r\n", "3\r\nabc\n0\r\n\r\n", "3\r\nabc\r\n0\r\n\n", "3\rabc\r\n0\r\n\r\n"})
    void refusesBareLineEndsInChunks(String sent) {
        assertThrows(ProtocolException.class, () -> copyChunks(sent));
    }

    private static String copyChunks(String sent) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new MessageBody(MessageBody.Kind.CHUNKED, 0).copy(source(sent), Channels.newChannel(out));
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String crlf(String text) {
        return text.replace("\n", "\r\n");
    }

    private static String lines(String text) {
        return text.replace("|", "\r\n");
    }

    private static ProxyRequest parse(String text) throws IOException {
        return parse(text, 16 * 1024);
    }

    private static ProxyRequest parse(String text, int maxBytes) throws IOException {
        return ProxyRequest.parse(MessageHead.read(source(text), maxBytes));
    }

    private static MessageSource source(String text) {
        return new MessageSource(Channels.newChannel(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))));
    }
}
