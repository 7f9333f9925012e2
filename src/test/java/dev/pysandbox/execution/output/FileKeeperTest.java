package dev.pysandbox.execution.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FileKeeperTest {
    @TempDir
    private Path root;

    private FileKeeper keeper(String most) {
        return new FileKeeper(root.resolve("kept"), ByteSize.parse(most));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void eachRunHasAFolderOfItsOwn() throws IOException {
        Path first = keeper("1m").keep("a/b.txt", utf8("one")).orElseThrow();
        Path second = keeper("1m").keep("a/b.txt", utf8("two")).orElseThrow();
        assertEquals("one", Files.readString(first));
        assertEquals("two", Files.readString(second));
        assertTrue(first.startsWith(root.resolve("kept")) && first.endsWith("a/b.txt"));
    }

    @Test
    void aRunThatMakesNothingLeavesNothing() {
        assertEquals(List.of(), keeper("1m").failures());
        assertTrue(Files.notExists(root.resolve("kept")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "//x", "/../x", "/", "a/../x", "a//x", ".", "..", "", "a/"})
    void noNameLeadsElsewhere(String name) throws IOException {
        FileKeeper keeper = keeper("1m");
        assertTrue(keeper.keep(name, utf8("x")).isEmpty());
        assertEquals(1, keeper.failures().size());
        try (Stream<Path> all = Files.walk(root)) {
            assertTrue(all.noneMatch(Files::isRegularFile));
        }
        assertThrows(IOException.class, () -> FileKeeper.inside(root, name));
    }

    @Test
    void aFileOutsideOfTheWorkingFolderIsKeptUnderItsPath() {
        Path path = keeper("1m").keep("/tmp/a.txt", utf8("x")).orElseThrow();
        assertTrue(path.startsWith(root.resolve("kept")) && path.endsWith("tmp/a.txt"), path::toString);
    }

    @Test
    void oddNamesAreMadeHarmless() {
        Path path = keeper("1m").keep("a\\b\n\"c\"\u0000.txt", utf8("x")).orElseThrow();
        assertEquals("a_b__c__.txt", path.getFileName().toString());
    }

    @Test
    void noFileTakesThePlaceOfAnother() throws IOException {
        FileKeeper keeper = keeper("1m");
        Path first = keeper.keep("a:b", utf8("first")).orElseThrow();
        assertTrue(keeper.keep("a?b", utf8("second")).isEmpty());
        assertEquals("first", Files.readString(first));
    }

    @Test
    void keepsNoMoreThanIsAllowed() {
        FileKeeper keeper = keeper("1k");
        assertTrue(keeper.keep("a", new byte[1000]).isPresent());
        assertTrue(keeper.keep("b", new byte[1000]).isEmpty());
        assertEquals(List.of("b was not kept: at most 1k is kept per run"), keeper.failures());
    }

    @Test
    void whatComesInPiecesIsThereOnlyAsAWhole() throws IOException {
        FileKeeper keeper = keeper("1m");
        List<String> heard = new ArrayList<>();
        try (OutputStream whole = keeper.keep("whole", 4, (path, sha256) -> heard.add(sha256), () -> heard.add("no"))) {
            whole.write(utf8("ab"));
            whole.write(utf8("cd"));
        }
        assertEquals(List.of(Sha256.of(utf8("abcd"))), heard);
        try (OutputStream part = keeper.keep("part", 4, (path, sha256) -> heard.add(sha256), () -> heard.add("no"))) {
            part.write('a');
        }
        assertEquals("no", heard.get(1));
        assertEquals(List.of("part was not kept: it arrived incomplete"), keeper.failures());
        try (Stream<Path> all = Files.walk(root)) {
            assertEquals(1, all.filter(Files::isRegularFile).count());
        }
    }
}
