package dev.pysandbox.sandbox.remote;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Sends a tree of files over a stream, and receives it. */
final class FileStream {
    private FileStream() {}

    static void send(Path root, DataOutputStream out) throws IOException {
        List<Path> all;
        try (Stream<Path> found = Files.walk(root)) {
            all = found.toList();
        }
        for (Path path : all) {
            String name = root.relativize(path).toString();
            if (Files.isSymbolicLink(path)) {
                out.writeByte('l');
                out.writeUTF(name);
                out.writeUTF(Files.readSymbolicLink(path).toString());
            } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                out.writeByte('d');
                out.writeUTF(name);
            } else {
                byte[] content = Files.readAllBytes(path);
                out.writeByte(Files.isExecutable(path) ? 'x' : 'f');
                out.writeUTF(name);
                out.writeInt(content.length);
                out.write(content);
            }
        }
        out.writeByte('.');
    }

    /** Writes the received files to a folder or file. Existing files are overwritten. */
    static void receive(DataInputStream in, Path root) throws IOException {
        for (int type = in.readByte(); type != '.'; type = in.readByte()) {
            String name = in.readUTF();
            Path path = name.isEmpty() ? root : root.resolve(name);
            switch (type) {
                case 'l' -> {
                    Files.deleteIfExists(path);
                    Files.createSymbolicLink(path, Path.of(in.readUTF()));
                }
                case 'd' -> Files.createDirectories(path);
                default -> {
                    Files.write(path, in.readNBytes(in.readInt()));
                    path.toFile().setExecutable(type == 'x', false);
                }
            }
        }
    }
}
