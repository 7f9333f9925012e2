package dev.pysandbox.mcp.render;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.ProducedFile;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FileViewsTest {
    private static ProducedFile file(String name, String type, byte[] content) {
        return new ProducedFile(
                name, type, content.length, Optional.empty(), content, Optional.of(Path.of("/kept", name)));
    }

    private static FileView view(String type, byte[] content) {
        return FileViews.of(List.of(file("image", type, content)), true).get(0);
    }

    private static byte[] image(String format, int width, int height, boolean noise) throws IOException {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Random random = new Random(1);
        for (int x = 0; noise && x < width; x++) {
            for (int y = 0; y < height; y++) {
                image.setRGB(x, y, random.nextInt());
            }
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertTrue(ImageIO.write(image, format, out));
        return out.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({"png", "jpeg", "gif"})
    void whatIsSmallIsShownAsItIs(String format) throws IOException {
        byte[] content = image(format, 300, 200, false);
        assertEquals(Optional.of(new ImageSize(300, 200)), ImageSize.of("image/" + format, content));
        FileView view = view("image/" + format, content);
        assertArrayEquals(content, view.picture().orElseThrow().content());
        assertEquals(Optional.empty(), view.note());
        assertEquals(Optional.empty(), view.link());
    }

    @ParameterizedTest
    @CsvSource({
        "UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAfQ//73v/+BiOh/AAA=, 1, 1",
        "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA, 1, 1"
    })
    void knowsTheSizeOfWebp(String base64, int width, int height) {
        byte[] content = Base64.getDecoder().decode(base64);
        assertEquals(Optional.of(new ImageSize(width, height)), ImageSize.of("image/webp", content));
    }

    @ParameterizedTest
    @CsvSource({"png, image/png", "jpeg, image/png", "gif, image/png"})
    void whatIsWideIsShownSmaller(String format, String shownAs) throws IOException {
        FileView view = view("image/" + format, image(format, 5000, 1000, false));
        Picture picture = view.picture().orElseThrow();
        assertEquals(shownAs, picture.mimeType());
        BufferedImage small = ImageIO.read(new ByteArrayInputStream(picture.content()));
        assertEquals(1600, small.getWidth());
        assertEquals(320, small.getHeight());
        assertEquals(Optional.of("shown smaller: 1600x320 instead of 5000x1000"), view.note());
        assertEquals(Optional.of("file:///kept/image"), view.uri());
    }

    @Test
    void whatIsHeavyIsShownLighter() throws IOException {
        byte[] noise = image("png", 900, 900, true);
        assertTrue(noise.length > 2 << 20);
        Picture picture = view("image/png", noise).picture().orElseThrow();
        assertEquals("image/jpeg", picture.mimeType());
        assertTrue(picture.content().length <= 2 << 20);
    }

    @Test
    void aBombIsNotEvenLookedAt() throws IOException {
        byte[] bomb = image("png", 10, 10, false);
        ByteBuffer.wrap(bomb).putInt(16, 100_000).putInt(20, 100_000);
        FileView view = view("image/png", bomb);
        assertEquals(Optional.empty(), view.picture());
        assertEquals(Optional.of("not shown: 100000x100000 pixels are too many"), view.note());
    }

    /** Returns a progressive JPEG with one component, whose scans have almost no data. */
    private static byte[] progressive(int side, int scans) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] table = new byte[65];
        Arrays.fill(table, 1, 65, (byte) 1);
        out.writeBytes(HexFormat.of().parseHex("ffd8ffdb0043"));
        out.writeBytes(table);
        out.writeBytes(HexFormat.of().parseHex("ffc2000b08%04x%04x01011100".formatted(side, side)));
        out.writeBytes(HexFormat.of().parseHex("ffc400140001" + "00".repeat(15) + "00"));
        out.writeBytes(HexFormat.of().parseHex("ffda0008010100000001" + "00"));
        for (int i = 1; i < scans; i++) {
            out.writeBytes(HexFormat.of().parseHex("ffda0008010100000010" + "00"));
        }
        out.writeBytes(HexFormat.of().parseHex("ffd9"));
        return out.toByteArray();
    }

    @Test
    void anImageOfManyScansIsNotDecoded() {
        assertEquals(Optional.of(new ImageSize(9900, 9900)), ImageSize.of("image/jpeg", progressive(9900, 6000)));
        for (byte[] heavy : List.of(progressive(9900, 2), progressive(3000, 100), progressive(1900, 6000))) {
            FileView view = view("image/jpeg", heavy);
            assertEquals(Optional.empty(), view.picture());
            assertTrue(
                    view.note().orElseThrow().startsWith("not shown: decoding it would take too long"),
                    view.note()::get);
        }
        assertTrue(view("image/jpeg", progressive(2500, 10)).picture().isPresent());
    }

    @Test
    void aRowThatFillsTheMemoryIsNotDecoded() throws IOException {
        byte[] wide = image("png", 10, 10, false);
        ByteBuffer.wrap(wide).putInt(16, 50_000_000).putInt(20, 1);
        assertTrue(
                view("image/png", wide).note().orElseThrow().startsWith("not shown: decoding it would take too long"));
    }

    @Test
    void anInterruptEndsTheReading() throws IOException {
        byte[] large = image("png", 5000, 1000, false);
        Thread.currentThread().interrupt();
        try {
            FileView view = view("image/png", large);
            assertEquals(Optional.empty(), view.picture());
            assertTrue(view.note().orElseThrow().endsWith("the call was cancelled"), view.note()::get);
        } finally {
            assertTrue(Thread.interrupted());
        }
    }

    @ParameterizedTest
    @CsvSource({"png", "jpeg", "gif"})
    void readingStopsWhenTheTimeIsOver(String format) throws IOException {
        byte[] large = image(format, 5000, 1000, false);
        IOException refused = assertThrows(
                IOException.class,
                () -> ImageShrinker.shrink(large, new ImageSize(5000, 1000), 1 << 20, Duration.ZERO));
        assertEquals("it takes too long to decode; save a smaller PNG or JPEG", refused.getMessage());
    }

    @Test
    void aDamagedImageIsRefusedWithANote() throws IOException {
        byte[] lies = image("png", 10, 10, false);
        ByteBuffer.wrap(lies).putInt(16, 3000);
        assertEquals(Optional.empty(), view("image/png", lies).picture());
        assertTrue(view("image/png", lies).note().orElseThrow().startsWith("not shown"));
        assertEquals(
                Optional.of("not a valid image of its type"),
                view("image/jpeg", image("png", 10, 10, false)).note());
        assertEquals(
                Optional.of("not a valid image of its type"),
                view("image/jpeg", new byte[] {-1, -40, -1, -32}).note());
    }

    @Test
    void allTogetherStayInBounds() throws IOException {
        byte[] noise = image("jpeg", 1500, 1500, true);
        assertTrue(noise.length > 1 << 20 && noise.length <= 2 << 20, () -> noise.length + " bytes");
        List<ProducedFile> many = IntStream.range(0, 12)
                .mapToObj(number -> file(number + ".jpg", "image/jpeg", noise))
                .toList();
        List<FileView> views = FileViews.of(many, true);
        assertTrue(FileViews.pictures(views).stream()
                        .mapToInt(picture -> picture.content().length)
                        .sum()
                <= 8 << 20);
        assertTrue(FileViews.pictures(views).size() <= 8);
        assertTrue(views.stream()
                .allMatch(view -> view.picture().isPresent() || view.note().isPresent()));
    }
}
