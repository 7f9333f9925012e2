package dev.pysandbox.mcp.render;

import dev.pysandbox.api.ProducedFile;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a file of a script is shown: a short text or an image as part of the result, other files by name.
 *
 * @param note why an image is not shown, or not in its original size
 */
public record FileView(ProducedFile file, Optional<String> text, Optional<Picture> picture, Optional<String> note) {

    private static final int LONGEST_NAME = 300;

    /** Returns the URI of a kept file that the result does not show completely. */
    public Optional<String> uri() {
        boolean whole = text.isPresent() || (picture.isPresent() && note.isEmpty());
        return whole ? Optional.empty() : file.kept().map(FileView::uri);
    }

    public static String uri(Path path) {
        return path.toUri().toString();
    }

    /** Returns the file's name as one line; the middle of a very long name is cut out. */
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
