package dev.pysandbox.egress;

import dev.pysandbox.egress.address.HostName;
import dev.pysandbox.egress.http.MessageSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The first message of a TLS client (RFC 8446, section 4.1.2), parsed as far as the proxy needs it.
 *
 * @param bytes everything that was read, to be forwarded
 * @param serverName the name in its server_name extension
 */
record ClientHello(ByteBuffer bytes, Optional<String> serverName) {
    static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int MESSAGE_HEADER = 4;
    private static final int MAX_RECORD = 1 << 14;
    /** Key shares for several post-quantum groups and a large session ticket need a quarter of this. */
    private static final int MAX_HELLO = 32 * 1024;

    private static final int VERSION_AND_RANDOM = 2 + 32;
    private static final int SERVER_NAME = 0;
    private static final int HOST_NAME = 0;

    /**
     * Reads a whole ClientHello, which may span several records.
     *
     * @throws ProtocolException if the client sends anything else
     */
    static ClientHello read(MessageSource source) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        int length = MESSAGE_HEADER;
        while (message.size() < length) {
            byte[] record = readRecord(source, all);
            message.writeBytes(record);
            if (message.size() >= MESSAGE_HEADER) {
                length = MESSAGE_HEADER + messageLength(message.toByteArray());
            }
            if (all.size() > MAX_HELLO) {
                throw new ProtocolException("a ClientHello that is too long");
            }
        }
        if (message.size() > length) {
            throw new ProtocolException("more than a ClientHello");
        }
        try {
            return new ClientHello(
                    ByteBuffer.wrap(all.toByteArray()), serverName(ByteBuffer.wrap(message.toByteArray())));
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new ProtocolException("a broken ClientHello");
        }
    }

    private static byte[] readRecord(MessageSource source, ByteArrayOutputStream all) throws IOException {
        int type = source.read();
        if (type != HANDSHAKE) {
            throw new ProtocolException("no TLS");
        }
        int major = source.read();
        int minor = source.read();
        int length = source.read() << 8 | source.read();
        if (major != 3 || length < 1 || length > MAX_RECORD) {
            throw new ProtocolException("no TLS");
        }
        byte[] record = source.readBytes(length);
        all.writeBytes(new byte[] {(byte) type, (byte) major, (byte) minor, (byte) (length >> 8), (byte) length});
        all.writeBytes(record);
        return record;
    }

    private static int messageLength(byte[] message) throws ProtocolException {
        if (message[0] != CLIENT_HELLO) {
            throw new ProtocolException("no ClientHello");
        }
        int length = (message[1] & 0xff) << 16 | (message[2] & 0xff) << 8 | (message[3] & 0xff);
        if (length > MAX_HELLO) {
            throw new ProtocolException("a ClientHello that is too long");
        }
        return length;
    }

    private static Optional<String> serverName(ByteBuffer message) throws ProtocolException {
        skip(message, MESSAGE_HEADER + VERSION_AND_RANDOM);
        skip(message, message.get() & 0xff); // session
        skip(message, message.getShort() & 0xffff); // cipher suites
        skip(message, message.get() & 0xff); // compression methods
        if (!message.hasRemaining()) {
            return Optional.empty();
        }
        ByteBuffer extensions = vector(message);
        if (message.hasRemaining()) {
            throw new ProtocolException("a broken ClientHello");
        }
        Optional<String> name = Optional.empty();
        while (extensions.hasRemaining()) {
            int type = extensions.getShort() & 0xffff;
            ByteBuffer content = vector(extensions);
            if (type == SERVER_NAME) {
                if (name.isPresent()) {
                    throw new ProtocolException("a ClientHello with two server names");
                }
                name = Optional.of(hostName(content));
            }
        }
        return name;
    }

    private static String hostName(ByteBuffer extension) throws ProtocolException {
        ByteBuffer names = vector(extension);
        int type = names.get();
        ByteBuffer name = vector(names);
        if (type != HOST_NAME || names.hasRemaining() || extension.hasRemaining()) {
            throw new ProtocolException("a ClientHello with other than one server name");
        }
        return StandardCharsets.ISO_8859_1.decode(name).toString();
    }

    /** Reads a length of 16 bits and returns that many bytes. */
    private static ByteBuffer vector(ByteBuffer from) {
        int length = from.getShort() & 0xffff;
        ByteBuffer content = from.slice().limit(length);
        skip(from, length);
        return content;
    }

    private static void skip(ByteBuffer from, int count) {
        from.position(from.position() + count);
    }

    /** Whether this message is valid after a CONNECT to the host. */
    boolean isFor(HostName host) {
        return serverName.isEmpty() || isSame(serverName.get(), host);
    }

    private static boolean isSame(String name, HostName host) {
        try {
            return HostName.parse(name.contains(":") ? "[" + name + "]" : name).equals(host);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
