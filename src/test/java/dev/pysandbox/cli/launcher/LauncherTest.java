package dev.pysandbox.cli.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherTest {
    @TempDir
    private Path folder;

    @Test
    void writesAScriptAndDeletesIt() throws IOException {
        Launcher launcher = Launcher.in(folder.resolve("bin"));
        write(launcher, folder.resolve("it's.jar"));
        String text = Files.readString(launcher.file());
        assertTrue(text.contains("jar='" + folder + "/it'\\''s.jar'"), text);
        assertFalse(text.contains("@J") || text.contains("@F"), text);
        assertTrue(Files.isExecutable(launcher.file()));
        write(launcher, folder.resolve("newer.jar")); // replaces its own script
        assertTrue(Files.readString(launcher.file()).contains("newer.jar"));
        assertTrue(launcher.delete());
        assertFalse(launcher.delete());
        assertEquals(List.of(), List.of(folder.resolve("bin").toFile().list()));
    }

    @Test
    void leavesOtherProgramsAlone() throws IOException {
        Launcher launcher = Launcher.in(folder);
        Files.write(launcher.file(), new byte[] {(byte) 0xff, 'E', 'L', 'F'});
        assertThrows(IllegalArgumentException.class, () -> write(launcher, folder.resolve("a.jar")));
        assertThrows(IllegalArgumentException.class, launcher::delete);
        assertEquals(4, Files.size(launcher.file()));
    }

    @Test
    void eachJarAndJavaHasItsOwnArchive() throws IOException {
        Path archive = ClassArchive.in(folder, java("jdk", "a.jar")).file();
        assertEquals(folder.resolve("archives"), archive.getParent());
        assertNotEquals(archive, ClassArchive.in(folder, java("jdk", "b.jar")).file());
        assertNotEquals(archive, ClassArchive.in(folder, java("newer", "a.jar")).file());
        assertEquals(archive, ClassArchive.in(folder, java("jdk", "a.jar")).file());
    }

    @Test
    void anArchiveIsUsedOnlyWithTheStandardArchiveOfTheJava() throws IOException {
        ClassArchive archive = ClassArchive.in(folder, java("jdk", "a.jar"));
        assertEquals(List.of(), archive.flags());
        Path standard = folder.resolve(Path.of("jdk", "lib", "server", "classes.jsa"));
        Files.createDirectories(standard.getParent());
        Files.createFile(standard);
        assertEquals(
                "-XX:SharedArchiveFile=" + standard + ":" + archive.file(),
                archive.flags().get(0));
        assertEquals(
                List.of(),
                ClassArchive.in(folder.resolve("a:b"), java("jdk", "a.jar")).flags());
        assertFalse(archive.isCurrent());
    }

    @Test
    void anArchiveThatOthersCouldReplaceIsNotUsed() throws IOException {
        Path standard = folder.resolve(Path.of("jdk", "lib", "server", "classes.jsa"));
        Files.createDirectories(standard.getParent());
        Files.createFile(standard);
        Path cache = Files.createDirectory(folder.resolve("cache"));
        ClassArchive archive = ClassArchive.in(cache, java("jdk", "a.jar"));
        assertFalse(archive.flags().isEmpty());
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertEquals(List.of(), archive.flags());
        Files.createDirectory(archive.file().getParent());
        assertEquals(List.of(), archive.flags());
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertFalse(archive.flags().isEmpty());
    }

    @Test
    void anArchiveBehindALinkIsUsedOnlyIfNobodyCouldReplaceItsFolder() throws IOException {
        Path standard = folder.resolve(Path.of("jdk", "lib", "server", "classes.jsa"));
        Files.createDirectories(standard.getParent());
        Files.createFile(standard);
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Path cache = Files.createDirectory(shared.resolve("cache"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), cache);
        ClassArchive archive = ClassArchive.in(link, java("jdk", "a.jar"));
        assertFalse(archive.flags().isEmpty());
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertEquals(List.of(), archive.flags());
        Files.setAttribute(shared, "unix:mode", 01777);
        assertFalse(archive.flags().isEmpty());
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxr-x"));
        assertEquals(List.of(), archive.flags());
    }

    private JavaCommand java(String home, String jar) {
        return new JavaCommand(folder.resolve(home), folder.resolve(jar));
    }

    private void write(Launcher launcher, Path jar) throws IOException {
        JavaCommand command = new JavaCommand(folder.resolve("jdk"), jar);
        launcher.write(command, ClassArchive.in(folder, command));
    }
}
