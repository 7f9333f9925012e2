package dev.pysandbox.egress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.Fuzz;
import dev.pysandbox.egress.address.HostName;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientHelloTest {
    @Test
    void readsTheNameAndKeepsTheBytes() throws IOException {
        byte[] bytes = EgressTestHello.named("example.org");
        ClientHello hello = EgressTestHello.read(EgressTestHello.join(bytes, "more".getBytes(StandardCharsets.UTF_8)));
        assertEquals(Optional.of("example.org"), hello.serverName());
        assertArrayEquals(bytes, hello.bytes().array());
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void readsWhatARealClientSends(String version) throws IOException, GeneralSecurityException {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine("example.org", 443);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {version});
        parameters.setServerNames(List.of(new SNIHostName("example.org")));
        engine.setSSLParameters(parameters);
        ByteBuffer bytes = ByteBuffer.allocate(1 << 15);
        engine.wrap(ByteBuffer.allocate(0), bytes);
        ClientHello hello = EgressTestHello.read(Arrays.copyOf(bytes.array(), bytes.position()));
        assertEquals(Optional.of("example.org"), hello.serverName());
        assertEquals(bytes.position(), hello.bytes().remaining());
    }

    @ParameterizedTest
    @CsvSource({"0, 16384", "4000, 16384", "20000, 16384", "20000, 1000", "100, 1", "30000, 16384"})
    void readsLargeOnesInSeveralRecords(int keyShare, int recordSize) throws IOException {
        byte[] bytes = EgressTestHello.large("example.org", keyShare, recordSize);
        ClientHello hello = EgressTestHello.read(bytes);
        assertEquals(Optional.of("example.org"), hello.serverName());
        assertArrayEquals(bytes, hello.bytes().array());
    }

    @ParameterizedTest
    @CsvSource({"40000, 16384", "10000, 1"})
    void refusesWhatIsTooLarge(int keyShare, int recordSize) {
        byte[] bytes = EgressTestHello.large("example.org", keyShare, recordSize);
        assertThrows(ProtocolException.class, () -> EgressTestHello.read(bytes));
    }

    @ParameterizedTest
    @CsvSource({
        "example.org, example.org, true",
        "EXAMPLE.org., example.org, true",
        "example.org, www.example.org, false",
        "www.example.org, example.org, false",
        "evil.example, example.org, false",
        "1.1.1.1, 1.1.1.1, true",
        "2606:4700::1, [2606:4700:0::1], true",
        "example.org, 1.1.1.1, false",
        "1.1.1.1, example.org, false",
        "'', example.org, false",
        "'example.org ', example.org, false",
        "bücher.example, bücher.example, false",
        "xn--bcher-kva.example, bücher.example, true",
    })
    void comparesTheName(String name, String host, boolean same) throws IOException {
        ClientHello hello = EgressTestHello.read(EgressTestHello.named(name));
        assertEquals(same, hello.isFor(HostName.parse(host)));
    }

    @Test
    void acceptsAMessageWithoutAName() throws IOException {
        assertTrue(EgressTestHello.read(EgressTestHello.withoutName()).isFor(HostName.parse("example.org")));
        byte[] old = EgressTestHello.records(EgressTestHello.message(new byte[0]), 1 << 14);
        assertEquals(Optional.empty(), EgressTestHello.read(old).serverName());
    }

    @Test
    void refusesSeveralNames() {
        byte[] twice = EgressTestHello.extensions(
                EgressTestHello.serverName("example.org"), EgressTestHello.serverName("example.org"));
        byte[] empty = EgressTestHello.extensions(EgressTestHello.extension(0, new byte[0]));
        byte[] list =
                EgressTestHello.extensions(EgressTestHello.extension(0, new byte[] {0, 8, 0, 0, 1, 'a', 0, 0, 1, 'b'}));
        byte[] tail = EgressTestHello.extensions(EgressTestHello.extension(0, new byte[] {0, 4, 0, 0, 1, 'a', 9}));
        byte[] otherType = EgressTestHello.extensions(EgressTestHello.extension(0, new byte[] {0, 4, 1, 0, 1, 'a'}));
        for (byte[] extensions : List.of(twice, empty, list, tail, otherType)) {
            byte[] bytes = EgressTestHello.records(EgressTestHello.message(extensions), 1 << 14);
            assertThrows(ProtocolException.class, () -> EgressTestHello.read(bytes));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n", "EHLO x\r\n", "\u0016SSH", "\u0016\u0003\u0001\0\0x"})
    void refusesOtherProtocols(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        assertThrows(IOException.class, () -> EgressTestHello.read(bytes));
    }

    @Test
    void refusesOtherMessagesAndMoreThanOne() {
        byte[] message = EgressTestHello.message(new byte[0]);
        byte[] two = EgressTestHello.records(EgressTestHello.join(message, message), 1 << 14);
        assertThrows(ProtocolException.class, () -> EgressTestHello.read(two));
        message[0] = 2;
        byte[] other = EgressTestHello.records(message, 1 << 14);
        assertThrows(ProtocolException.class, () -> EgressTestHello.read(other));
    }

    /** If the proxy accepts a damaged hello for a host, the JDK's server reads no other name in it. */
    @Test
    void readsDamagedMessagesAsTheJdkDoes() throws Exception {
        Random random = Fuzz.random(14);
        int taken = 0;
        for (int i = 0; i < Fuzz.rounds(1_500); i++) {
            byte[] bytes = EgressTestHello.large("example.org", random.nextInt(100), 1 + random.nextInt(400));
            for (int flips = random.nextInt(3); flips >= 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            byte[] sent = random.nextInt(4) > 0 ? bytes : Arrays.copyOf(bytes, random.nextInt(bytes.length));
            try {
                ClientHello hello = EgressTestHello.read(sent);
                assertArrayEquals(
                        Arrays.copyOf(sent, hello.bytes().remaining()),
                        hello.bytes().array());
                if (hello.isFor(HostName.parse("example.org"))) {
                    taken++;
                    Set<String> others = namesReadByJdk(sent);
                    others.removeIf("example.org"::equalsIgnoreCase);
                    assertEquals(Set.of(), others);
                }
            } catch (ProtocolException | EOFException e) {
                // Refused.
            }
        }
        assertTrue(taken > 150, taken + " were taken: the test tests too little");
    }

    private static Set<String> namesReadByJdk(byte[] bytes) throws GeneralSecurityException {
        Set<String> names = new HashSet<>();
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setSNIMatchers(List.of(new SNIMatcher(0) {
            @Override
            public boolean matches(SNIServerName name) {
                return names.add(new String(name.getEncoded(), StandardCharsets.ISO_8859_1));
            }
        }));
        engine.setSSLParameters(parameters);
        ByteBuffer input = ByteBuffer.wrap(bytes);
        ByteBuffer output = ByteBuffer.allocate(1 << 16);
        try {
            while (input.hasRemaining() && engine.unwrap(input, output).bytesConsumed() > 0) {
                for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
            }
        } catch (SSLException e) {
            // The server has no certificate, or refuses the rest.
        }
        return names;
    }
}
