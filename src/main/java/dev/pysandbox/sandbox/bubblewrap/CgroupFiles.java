package dev.pysandbox.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the files of control groups. All groups that a server creates have the same files, so each name is searched
 * once: starting a sandbox would otherwise look for thirty files.
 */
final class CgroupFiles {
    private static final Logger log = LoggerFactory.getLogger(CgroupFiles.class);
    private static final int ABSENT = -1;

    private final Map<String, Integer> hierarchies = new ConcurrentHashMap<>();

    /**
     * Returns the file with this name.
     *
     * @param folders the folder of the group in each hierarchy
     */
    Optional<Path> find(List<Path> folders, String name) {
        int hierarchy = hierarchies.computeIfAbsent(name, each -> search(folders, each));
        return hierarchy == ABSENT
                ? Optional.empty()
                : Optional.of(folders.get(hierarchy).resolve(name));
    }

    private static int search(List<Path> folders, String name) {
        for (int i = 0; i < folders.size(); i++) {
            if (Files.exists(folders.get(i).resolve(name))) {
                return i;
            }
        }
        return ABSENT;
    }

    /** Writes a value to the file with this name. Returns false if it does not exist or can't be written. */
    boolean write(List<Path> folders, String name, String value) {
        Optional<Path> file = find(folders, name);
        if (file.isEmpty()) {
            return false;
        }
        try {
            Files.writeString(file.get(), value);
            return true;
        } catch (IOException e) {
            log.debug("can't write {} to {}: {}", value, file.get(), e.toString());
            return false;
        }
    }
}
