package dev.pysandbox.mcp.render;

import java.awt.AWTError;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.stream.MemoryCacheImageInputStream;

/**
 * Scales images down. Loaded only when needed: the JDK's image classes load slowly, and some Java runtimes do not have
 * them.
 *
 * <p>Images are read row by row and subsampled while reading, so that only the small image is in memory. The caller
 * must check the {@link ImageCost} first. The server reads one image at a time; reading stops when the caller's time is
 * over or its thread is interrupted.
 */
final class ImageShrinker {
    static final int SIDE = 1600;

    /** At most eight bytes each. */
    private static final long MOST_PIXELS_READ = 6 << 20;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(3);
    private static final Semaphore ONE_AT_A_TIME = new Semaphore(1);

    private ImageShrinker() {}

    /**
     * Scales an image until it fits into this number of bytes.
     *
     * @throws IOException with the reason, if the image is damaged, not readable by the JDK, or takes too long
     */
    static Picture shrink(byte[] content, ImageSize size, int maxBytes, Duration longest) throws IOException {
        try {
            if (!ONE_AT_A_TIME.tryAcquire(
                    Math.min(LONGEST_WAIT.toMillis(), longest.toMillis()), TimeUnit.MILLISECONDS)) {
                throw new IOException("the server is busy with other images; save a smaller PNG or JPEG");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the call was cancelled", e);
        }
        try {
            BufferedImage small = scale(read(content, size, longest));
            Picture png = new Picture("image/png", written(small, "png"));
            return Optional.of(png)
                    .filter(picture -> picture.content().length <= maxBytes)
                    .or(() -> jpeg(small).filter(picture -> picture.content().length <= maxBytes))
                    .orElseThrow(() -> new IOException("too many bytes even when scaled down"));
        } catch (RuntimeException | LinkageError | AWTError | OutOfMemoryError e) {
            // The JDK's readers throw many kinds of exceptions; a display that is named but missing is an AWTError.
            throw new IOException("it can't be decoded; save a smaller PNG or JPEG", e);
        } finally {
            ONE_AT_A_TIME.release();
        }
    }

    private static BufferedImage read(byte[] content, ImageSize size, Duration longest) throws IOException {
        try (MemoryCacheImageInputStream input = new MemoryCacheImageInputStream(new ByteArrayInputStream(content))) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(input);
            if (!readers.hasNext()) {
                throw new IOException("images of this kind can't be scaled; save a smaller PNG or JPEG");
            }
            ImageReader reader = readers.next();
            try {
                // Without metadata, which may be compressed data of any size.
                reader.setInput(input, true, true);
                if (reader.getWidth(0) != size.width() || reader.getHeight(0) != size.height()) {
                    throw new IOException("its headers contradict each other on its size");
                }
                ImageReadParam every = reader.getDefaultReadParam();
                int step = step(size);
                every.setSourceSubsampling(step, step, 0, 0);
                ReadingLimit limit = new ReadingLimit(longest);
                reader.addIIOReadProgressListener(limit);
                BufferedImage read = reader.read(0, every);
                if (limit.exceeded()) {
                    throw new IOException("it takes too long to decode; save a smaller PNG or JPEG");
                }
                return read;
            } finally {
                reader.dispose();
            }
        }
    }

    /**
     * Returns the subsampling step that leaves up to twice the wanted size, if memory allows, for a smooth final
     * scaling.
     */
    private static int step(ImageSize size) {
        int step = Math.max(1, size.longerSide() / (2 * SIDE));
        while (size.pixels() / ((long) step * step) > MOST_PIXELS_READ) {
            step++;
        }
        return step;
    }

    private static BufferedImage scale(BufferedImage image) {
        double factor = Math.min(1, (double) SIDE / Math.max(image.getWidth(), image.getHeight()));
        boolean opaque = !image.getColorModel().hasAlpha();
        BufferedImage small = new BufferedImage(
                Math.max(1, (int) Math.round(image.getWidth() * factor)),
                Math.max(1, (int) Math.round(image.getHeight() * factor)),
                opaque ? BufferedImage.TYPE_INT_RGB : BufferedImage.TYPE_INT_ARGB);
        draw(image, small);
        return small;
    }

    private static Optional<Picture> jpeg(BufferedImage image) {
        BufferedImage opaque = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
        Graphics2D paper = opaque.createGraphics();
        paper.setColor(Color.WHITE);
        paper.fillRect(0, 0, image.getWidth(), image.getHeight());
        paper.dispose();
        draw(image, opaque);
        try {
            return Optional.of(new Picture("image/jpeg", written(opaque, "jpeg")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void draw(BufferedImage from, BufferedImage to) {
        Graphics2D graphics = to.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(from, 0, 0, to.getWidth(), to.getHeight(), null);
        graphics.dispose();
    }

    private static byte[] written(BufferedImage image, String format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (!ImageIO.write(image, format, out)) {
            throw new IOException("this runtime can't write " + format);
        }
        return out.toByteArray();
    }
}
