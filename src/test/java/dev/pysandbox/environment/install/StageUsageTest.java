package dev.pysandbox.environment.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.TreeWalk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StageUsageTest {
    private static final ByteSize ENOUGH = ByteSize.parse("1g");

    @TempDir
    Path folder;

    @Test
    void countsAllThatABuildWrote() throws IOException {
        write("cache/archive/x", 100);
        write("environment/y", 20);
        write("elsewhere", 3);
        assertEquals(123, StageUsage.ofBuild(folder).bytes());
    }

    @Test
    void countsOfUvsCacheWhatIsNew() throws IOException {
        Instant start = Instant.now().minusSeconds(10);
        write("cache/archive/old/x", 100);
        Files.setLastModifiedTime(folder.resolve("cache/archive/old"), FileTime.from(start.minusSeconds(10)));
        write("cache/archive/new/x", 20);
        write("cache/.tmpAbc/x", 500);
        write("environment/y", 3);
        assertEquals(520, ofWheels(start, 1));
        assertEquals(260, ofWheels(start, 2), "two installations write to the cache");
        write("environment/linked", 1000);
        assertEquals(1003, ofWheels(start, 1), "links to what is in the cache, not counted twice");
    }

    private long ofWheels(Instant start, int sharers) {
        return StageUsage.ofWheels(folder.resolve("environment"), folder.resolve("cache"), start, sharers, ENOUGH)
                .bytes();
    }

    @Test
    void takesATreeThatIsTooDeepForTooManyFiles() throws IOException {
        Files.createDirectories(folder.resolve("a/".repeat(200)));
        assertEquals(TreeWalk.Extent.TOO_LARGE, StageUsage.ofBuild(folder).extent());
    }

    @Test
    void saysThatAFolderIsLocked() throws IOException {
        write("open", 3);
        write("locked/file", 100);
        Folders.setPermissions(folder.resolve("locked"), "---------");
        assumeFalse(Files.isReadable(folder.resolve("locked")), "root reads every folder");
        DiskGuard.Usage usage = StageUsage.ofBuild(folder);
        Folders.setPermissions(folder.resolve("locked"), "rwx------");
        assertEquals(new DiskGuard.Usage(3, TreeWalk.Extent.PARTLY_LOCKED, true), usage);
    }

    private void write(String name, int size) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[size]);
    }
}
