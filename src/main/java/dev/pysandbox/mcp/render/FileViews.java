package dev.pysandbox.mcp.render;

import dev.pysandbox.api.ProducedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides which files of a script are shown as image or text, within limits. */
public final class FileViews {
    private static final int MAX_IMAGES = 8;
    private static final int MAX_IMAGE_BYTES = 2 << 20;
    private static final int MAX_ALL_IMAGE_BYTES = 8 << 20;

    /** In a conversation with many images, model providers refuse all images if one is larger than this. */
    private static final int MAX_SIDE = 2000;

    private static final long MAX_PIXELS = 100_000_000;

    /** The time limit for all images of a result together. */
    private static final Duration LONGEST_READING = Duration.ofSeconds(4);

    private static final int MAX_TEXT_BYTES = 4 << 10;

    /** Enough for a short document. Some clients give a model text as it is, and Base64 at a token for 3 bytes. */
    private static final int MAX_ATTACHED_BYTES = 40 << 10;

    private static final int MAX_ALL_ATTACHED_BYTES = 80 << 10;

    private final boolean attaches;
    private long reading;
    private int images;
    private int imageBytes;
    private int attachedBytes;

    private FileViews(boolean attaches) {
        this.attaches = attaches;
    }

    /**
     * Decides how each file is shown.
     *
     * @param attaches whether the client can receive small files as part of the result
     */
    public static List<FileView> of(List<ProducedFile> files, boolean attaches) {
        FileViews views = new FileViews(attaches);
        return files.stream().map(views::view).toList();
    }

    public static List<FileView> withoutImages(List<ProducedFile> files) {
        return files.stream()
                .map(file -> new FileView(file, text(file), Optional.empty(), false, Optional.empty()))
                .toList();
    }

    private FileView view(ProducedFile file) {
        if (!List.of("image/png", "image/jpeg", "image/gif", "image/webp").contains(file.mimeType())) {
            Optional<String> text = text(file);
            return new FileView(file, text, Optional.empty(), text.isEmpty() && attach(file), Optional.empty());
        }
        if (!file.isWhole()) {
            return refused(file, "too large to be shown");
        }
        return ImageSize.of(file.mimeType(), file.content())
                .map(size -> image(file, size))
                .orElseGet(() -> refused(file, "not a valid image of its type"));
    }

    /** Decides whether to attach a file that is not shown as text: only small files that are not kept. */
    private boolean attach(ProducedFile file) {
        int size = file.content().length;
        boolean fits = attaches
                && size > 0
                && file.isWhole()
                && file.kept().isEmpty()
                && size <= Math.min(MAX_ATTACHED_BYTES, MAX_ALL_ATTACHED_BYTES - attachedBytes);
        attachedBytes += fits ? size : 0;
        return fits;
    }

    private FileView image(ProducedFile file, ImageSize size) {
        if (images == MAX_IMAGES) {
            return refused(file, "not shown: too many images");
        }
        if (size.pixels() > MAX_PIXELS) {
            return refused(file, "not shown: " + size.width() + "x" + size.height() + " pixels are too many");
        }
        if (!ImageCost.of(file.mimeType(), file.content(), size).isAffordable()) {
            return refused(file, "not shown: decoding it would take too long; save a plain PNG or JPEG");
        }
        int room = Math.min(MAX_IMAGE_BYTES, MAX_ALL_IMAGE_BYTES - imageBytes);
        if (file.size() <= room && size.longerSide() <= MAX_SIDE) {
            return shown(file, new Picture(file.mimeType(), file.content()), Optional.empty());
        }
        if (reading >= LONGEST_READING.toNanos()) {
            return refused(file, "not shown: scaling the images before it took too long");
        }
        long start = System.nanoTime();
        try {
            Picture small = ImageShrinker.shrink(file.content(), size, room, LONGEST_READING.minusNanos(reading));
            return shown(file, small, Optional.of(words(size, small)));
        } catch (IOException e) {
            return refused(
                    file,
                    "not shown: larger than " + (MAX_IMAGE_BYTES >> 20) + " MiB or " + MAX_SIDE + " pixels, and "
                            + e.getMessage());
        } finally {
            reading += System.nanoTime() - start;
        }
    }

    private static String words(ImageSize size, Picture small) {
        return "shown smaller"
                + ImageSize.of(small.mimeType(), small.content())
                        .map(now -> ": " + now.width() + "x" + now.height() + " instead of " + size.width() + "x"
                                + size.height())
                        .orElse("");
    }

    private FileView shown(ProducedFile file, Picture picture, Optional<String> note) {
        images++;
        imageBytes += picture.content().length;
        return new FileView(file, Optional.empty(), Optional.of(picture), false, note);
    }

    private static FileView refused(ProducedFile file, String note) {
        return new FileView(file, Optional.empty(), Optional.empty(), false, Optional.of(note));
    }

    /** Returns all images that are shown. */
    public static List<Picture> pictures(List<FileView> views) {
        List<Picture> pictures = new ArrayList<>();
        views.forEach(view -> view.picture().ifPresent(pictures::add));
        return pictures;
    }

    /** Returns the whole text of a short text file. */
    private static Optional<String> text(ProducedFile file) {
        byte[] content = file.content();
        if (!file.isWhole() || content.length == 0 || content.length > MAX_TEXT_BYTES) {
            return Optional.empty();
        }
        return decoded(content).map(VisibleText::of);
    }

    /** Decodes UTF-8 text without NUL; empty for anything else. */
    public static Optional<String> decoded(byte[] content) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
            return text.indexOf('\0') < 0 ? Optional.of(text) : Optional.empty();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
