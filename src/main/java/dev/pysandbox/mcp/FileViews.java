package dev.pysandbox.mcp;

import dev.pysandbox.run.ProducedFile;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Which of the files that a script made are shown whole: a few images, and short texts. */
final class FileViews {
    private static final int MAX_IMAGES = 8;
    private static final int MAX_IMAGE_BYTES = 4 << 20;
    private static final int MAX_TEXT_BYTES = 4 << 10;

    private FileViews() {}

    static List<ProducedFile> images(List<ProducedFile> files) {
        return files.stream().filter(FileViews::isImage).limit(MAX_IMAGES).toList();
    }

    /** Goes by the content too: a client that passes a false image on to its model ends the conversation with it. */
    private static boolean isImage(ProducedFile file) {
        byte[] content = file.content();
        if (content.length != file.size() || content.length > MAX_IMAGE_BYTES) {
            return false;
        }
        return switch (file.mimeType()) {
            case "image/png" -> startsWith(content, 0, "\u0089PNG\r\n\u001a\n");
            case "image/jpeg" -> startsWith(content, 0, "\u00ff\u00d8\u00ff");
            case "image/gif" -> startsWith(content, 0, "GIF8");
            case "image/webp" -> startsWith(content, 0, "RIFF") && startsWith(content, 8, "WEBP");
            default -> false;
        };
    }

    private static boolean startsWith(byte[] content, int at, String magic) {
        int end = at + magic.length();
        return content.length >= end
                && new String(content, at, magic.length(), StandardCharsets.ISO_8859_1).equals(magic);
    }

    /** The whole text of a short text file. */
    static Optional<String> text(ProducedFile file) {
        byte[] content = file.content();
        if (content.length != file.size() || content.length == 0 || content.length > MAX_TEXT_BYTES) {
            return Optional.empty();
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
            return text.indexOf('\0') < 0 ? Optional.of(VisibleText.of(text)) : Optional.empty();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
