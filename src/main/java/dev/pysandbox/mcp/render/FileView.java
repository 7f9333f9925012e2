package dev.pysandbox.mcp.render;

import dev.pysandbox.api.ProducedFile;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a file that a script made is shown: a short text or an image along with the result, others by their name.
 *
 * @param note why an image is not shown as it is
 */
public record FileView(ProducedFile file, Optional<String> text, Optional<Picture> picture, Optional<String> note) {

    private static final int LONGEST_NAME = 300;

    /** Where a client can read what the result does not show whole. */
    public Optional<String> uri() {
        boolean whole = text.isPresent() || (picture.isPresent() && note.isEmpty());
        return whole ? Optional.empty() : file.kept().map(FileView::uri);
    }

    public static String uri(Path path) {
        return path.toUri().toString();
    }

    /** The file's name in one line; of a very long one the beginning and the end. */
    public String name() {
        return shown(file.name());
    }

    public static String shown(String name) {
        String line = VisibleText.line(name);
        return line.length() <= LONGEST_NAME
                ? line
                : line.substring(0, LONGEST_NAME / 2) + "…" + line.substring(line.length() - LONGEST_NAME / 2);
    }
}
