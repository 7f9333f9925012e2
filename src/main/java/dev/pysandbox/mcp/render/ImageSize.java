package dev.pysandbox.mcp.render;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The width and height in the headers of an image. Nothing is decoded, so a decompression bomb costs nothing.
 */
record ImageSize(int width, int height) {

    /** Checks the content, because some clients end the conversation when a file with an image type is not an image. */
    static Optional<ImageSize> of(String mimeType, byte[] content) {
        try {
            Optional<ImageSize> found = switch (mimeType) {
                case "image/png" -> png(content);
                case "image/jpeg" -> jpeg(content);
                case "image/gif" -> gif(content);
                case "image/webp" -> webp(content);
                default -> Optional.empty();
            };
            return found.filter(size -> size.width > 0 && size.height > 0);
        } catch (IndexOutOfBoundsException e) { // truncated
            return Optional.empty();
        }
    }

    long pixels() {
        return (long) width * height;
    }

    int longerSide() {
        return Math.max(width, height);
    }

    private static Optional<ImageSize> png(byte[] content) {
        ByteBuffer data = ByteBuffer.wrap(content);
        return startsWith(content, 0, "\u0089PNG\r\n\u001a\n") && startsWith(content, 12, "IHDR")
                ? Optional.of(new ImageSize(data.getInt(16), data.getInt(20)))
                : Optional.empty();
    }

    private static Optional<ImageSize> gif(byte[] content) {
        ByteBuffer data = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        return startsWith(content, 0, "GIF8")
                ? Optional.of(new ImageSize(data.getShort(6) & 0xffff, data.getShort(8) & 0xffff))
                : Optional.empty();
    }

    /** Reads the size from the frame header, which follows any number of segments. */
    private static Optional<ImageSize> jpeg(byte[] content) {
        ByteBuffer data = ByteBuffer.wrap(content);
        if (!startsWith(content, 0, "\u00ff\u00d8\u00ff")) {
            return Optional.empty();
        }
        int at = 2;
        while ((content[at] & 0xff) == 0xff) {
            int marker = content[at + 1] & 0xff;
            if (isFrame(marker)) {
                return Optional.of(new ImageSize(data.getShort(at + 7) & 0xffff, data.getShort(at + 5) & 0xffff));
            }
            at += marker == 0xff ? 1 : 2 + (data.getShort(at + 2) & 0xffff);
        }
        return Optional.empty();
    }

    /** Whether a JPEG's marker starts a frame header. */
    static boolean isFrame(int marker) {
        return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    }

    private static Optional<ImageSize> webp(byte[] content) {
        ByteBuffer data = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        if (!startsWith(content, 0, "RIFF") || !startsWith(content, 8, "WEBP")) {
            return Optional.empty();
        }
        return switch (text(content, 12, 4)) {
            case "VP8 " -> Optional.of(new ImageSize(data.getShort(26) & 0x3fff, data.getShort(28) & 0x3fff));
            case "VP8L" -> {
                int bits = data.getInt(21);
                yield Optional.of(new ImageSize((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1));
            }
            case "VP8X" -> Optional.of(new ImageSize((data.getInt(24) & 0xffffff) + 1, (data.getInt(26) >>> 8) + 1));
            default -> Optional.empty();
        };
    }

    private static boolean startsWith(byte[] content, int at, String magic) {
        return content.length >= at + magic.length()
                && text(content, at, magic.length()).equals(magic);
    }

    private static String text(byte[] content, int at, int length) {
        return new String(content, at, length, StandardCharsets.ISO_8859_1);
    }
}
