package dev.pysandbox.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.local.NoSandboxProvider;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.Spawner;
import dev.pysandbox.toolchain.Python;
import dev.pysandbox.toolchain.PythonLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentInspectorTest {
    private static final String PACKAGES = "lib/python3.13/site-packages/";

    @TempDir
    Path folder;

    private RuntimeFolder runtime;
    private Path environment;
    private Skeleton skeleton;

    @BeforeEach
    void make() throws IOException {
        runtime = RuntimeFolder.create();
        Sandbox sandbox = new NoSandboxProvider(new Spawner(), runtime).open(message -> {});
        Python python = new Python("3.13.2", Path.of("/python/bin/python3.13"), Path.of("/python"), false);
        skeleton = Skeleton.of(new PythonLayout(python), sandbox);
        environment = folder.resolve("environment");
        skeleton.write(environment, sandbox);
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    @Test
    void acceptsWhatPackagesBring() throws IOException, InstallException {
        write(PACKAGES + "six.py");
        write(PACKAGES + "distutils-precedence.pth");
        write(PACKAGES + "__pycache__/six.cpython-313.pyc");
        write("bin/python-argcomplete");
        write("share/man/man1/x.1");
        Files.createSymbolicLink(environment.resolve("share/link"), Path.of("/etc/passwd"));
        EnvironmentInspector.inspect(environment, skeleton);
    }

    @Test
    void refusesALinkInTheEnvironmentsPlace() throws IOException {
        Files.move(environment, folder.resolve("moved"));
        Files.createSymbolicLink(environment, folder.resolve("moved"));
        assertEquals(
                "The installed packages are refused: the environment is not a folder. To fix: leave out the package"
                        + " that brings it.",
                refusal());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bin", "lib", "lib/python3.13", "lib/python3.13/site-packages"})
    void refusesALinkInAFoldersPlace(String name) throws IOException {
        Path moved = folder.resolve("moved");
        Files.move(environment.resolve(name), moved);
        Files.createSymbolicLink(environment.resolve(name), moved);
        assertTrue(refusal().contains(name + " is not a folder"), refusal());
    }

    @ParameterizedTest
    @ValueSource(strings = {"pyvenv.cfg", PACKAGES + "!python_sandbox.pth"})
    void refusesAChangedFile(String name) throws IOException {
        Path file = environment.resolve(name);
        String content = Files.readString(file);
        Files.writeString(file, content + "x");
        assertTrue(refusal().contains(name + " was changed"), refusal());
        Files.delete(file);
        Files.createSymbolicLink(file, Files.writeString(folder.resolve("same"), content));
        assertTrue(refusal().contains(name + " was changed"), refusal());
        Files.delete(file);
        assertTrue(refusal().contains(name + " can't be read"), refusal());
    }

    @ParameterizedTest
    @ValueSource(strings = {"python", "python3", "python3.13"})
    void refusesAnotherInterpreter(String name) throws IOException {
        Files.delete(environment.resolve("bin").resolve(name));
        write("bin/" + name);
        assertTrue(refusal().contains("bin/" + name + " was changed"), refusal());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                PACKAGES + "!a.pth",
                PACKAGES + " .pth",
                PACKAGES + "!python_sandbox.start",
                "lib64/python3.13/site-packages/x.pth",
                "bin/pyvenv.cfg"
            })
    void refusesWhatRunsBeforeTheSupervisor(String name) throws IOException {
        write(name);
        assertTrue(refusal().contains(name + " would run before"), refusal());
    }

    @Test
    void refusesALinkedCacheOfBytecode() throws IOException {
        Files.createSymbolicLink(environment.resolve(PACKAGES + "__pycache__"), environment.resolve("bin"));
        assertTrue(refusal().contains("__pycache__ is a link"), refusal());
    }

    @Test
    void refusesAnotherWayToTheLibraries() throws IOException {
        Files.createSymbolicLink(environment.resolve("lib64"), Path.of("bin"));
        assertTrue(refusal().contains("lib64 is a link"), refusal());
    }

    @Test
    void refusesAProgramThatRunsWithItsOwnersRights() throws IOException {
        Files.setAttribute(write("bin/tool"), "unix:mode", 0104755);
        assertTrue(refusal().contains("bin/tool would run with its owner's rights"), refusal());
    }

    @Test
    void refusesWhatItsOwnerCannotRead() throws IOException {
        Path locked = Files.createDirectory(environment.resolve("locked"));
        Folders.setPermissions(locked, "---------");
        assertTrue(refusal().contains("locked can't be read"), refusal());
        Folders.setPermissions(locked, "rwx------");
    }

    @Test
    void refusesFoldersThatAreTooDeep() throws IOException {
        Files.createDirectories(environment.resolve("a/".repeat(70)));
        assertTrue(refusal().contains("lies more than 64 folders deep"), refusal());
    }

    @Test
    void takesTheRightToWriteFromOthers() throws IOException, InstallException {
        Path file = write("share/file");
        Folders.setPermissions(file, "rw-rw-rw-");
        Folders.setPermissions(environment, "rwxrwxrwx");
        EnvironmentInspector.inspect(environment, skeleton);
        assertEquals("rw-rw-r--", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals("rwxrwxr-x", PosixFilePermissions.toString(Files.getPosixFilePermissions(environment)));
    }

    private Path write(String name) throws IOException {
        Path file = environment.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "x");
    }

    private String refusal() {
        return String.valueOf(
                assertThrows(InstallException.class, () -> EnvironmentInspector.inspect(environment, skeleton))
                        .getMessage());
    }
}
