package dev.pysandbox.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoldersTest {
    @TempDir
    Path folder;

    @Test
    void removesATreeThatIsDeeperThanAnyPathIsLong() throws IOException {
        Path top = deepTree(5_000);
        Folders.delete(top);
        assertFalse(Files.exists(top, LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void removesLinksAndNotWhatTheyLeadTo() throws IOException {
        Path kept = Files.createDirectory(folder.resolve("kept"));
        Files.writeString(kept.resolve("file"), "x");
        Path top = Files.createDirectories(folder.resolve("top/below"));
        Files.createSymbolicLink(top.resolve("folder"), kept);
        Files.createSymbolicLink(top.resolve("file"), kept.resolve("file"));
        Files.createSymbolicLink(top.resolve("nothing"), folder.resolve("absent"));
        Files.createSymbolicLink(top.resolveSibling("beside"), kept);
        Folders.delete(folder.resolve("top"));
        assertFalse(Files.exists(folder.resolve("top")));
        assertTrue(Files.exists(kept.resolve("file")));
    }

    @Test
    void removesALinkInAFoldersPlace() throws IOException {
        Path kept = Files.createDirectory(folder.resolve("kept"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), kept);
        Folders.delete(link);
        assertFalse(Files.exists(link, LinkOption.NOFOLLOW_LINKS));
        assertTrue(Files.exists(kept));
    }

    @Test
    void opensLockedFolders() throws IOException {
        Path top = folder.resolve("top");
        Path inner = Files.createDirectories(top.resolve("a/b/c"));
        Files.writeString(inner.resolve("file"), "x");
        Files.writeString(top.resolve("a/file"), "x");
        for (Path each = inner; !each.equals(folder); each = each.getParent()) {
            Folders.setPermissions(each, "---------");
        }
        Folders.delete(top);
        assertFalse(Files.exists(top));
    }

    @Test
    void opensFoldersThatCanOnlyBeRead() throws IOException {
        Path top = folder.resolve("top");
        Path inner = Files.createDirectories(top.resolve("a/b/c"));
        Files.writeString(inner.resolve("file"), "x");
        for (Path each = inner; !each.equals(folder); each = each.getParent()) {
            Folders.setPermissions(each, "r--r--r--");
        }
        Folders.delete(top);
        assertFalse(Files.exists(top));
    }

    @Test
    void countsWithoutFollowingLinks() throws IOException {
        Path top = Files.createDirectories(folder.resolve("top/below"));
        Files.writeString(top.resolve("file"), "x".repeat(1000));
        Files.writeString(folder.resolve("outside"), "x".repeat(5000));
        Files.createSymbolicLink(top.resolve("link"), folder);
        AtomicLong bytes = new AtomicLong();
        assertEquals(TreeWalk.Extent.WHOLE, TreeWalk.of(folder.resolve("top"), 10, found -> {
            bytes.addAndGet(found.isRegularFile() ? found.size() : 0);
        }));
        assertEquals(1000, bytes.get());
    }

    @Test
    void countsNoMoreThanAsked() throws IOException {
        for (int number = 0; number < 10; number++) {
            Files.createFile(folder.resolve("file" + number));
        }
        AtomicLong seen = new AtomicLong();
        assertEquals(TreeWalk.Extent.TOO_LARGE, TreeWalk.of(folder, 5, found -> seen.incrementAndGet()));
        assertEquals(5, seen.get());
    }

    @Test
    void saysThatATreeIsTooDeepToCount() throws IOException {
        Path top = deepTree(1000);
        assertEquals(TreeWalk.Extent.TOO_LARGE, TreeWalk.of(top, Long.MAX_VALUE, found -> {}));
        Folders.delete(top);
    }

    @Test
    void saysThatAFolderOrItsEntriesCanNotBeRead() throws IOException {
        Path top = Files.createDirectories(folder.resolve("top/below")).getParent();
        Files.createFile(top.resolve("below/file"));
        assumeFalse(isRoot(top), "root reads every folder");
        for (String permissions : List.of("---------", "-wx------", "rw-------")) { // the last one: names only
            for (Path locked : List.of(top, top.resolve("below"))) {
                Folders.setPermissions(locked, permissions);
                TreeWalk.Extent extent = TreeWalk.of(top, Long.MAX_VALUE, found -> {});
                Folders.setPermissions(locked, "rwx------");
                assertEquals(TreeWalk.Extent.PARTLY_LOCKED, extent, locked + " " + permissions);
            }
        }
        assertEquals(TreeWalk.Extent.WHOLE, TreeWalk.of(folder.resolve("gone"), Long.MAX_VALUE, found -> {}));
    }

    private static boolean isRoot(Path file) throws IOException {
        return Files.getAttribute(file, "unix:uid").equals(0);
    }

    /** Creates folders from the innermost outwards, because the path would be too long. */
    private Path deepTree(int levels) throws IOException {
        Path tree = Files.createDirectory(folder.resolve("level"));
        try (SecureDirectoryStream<Path> open = OpenFolder.at(folder)) {
            for (int level = 1; level < levels; level++) {
                Path around = Files.createDirectory(folder.resolve("around"));
                try (SecureDirectoryStream<Path> target = OpenFolder.at(around)) {
                    open.move(Path.of("level"), target, Path.of("level"));
                }
                Files.move(around, tree, StandardCopyOption.ATOMIC_MOVE);
            }
        }
        return tree;
    }
}
