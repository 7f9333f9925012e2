package dev.pysandbox.support;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;

/**
 * Deletes a tree of any depth. Each folder below the top is first moved into the top, so paths have at most two names,
 * there is no recursion, and at most two folders are open.
 */
final class TreeRemoval {
    private final Path top;
    private final SecureDirectoryStream<Path> open;
    private final Deque<Path> folders = new ArrayDeque<>();
    private final String prefix = ".removing-" + UUID.randomUUID() + "-";
    private long moved;

    private TreeRemoval(Path top, SecureDirectoryStream<Path> open) {
        this.top = top;
        this.open = open;
    }

    /** Deletes a folder; throws if it is a link. */
    static void remove(Path top) throws IOException {
        try (SecureDirectoryStream<Path> open = open(top)) {
            TreeRemoval removal = new TreeRemoval(top, open);
            try {
                removal.clearTop(open);
            } catch (AccessDeniedException e) {
                Folders.setPermissions(top, "rwx------");
                try (SecureDirectoryStream<Path> again = OpenFolder.at(top)) {
                    removal.clearTop(again);
                }
            }
            removal.clearFolders();
        }
        Files.deleteIfExists(top);
    }

    private static SecureDirectoryStream<Path> open(Path top) throws IOException {
        try {
            return OpenFolder.at(top);
        } catch (AccessDeniedException e) {
            Folders.setPermissions(top, "rwx------");
            return OpenFolder.at(top);
        }
    }

    private void clearTop(SecureDirectoryStream<Path> entries) throws IOException {
        folders.clear();
        try {
            for (Path entry : entries) {
                Path name = entry.getFileName();
                if (!removeFile(entries, name)) {
                    folders.add(name);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void clearFolders() throws IOException {
        while (!folders.isEmpty()) {
            Path name = folders.pop();
            try {
                clear(name);
            } catch (AccessDeniedException e) {
                Folders.setPermissions(top.resolve(name), "rwx------");
                clear(name);
            } catch (NoSuchFileException e) {
                // Something else has removed it.
            }
        }
    }

    /** Deletes the files of a folder in the top, moves its folders up, and deletes it. */
    private void clear(Path name) throws IOException {
        try (SecureDirectoryStream<Path> folder = open.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            for (Path entry : folder) {
                Path below = entry.getFileName();
                if (!removeFile(folder, below)) {
                    moveUp(folder, name, below);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        open.deleteDirectory(name);
    }

    /** Deletes an entry that is not a folder; returns false for a folder. */
    private static boolean removeFile(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        try {
            if (OpenFolder.isFolder(folder, name)) {
                return false;
            }
            folder.deleteFile(name);
        } catch (NoSuchFileException e) {
            // Something else has removed it.
        }
        return true;
    }

    private void moveUp(SecureDirectoryStream<Path> folder, Path name, Path below) throws IOException {
        Path fresh = Path.of(prefix + moved++);
        try {
            folder.move(below, open, fresh);
        } catch (AccessDeniedException e) {
            // Only root can move a folder that its owner can't write to.
            Folders.setPermissions(top.resolve(name).resolve(below), "rwx------");
            folder.move(below, open, fresh);
        }
        folders.push(fresh);
    }
}
