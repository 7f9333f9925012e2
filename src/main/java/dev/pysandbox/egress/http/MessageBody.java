package dev.pysandbox.egress.http;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the content of an HTTP message is delimited; {@code length} is used only for {@code FIXED}. */
public record MessageBody(Kind kind, long length) {
    private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");
    private static final Pattern CHUNK_SIZE = Pattern.compile("([0-9A-Fa-f]{1,15})[ \\t]*(;.*)?");
    private static final int MAX_CHUNK_LINE = 4096;
    private static final int MAX_TRAILER_LINES = 64;

    public enum Kind {
        FIXED,
        CHUNKED,
        UNTIL_CLOSE
    }

    public static final MessageBody NONE = new MessageBody(Kind.FIXED, 0);

    /** Reads the fields that delimit the content; returns {@code otherwise} if there are none. */
    public static MessageBody of(MessageHead head, MessageBody otherwise) throws ProtocolException {
        List<String> encodings = head.values("transfer-encoding");
        List<String> lengths = head.values("content-length");
        if (encodings.size() + lengths.size() > 1) {
            throw new ProtocolException("more than one Content-Length or Transfer-Encoding");
        }
        if (!encodings.isEmpty()) {
            if (!encodings.get(0).equalsIgnoreCase("chunked")) {
                throw new ProtocolException("a Transfer-Encoding other than chunked");
            }
            return new MessageBody(Kind.CHUNKED, 0);
        }
        if (lengths.isEmpty()) {
            return otherwise;
        }
        if (!LENGTH.matcher(lengths.get(0)).matches()) {
            throw new ProtocolException("a Content-Length that is not a number of bytes");
        }
        return new MessageBody(Kind.FIXED, Long.parseLong(lengths.get(0)));
    }

    public void copy(MessageSource from, WritableByteChannel to) throws IOException {
        switch (kind) {
            case FIXED -> from.copy(length, to);
            case CHUNKED -> copyChunks(from, to);
            case UNTIL_CLOSE -> from.copyAll(to);
        }
    }

    /** Writes new chunks without extensions and trailers, so that both ends read the same. */
    private static void copyChunks(MessageSource from, WritableByteChannel to) throws IOException {
        for (long size = chunkSize(from); size > 0; size = chunkSize(from)) {
            MessageSource.write(Long.toHexString(size) + "\r\n", to);
            from.copy(size, to);
            if (!from.readLine(0).isEmpty()) {
                throw new ProtocolException("a chunk is longer than its size");
            }
            MessageSource.write("\r\n", to);
        }
        int lines = 0;
        while (!from.readLine(MAX_CHUNK_LINE).isEmpty()) {
            if (++lines > MAX_TRAILER_LINES) {
                throw new ProtocolException("too many trailer fields");
            }
        }
        MessageSource.write("0\r\n\r\n", to);
    }

    private static long chunkSize(MessageSource from) throws IOException {
        Matcher matcher = CHUNK_SIZE.matcher(from.readLine(MAX_CHUNK_LINE));
        if (!matcher.matches()) {
            throw new ProtocolException("a chunk without a size");
        }
        return Long.parseLong(matcher.group(1), 16);
    }
}
