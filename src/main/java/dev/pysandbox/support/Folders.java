package dev.pysandbox.support;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Creates and deletes folders with untrusted contents. */
public final class Folders {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private Folders() {}

    /** Creates a folder with its parents, readable only by the owner; an existing folder is not changed. */
    public static Path createPrivate(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return folder;
        }
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            return hasPosixPermissions(folder)
                    ? Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY))
                    : Files.createDirectory(folder);
        } catch (FileAlreadyExistsException e) {
            return folder; // another server created it first
        }
    }

    public static void setPermissions(Path path, String permissions) throws IOException {
        if (hasPosixPermissions(path)) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        }
    }

    /** Deletes a folder recursively. Deletes links without following them; makes unreadable folders readable first. */
    public static void delete(Path folder) throws IOException {
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            TreeRemoval.remove(folder);
        } else {
            Files.deleteIfExists(folder);
        }
    }

    private static boolean hasPosixPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
