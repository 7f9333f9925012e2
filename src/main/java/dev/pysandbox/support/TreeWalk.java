package dev.pysandbox.support;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Visits the files of an untrusted tree, also while it is written to. Follows no link; depth and entries are limited.
 */
public final class TreeWalk {
    /** More levels than any package has; each level is one open folder. */
    private static final int DEEPEST = 128;

    private final Visitor visitor;
    private final long most;
    private long entries;
    private Extent extent = Extent.WHOLE;

    /** How much of a tree was visited; if two apply, the later one is used. */
    public enum Extent {
        WHOLE,
        /** A part is not readable for the server: its owner can remove all permissions. */
        PARTLY_LOCKED,
        /** There are more entries or levels than the limit. */
        TOO_LARGE
    }

    /** Receives each entry that is not a folder. */
    public interface Visitor {
        void visit(BasicFileAttributes attributes);
    }

    private TreeWalk(Visitor visitor, long most) {
        this.visitor = visitor;
        this.most = most;
    }

    /**
     * Visits all entries of a folder.
     *
     * @param most the limit of entries, including folders
     */
    public static Extent of(Path folder, long most, Visitor visitor) {
        TreeWalk walk = new TreeWalk(visitor, most);
        try (SecureDirectoryStream<Path> open = OpenFolder.at(folder)) {
            walk.visit(open, 1);
        } catch (AccessDeniedException e) {
            walk.found(Extent.PARTLY_LOCKED);
        } catch (IOException e) {
            // It was deleted, or is not a folder.
        }
        return walk.extent;
    }

    private void found(Extent less) {
        extent = less.compareTo(extent) > 0 ? less : extent;
    }

    private void visit(SecureDirectoryStream<Path> folder, int depth) throws IOException {
        try {
            for (Path entry : folder) {
                if (++entries > most) {
                    found(Extent.TOO_LARGE);
                    return;
                }
                visit(folder, entry.getFileName(), depth);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void visit(SecureDirectoryStream<Path> folder, Path name, int depth) {
        try {
            BasicFileAttributes attributes = folder.getFileAttributeView(
                            name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
            if (!attributes.isDirectory()) {
                visitor.visit(attributes);
            } else if (depth == DEEPEST) {
                found(Extent.TOO_LARGE);
            } else {
                try (SecureDirectoryStream<Path> below = folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                    visit(below, depth + 1);
                }
            }
        } catch (AccessDeniedException e) {
            found(Extent.PARTLY_LOCKED);
        } catch (IOException e) {
            // It was deleted in the meantime.
        }
    }
}
