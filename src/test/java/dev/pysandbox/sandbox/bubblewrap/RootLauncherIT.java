package dev.pysandbox.sandbox.bubblewrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pysandbox.sandbox.local.HostSystem;
import dev.pysandbox.sandbox.local.Mount;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.sandbox.local.UnprivilegedUser;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.HostCommand;
import dev.pysandbox.support.Spawner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the unprivileged user sees of folders that only root can reach. */
class RootLauncherIT {
    @TempDir
    Path folder;

    private RuntimeFolder runtime;
    private RootLauncher launcher;
    private Path closed;

    @BeforeEach
    void create() throws Exception {
        assumeTrue(HostSystem.runsAsRoot(), "for root alone");
        runtime = RuntimeFolder.create();
        launcher = RootLauncher.create(new Spawner(), runtime);
        closed = Folders.createPrivate(folder.resolve("closed"));
    }

    @AfterEach
    void close() {
        if (runtime != null) {
            launcher.close();
            runtime.close();
        }
    }

    private Path file(String name) throws IOException {
        Path file = closed.resolve("open").resolve(name).resolve("file");
        Files.createDirectories(file.getParent());
        return Files.writeString(file, name);
    }

    /** Returns the user id of a job, and what it reads from a file below a mount. */
    private String read(Mount mount) throws IOException, InterruptedException {
        RootLauncher.Launch launch = launcher.launch(List.of(mount));
        String source = launch.mounts().get(0).source().toString();
        List<String> argv = launch.commandLine(List.of("/bin/sh", "-c", "cat \"$0/file\" 2>&1; id -u; id -G", source));
        return new HostCommand(argv, Map.of("PATH", "/usr/bin:/bin"), Path.of("/"), Duration.ofSeconds(20))
                .run()
                .stdout();
    }

    @Test
    void oneNamespaceServesAllThatIsOnlyRead() throws Exception {
        String user = UnprivilegedUser.ID + "\n" + UnprivilegedUser.ID + "\n";
        long before = children();
        assertEquals("a" + user, read(Mount.readOnly(file("a").getParent(), "/x")));
        assertEquals("b" + user, read(Mount.readOnly(file("b").getParent(), "/x")));
        assertEquals(before + 1, children(), "a holder");
        assertEquals("c" + user, read(new Mount(file("c").getParent(), Path.of("/x"), true)));
        assertEquals(before + 1, children(), "one of its own for what is written to");
    }

    @Test
    void onlyJobsReachTheRuntimeFolder() throws Exception {
        assertEquals("rwx--x---", PosixFilePermissions.toString(Files.getPosixFilePermissions(runtime.path())));
        assertEquals(
                List.of(0, UnprivilegedUser.ID),
                List.of(
                        Files.getAttribute(runtime.path(), "unix:uid"),
                        Files.getAttribute(runtime.path(), "unix:gid")));
        Path shown = Files.createDirectory(runtime.path().resolve("shown"));
        Folders.setPermissions(shown, "rwxr-xr-x");
        Folders.setPermissions(Files.writeString(shown.resolve("file"), "shown"), "rw-r--r--");
        long before = children();
        assertTrue(read(Mount.readOnly(shown, "/x")).startsWith("shown"));
        assertEquals(before, children(), "no mounts are needed");
    }

    @Test
    void aFolderThatWasReplacedIsSeenAsItIs() throws Exception {
        assertTrue(read(Mount.readOnly(file("a").getParent(), "/x")).startsWith("a"));
        Files.move(closed.resolve("open"), closed.resolve("old"));
        Files.writeString(file("a"), "new");
        assertTrue(read(Mount.readOnly(closed.resolve("open/a"), "/x")).startsWith("new"));
    }

    @Test
    void aFolderWithinAClosedOneWithinAnOpenOneIsReached() throws Exception {
        Path outer = file("a").getParent();
        Path inner = Folders.createPrivate(outer.resolveSibling("private")).resolve("inner");
        Files.writeString(Files.createDirectory(inner).resolve("file"), "inner");
        RootLauncher.Launch launch = launcher.launch(List.of(Mount.readOnly(outer, "/x"), Mount.readOnly(inner, "/y")));
        List<String> argv = launch.commandLine(List.of(
                "/bin/cat",
                launch.mounts().get(0).source() + "/file",
                launch.mounts().get(1).source() + "/file"));
        HostCommand.Outcome outcome = new HostCommand(argv, Map.of(), Path.of("/"), Duration.ofSeconds(20)).run();
        assertEquals("ainner", outcome.stdout(), outcome.stderr());
    }

    @Test
    void theHostDoesNotSeeTheMounts() throws Exception {
        read(Mount.readOnly(file("a").getParent(), "/x"));
        assertFalse(Files.readString(Path.of("/proc/self/mountinfo"))
                .contains(runtime.path().toString()));
        launcher.close();
        assertEquals(0, children());
    }

    private static long children() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("cat"))
                .count();
    }
}
