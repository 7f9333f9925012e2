package dev.pysandbox.egress;

import dev.pysandbox.egress.address.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A client on the proxy's socket, like the supervisor inside a sandbox. */
final class EgressTestClient implements AutoCloseable {
    private final SocketChannel channel;

    EgressTestClient(Path socket) throws IOException {
        channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    }

    /** Sends a request and returns the whole response until the end of the connection. */
    static String ask(Path socket, String request) throws IOException {
        try (EgressTestClient client = new EgressTestClient(socket)) {
            return client.send(request).readAll();
        }
    }

    /** Opens a tunnel to a target and begins TLS in it. */
    static EgressTestClient connect(Path socket, String target) throws IOException {
        return open(socket, target)
                .send(ByteBuffer.wrap(
                        EgressTestHello.named(Target.parse(target).host().text())));
    }

    /** Opens a tunnel to a target and sends nothing. */
    static EgressTestClient open(Path socket, String target) throws IOException {
        EgressTestClient client = new EgressTestClient(socket);
        String head = client.send("CONNECT " + target + " HTTP/1.1\r\n\r\n").readHead();
        if (!head.startsWith("HTTP/1.1 200 ")) {
            client.close();
            throw new IOException(head);
        }
        return client;
    }

    SocketChannel channel() {
        return channel;
    }

    EgressTestClient send(String text) throws IOException {
        return send(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    EgressTestClient send(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        return this;
    }

    EgressTestClient endInput() throws IOException {
        channel.shutdownOutput();
        return this;
    }

    String readHead() throws IOException {
        StringBuilder head = new StringBuilder();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (head.indexOf("\r\n\r\n") < 0 && channel.read(one.clear()) > 0) {
            head.append((char) (one.get(0) & 0xff));
        }
        return head.toString();
    }

    String readAll() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
        while (channel.read(buffer.clear()) >= 0) {
            all.write(buffer.array(), 0, buffer.position());
        }
        return all.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
