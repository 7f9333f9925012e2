package dev.pysandbox.sandbox.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.support.Folders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeFolderIT {
    @TempDir
    Path temporary;

    private final List<Process> servers = new ArrayList<>();

    /** A process that creates a runtime folder, prints its path and waits. */
    static final class Server {
        private Server() {}

        public static void main(String[] args) throws IOException {
            try (RuntimeFolder folder = RuntimeFolder.create()) {
                System.out.println(folder.path());
                System.out.flush();
                System.in.read();
            }
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Process server : servers) {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void outlivesOtherServersAndGoesWithItsOwn() throws Exception {
        Process first = start();
        Path folder = whereabouts(first);
        for (int i = 0; i < 3; i++) {
            Path other = whereabouts(start());
            assertTrue(Files.isDirectory(folder), "still there beside " + other);
        }
        end(first);
        assertFalse(Files.exists(folder));
    }

    @Test
    void isRemovedByTheNextServerAfterAKill() throws Exception {
        Process killed = start();
        Path folder = whereabouts(killed);
        killed.destroyForcibly().waitFor();
        assertTrue(Files.isDirectory(folder));
        Process next = start();
        whereabouts(next);
        assertFalse(Files.exists(folder));
        end(next);
    }

    @Test
    void isNotMadeWhereOthersCanReplaceIt() throws Exception {
        Path open = Files.createDirectories(temporary.resolve("open/inner")).getParent();
        Folders.setPermissions(open, "rwxrwxrwx");
        for (Path folder : List.of(open, open.resolve("inner"))) {
            String message = assertThrows(IllegalArgumentException.class, () -> RuntimeFolder.createIn(folder))
                    .getMessage();
            assertTrue(message.contains("chmod +t " + open.toRealPath()), message);
        }
        Files.setAttribute(open, "unix:mode", 01777);
        RuntimeFolder.createIn(open).close();
    }

    private Process start() throws IOException {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Server.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        servers.add(server);
        return server;
    }

    private static Path whereabouts(Process server) throws IOException {
        InputStream out = server.getInputStream();
        StringBuilder line = new StringBuilder();
        for (int c = out.read(); c >= 0 && c != '\n'; c = out.read()) {
            line.append((char) c);
        }
        return Path.of(line.toString());
    }

    private static void end(Process server) throws Exception {
        server.getOutputStream().close();
        assertEquals(0, server.waitFor());
    }
}
