package dev.pysandbox.egress;

import dev.pysandbox.egress.http.MessageSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;

/** Creates valid and invalid ClientHello messages of TLS. */
final class EgressTestHello {
    private static final int KEY_SHARE = 51;
    private static final int GREASE = 0x3a3a;

    private EgressTestHello() {}

    /** Returns a normal message in one record. */
    static byte[] named(String host) {
        return records(message(extensions(grease(), serverName(host))), 1 << 14);
    }

    static byte[] withoutName() {
        return records(message(extensions(grease())), 1 << 14);
    }

    /** Returns a message with a key share of a given size before the name, split into records. */
    static byte[] large(String host, int keyShare, int recordSize) {
        return records(message(extensions(extension(KEY_SHARE, new byte[keyShare]), serverName(host))), recordSize);
    }

    static byte[] grease() {
        return extension(GREASE, new byte[0]);
    }

    static byte[] serverName(String host) {
        byte[] name = host.getBytes(StandardCharsets.UTF_8);
        return extension(0, vector(join(new byte[] {0}, vector(name))));
    }

    static byte[] extension(int type, byte[] content) {
        return join(new byte[] {(byte) (type >> 8), (byte) type}, vector(content));
    }

    static byte[] extensions(byte[]... extensions) {
        return vector(join(extensions));
    }

    /** Returns the handshake message with these extensions. */
    static byte[] message(byte[] extensions) {
        byte[] body = join(
                new byte[] {3, 3},
                new byte[32],
                new byte[] {32},
                new byte[32],
                vector(new byte[] {0x13, 1}),
                new byte[] {1, 0},
                extensions);
        return join(new byte[] {1, (byte) (body.length >> 16), (byte) (body.length >> 8), (byte) body.length}, body);
    }

    static byte[] records(byte[] message, int size) {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int at = 0; at < message.length; at += size) {
            int length = Math.min(size, message.length - at);
            records.writeBytes(new byte[] {22, 3, 1, (byte) (length >> 8), (byte) length});
            records.write(message, at, length);
        }
        return records.toByteArray();
    }

    private static byte[] vector(byte[] content) {
        return join(new byte[] {(byte) (content.length >> 8), (byte) content.length}, content);
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    static ClientHello read(byte[] bytes) throws IOException {
        return ClientHello.read(new MessageSource(Channels.newChannel(new ByteArrayInputStream(bytes))));
    }

    /** Reads one record. */
    static ByteBuffer skip(InputStream in) {
        try {
            byte[] header = in.readNBytes(5);
            if (header.length < 5) {
                throw new IOException("no record");
            }
            return ByteBuffer.wrap(in.readNBytes((header[3] & 0xff) << 8 | (header[4] & 0xff)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
