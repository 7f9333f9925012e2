package dev.pysandbox.sandbox;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class RuntimeFolderIT {
    @Test
    @EnabledOnOs(OS.LINUX)
    void staysLockedWhileOthersOfThisProcessAreMade() throws Exception {
        try (RuntimeFolder first = RuntimeFolder.create();
                RuntimeFolder second = RuntimeFolder.create()) {
            List<String> locks = Files.readAllLines(Path.of("/proc/locks"));
            for (RuntimeFolder folder : List.of(first, second)) {
                Object inode = Files.getAttribute(folder.path().resolve("lock"), "unix:ino");
                assertTrue(locks.stream().anyMatch(line -> line.contains(":" + inode + " ")), locks.toString());
            }
        }
    }
}
