package dev.pysandbox.support;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.util.Iterator;
import java.util.Set;

/**
 * Opens folders so that nothing in them is reached through a link.
 *
 * <p>On Linux files are opened relative to an open folder. Where Java does not support that (macOS before Java 21,
 * Windows), it uses paths, which are safe as long as nothing else writes to the folder.
 */
final class OpenFolder implements SecureDirectoryStream<Path> {
    private final Path folder;
    private final DirectoryStream<Path> entries;

    @SuppressWarnings("StreamResourceLeak") // closed with this
    private OpenFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new NotDirectoryException(folder.toString());
        }
        this.folder = folder;
        this.entries = Files.newDirectoryStream(folder);
    }

    /** Opens a folder; throws if it is a link. The folders above it are trusted. */
    static SecureDirectoryStream<Path> at(Path folder) throws IOException {
        Path whole = folder.toAbsolutePath();
        Path parent = whole.getParent();
        if (parent == null) {
            return new OpenFolder(whole);
        }
        try (DirectoryStream<Path> above = Files.newDirectoryStream(parent)) {
            return above instanceof SecureDirectoryStream<Path> secure
                    ? secure.newDirectoryStream(whole.getFileName(), LinkOption.NOFOLLOW_LINKS)
                    : new OpenFolder(whole);
        }
    }

    static boolean isFolder(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        return folder.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
    }

    @Override
    public Iterator<Path> iterator() {
        return entries.iterator();
    }

    @Override
    public void close() throws IOException {
        entries.close();
    }

    @Override
    public SecureDirectoryStream<Path> newDirectoryStream(Path name, LinkOption... options) throws IOException {
        return new OpenFolder(folder.resolve(name));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path name, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return Files.newByteChannel(folder.resolve(name), options, attributes);
    }

    @Override
    public void deleteFile(Path name) throws IOException {
        Files.delete(folder.resolve(name));
    }

    @Override
    public void deleteDirectory(Path name) throws IOException {
        Files.delete(folder.resolve(name));
    }

    @Override
    public void move(Path name, SecureDirectoryStream<Path> target, Path newName) throws IOException {
        Files.move(folder.resolve(name), ((OpenFolder) target).folder.resolve(newName), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Class<V> type) {
        return Files.getFileAttributeView(folder, type);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path name, Class<V> type, LinkOption... options) {
        return Files.getFileAttributeView(folder.resolve(name), type, options);
    }
}
