package dev.pysandbox.mcp.render;

import dev.pysandbox.api.ProducedFile;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a file of a script is shown: a short text or an image as part of the result, another small file as an attachment,
 * other files by name.
 *
 * @param attached whether the whole content is part of the result as an embedded resource
 * @param note why an image is not shown, or not in its original size
 */
public record FileView(
        ProducedFile file, Optional<String> text, Optional<Picture> picture, boolean attached, Optional<String> note) {

    private static final int LONGEST_NAME = 300;

    /**
     * Returns the content of an attached file as text, if it has no hidden characters. Others are sent as bytes: the
     * content stays exact, and no text looks different from what it is.
     */
    public Optional<String> attachedText() {
        return FileViews.decoded(file.content()).filter(content -> {
            String lines = content.replace("\r\n", "\n");
            return VisibleText.of(lines).equals(lines);
        });
    }

    /** Returns the URI of a kept file. */
    public Optional<String> uri() {
        return file.kept().map(FileView::uri);
    }

    /** Returns the URI of a kept file that the result does not show completely. */
    public Optional<String> link() {
        return isComplete() ? Optional.empty() : uri();
    }

    /** Returns whether nothing of the file remains after this result: it is neither in the result nor kept. */
    boolean isLost() {
        return file.size() > 0
                && text.isEmpty()
                && picture.isEmpty()
                && !attached
                && file.kept().isEmpty();
    }

    private boolean isComplete() {
        return text.isPresent() || attached || (picture.isPresent() && note.isEmpty());
    }

    /** Returns the remarks for the list of files: why an image is not shown, whether the file is attached or lost. */
    Optional<String> remark() {
        Optional<String> fate =
                attached ? Optional.of("attached") : isLost() ? Optional.of("not kept") : Optional.empty();
        return note.map(words -> words + fate.map(word -> ", " + word).orElse(""))
                .or(() -> fate);
    }

    /** Returns a URI that names the file in its sandbox, which no longer exists. */
    public String sandboxUri() {
        String name = file.name();
        try {
            return new URI("sandbox", null, name.startsWith("/") ? name : "/" + name, null).toASCIIString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e); // does not happen: a path may contain any character
        }
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
