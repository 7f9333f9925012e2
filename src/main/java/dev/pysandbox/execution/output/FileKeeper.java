package dev.pysandbox.execution.output;

import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.Sha256;
import dev.pysandbox.support.ShortText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/**
 * Saves the files of one execution in a new folder, which is created for the first file.
 *
 * <p>The names come from inside the sandbox, so a name can neither lead out of the folder nor replace another file.
 */
public final class FileKeeper {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
    private static final Pattern UNFIT = Pattern.compile("[\\x00-\\x1f\\x7f<>:\"|?*\\\\]");
    private static final Pattern NOT_PLAIN = Pattern.compile("[^\\x20-\\x7e]");

    /** The free space that is left on the disk. */
    private static final ByteSize RESERVE = ByteSize.parse("1g");

    private static final int MOST_FAILURES = 10;
    private static final int MOST_FOLDERS = 32;
    private static final int LONGEST_NAME = 200;

    private final Path root;
    private final ByteSize most;
    private final List<String> failures = new ArrayList<>();
    private int moreFailures;
    private Optional<Path> folder = Optional.empty();
    private long bytesLeft;

    /** @param most the most bytes that are kept of one execution */
    public FileKeeper(Path root, ByteSize most) {
        this.root = root;
        this.most = most;
        this.bytesLeft = most.bytes();
    }

    /** Returns which files were not kept and why; if there are many, the first ones and the number of the others. */
    synchronized List<String> failures() {
        List<String> messages = new ArrayList<>(failures);
        if (moreFailures > 0) {
            messages.add(moreFailures + " more files were not kept");
        }
        return messages;
    }

    Optional<Path> keep(String name, byte[] content) {
        try {
            Path path = newFile(name, content.length);
            Files.write(path, content, StandardOpenOption.CREATE_NEW);
            return Optional.of(path);
        } catch (IOException | InvalidPathException e) {
            failed(name, e);
            return Optional.empty();
        }
    }

    /**
     * Keeps a file whose content arrives in pieces.
     *
     * @param done receives the path and sha256 when the file is complete
     * @param notDone runs if the file could not be kept
     */
    OutputStream keep(String name, long size, BiConsumer<Path, String> done, Runnable notDone) {
        try {
            Path path = newFile(name, size);
            MessageDigest digest = Sha256.digest();
            OutputStream file =
                    new DigestOutputStream(Files.newOutputStream(path, StandardOpenOption.CREATE_NEW), digest);
            return new Pieces(name, path, size, file, () -> done.accept(path, Sha256.hex(digest.digest())), notDone);
        } catch (IOException | InvalidPathException e) {
            failed(name, e);
            notDone.run();
            return OutputStream.nullOutputStream();
        }
    }

    private synchronized void failed(String name, Exception reason) {
        if (failures.size() == MOST_FAILURES) {
            moreFailures++;
            return;
        }
        failures.add(ShortText.line(name, LONGEST_NAME) + " was not kept: "
                + (reason.getMessage() == null ? reason.getClass().getSimpleName() : reason.getMessage()));
    }

    private Path newFile(String name, long size) throws IOException {
        if (size > bytesLeft) {
            throw new IOException("at most " + most + " is kept per run");
        }
        Path path = inside(folder(), name);
        if (path.getNameCount() - folder().getNameCount() > MOST_FOLDERS) {
            throw new IOException("it is in more than " + MOST_FOLDERS + " folders");
        }
        if (Files.getFileStore(folder()).getUsableSpace() - size < RESERVE.bytes()) {
            throw new IOException("less than " + RESERVE + " would be left on the disk of " + root);
        }
        bytesLeft -= size;
        Files.createDirectories(Optional.ofNullable(path.getParent()).orElse(root));
        return path;
    }

    private Path folder() throws IOException {
        if (folder.isEmpty()) {
            String unique = HexFormat.of()
                    .toHexDigits(UUID.randomUUID().getMostSignificantBits())
                    .substring(0, 8);
            Folders.createPrivate(root);
            folder = Optional.of(Folders.createPrivate(root.resolve(TIME.format(Instant.now()) + "-" + unique)));
        }
        return folder.get();
    }

    static Path inside(Path folder, String name) throws IOException {
        Path path = folder;
        // The path of a file outside of the working folder becomes a path in this folder.
        for (String part : (name.startsWith("/") ? name.substring(1) : name).split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                throw new IOException("its name leads out of the folder");
            }
            path = resolve(path, UNFIT.matcher(part).replaceAll("_"));
        }
        return path;
    }

    /** Resolves a name. Replaces characters that the system's encoding does not have. */
    private static Path resolve(Path folder, String part) {
        try {
            return folder.resolve(part);
        } catch (InvalidPathException e) {
            return folder.resolve(NOT_PLAIN.matcher(part).replaceAll("_"));
        }
    }

    /** A file that is being received. A write error is reported when it is closed, so that the sender can continue. */
    private final class Pieces extends OutputStream {
        private final String name;
        private final Path path;
        private final OutputStream file;
        private final Runnable done;
        private final Runnable notDone;
        private Optional<IOException> writeError = Optional.empty();
        private long missing;
        private boolean closed;

        Pieces(String name, Path path, long size, OutputStream file, Runnable done, Runnable notDone) {
            this.name = name;
            this.path = path;
            this.missing = size;
            this.file = file;
            this.done = done;
            this.notDone = notDone;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            missing -= length;
            if (writeError.isEmpty()) {
                try {
                    file.write(bytes, from, length);
                } catch (IOException e) {
                    writeError = Optional.of(e);
                }
            }
        }

        @Override
        public void close() {
            if (closed) {
                return;
            }
            closed = true;
            try {
                file.close();
                if (writeError.isPresent() || missing != 0) {
                    Files.deleteIfExists(path);
                    throw writeError.orElseGet(() -> new IOException("it arrived incomplete"));
                }
                done.run();
            } catch (IOException e) {
                failed(name, e);
                notDone.run();
            }
        }
    }
}
