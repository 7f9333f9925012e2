package dev.pysandbox.mcp;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.stream.MemoryCacheImageInputStream;

/**
 * Makes images smaller. Loaded only when there is one to shrink: the JDK's image classes take a while, and some
 * runtimes come without them.
 *
 * <p>Images are read line by line and thinned out on the way, so that the memory taken is that of the small one; the
 * caller has looked at the size before.
 */
final class ImageShrinker {
    static final int SIDE = 1600;

    private ImageShrinker() {}

    /** A picture within so many bytes; empty where the image is damaged, or of a kind that the JDK can't read. */
    static Optional<Picture> shrink(byte[] content, ImageSize size, int maxBytes) {
        System.setProperty("java.awt.headless", "true");
        try {
            Optional<BufferedImage> read = read(content, size);
            if (read.isEmpty()) {
                return Optional.empty();
            }
            BufferedImage small = scale(read.get());
            Picture png = new Picture("image/png", written(small, "png"));
            return Optional.of(png)
                    .filter(picture -> picture.content().length <= maxBytes)
                    .or(() -> jpeg(small).filter(picture -> picture.content().length <= maxBytes));
        } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
            return Optional.empty(); // the JDK's readers have many ways to complain
        }
    }

    private static Optional<BufferedImage> read(byte[] content, ImageSize size) throws IOException {
        try (MemoryCacheImageInputStream input = new MemoryCacheImageInputStream(new ByteArrayInputStream(content))) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(input);
            if (!readers.hasNext()) {
                return Optional.empty();
            }
            ImageReader reader = readers.next();
            try {
                // Without metadata: what is compressed in there may be of any size.
                reader.setInput(input, true, true);
                if (reader.getWidth(0) != size.width() || reader.getHeight(0) != size.height()) {
                    return Optional.empty();
                }
                ImageReadParam every = reader.getDefaultReadParam();
                // Twice the side that is wanted, for the last step to smooth.
                int step = Math.max(1, size.longerSide() / (2 * SIDE));
                every.setSourceSubsampling(step, step, 0, 0);
                return Optional.of(reader.read(0, every));
            } finally {
                reader.dispose();
            }
        }
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
