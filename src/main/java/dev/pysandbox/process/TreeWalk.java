package dev.pysandbox.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Counts a tree that something untrusted wrote, or still writes: never through a link, bounded in depth and entries.
 * What can't be read is left out.
 */
public final class TreeWalk {
    /** Deeper than any package, and few enough folders to hold open. */
    private static final int DEEPEST = 128;

    private final Visitor visitor;
    private final long most;
    private long entries;
    private boolean whole = true;

    /** Gets each entry that is not a folder. */
    public interface Visitor {
        void visit(BasicFileAttributes attributes);
    }

    private TreeWalk(Visitor visitor, long most) {
        this.visitor = visitor;
        this.most = most;
    }

    /**
     * Shows all entries of a folder to a visitor.
     *
     * @param most how many entries are looked at, folders included
     * @return false if there are more, or more levels than are looked at
     */
    public static boolean of(Path folder, long most, Visitor visitor) {
        TreeWalk walk = new TreeWalk(visitor, most);
        try (SecureDirectoryStream<Path> open = OpenFolder.at(folder)) {
            walk.look(open, 1);
        } catch (IOException e) {
            // It is gone, or is no folder.
        }
        return walk.whole;
    }

    private void look(SecureDirectoryStream<Path> folder, int depth) throws IOException {
        try {
            for (Path entry : folder) {
                if (++entries > most) {
                    whole = false;
                    return;
                }
                look(folder, entry.getFileName(), depth);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void look(SecureDirectoryStream<Path> folder, Path name, int depth) {
        try {
            BasicFileAttributes attributes = folder.getFileAttributeView(
                            name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
            if (!attributes.isDirectory()) {
                visitor.visit(attributes);
            } else if (depth == DEEPEST) {
                whole = false;
            } else {
                try (SecureDirectoryStream<Path> below = folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                    look(below, depth + 1);
                }
            }
        } catch (IOException e) {
            // It went meanwhile, or is locked.
        }
    }
}
