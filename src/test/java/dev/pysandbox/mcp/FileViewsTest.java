package dev.pysandbox.mcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.run.ProducedFile;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
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
        return FileViews.of(List.of(file("image", type, content))).get(0);
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
        assertEquals(Optional.empty(), view.uri());
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
        List<FileView> views = FileViews.of(many);
        assertTrue(FileViews.pictures(views).stream()
                        .mapToInt(picture -> picture.content().length)
                        .sum()
                <= 8 << 20);
        assertTrue(FileViews.pictures(views).size() <= 8);
        assertTrue(views.stream()
                .allMatch(view -> view.picture().isPresent() || view.note().isPresent()));
    }
}
