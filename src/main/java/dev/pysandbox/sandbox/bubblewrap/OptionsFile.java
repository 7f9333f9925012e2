package dev.pysandbox.sandbox.bubblewrap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/**
 * A file of mode 600 with the arguments of a program, each followed by a NUL, as {@code bwrap --args} reads them. It
 * can contain secrets, unlike a command line, which every local user can read.
 */
record OptionsFile(Path path) {
    /** The encoding of file names in Java, so that paths have the same bytes as on a command line. */
    private static final Charset NATIVE = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    void write(List<String> arguments) throws IOException {
        ByteBuffer data = ByteBuffer.wrap(encode(arguments));
        try (SeekableByteChannel channel = Files.newByteChannel(
                path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_ONLY)) {
            while (data.hasRemaining()) {
                channel.write(data);
            }
        }
    }

    /** @throws IOException if an argument contains a NUL, which would split it */
    static byte[] encode(List<String> arguments) throws IOException {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        for (String argument : arguments) {
            if (argument.indexOf('\0') >= 0) {
                throw new IOException("a path or variable of the sandbox contains a NUL character");
            }
            data.writeBytes(argument.getBytes(NATIVE));
            data.write(0);
        }
        return data.toByteArray();
    }

    void remove() throws IOException {
        Files.deleteIfExists(path);
    }
}
