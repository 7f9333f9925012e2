package dev.pysandbox.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with folders that look like uv's cache and environments that are linked from it. */
class WheelBytecodeTest {
    private static final String BYTECODE = "__pycache__/core.cpython-313.pyc";

    @TempDir
    Path cache;

    private WheelBytecode bytecode;
    private Path wheels;
    private Path packages;

    @BeforeEach
    void createCache() throws IOException {
        Path uvCache = cache.resolve("install/cache");
        wheels = Files.createDirectories(uvCache.resolve("archive-v0"));
        packages = Files.createDirectories(cache.resolve("environment/site-packages"));
        bytecode = WheelBytecode.in(cache, uvCache, "python3.13");
    }

    /** Writes an unpacked wheel with one package of one module, and its description. */
    private Path unpack(String id, String name) throws IOException {
        Path wheel = wheels.resolve(id);
        Files.createDirectories(wheel.resolve(name));
        Files.writeString(wheel.resolve(name).resolve("core.py"), "name = '" + name + "'");
        Files.createDirectories(wheel.resolve(name + "-1.dist-info"));
        Files.writeString(wheel.resolve(name + "-1.dist-info/METADATA"), "Name: " + name);
        return wheel;
    }

    /** Links the files of a wheel into an environment, as uv does; existing files are replaced. */
    private void install(Path wheel, Path target) throws IOException {
        try (var files = Files.walk(wheel)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path linked = target.resolve(wheel.relativize(file).toString());
                Files.createDirectories(linked.resolveSibling(""));
                Files.deleteIfExists(linked);
                Files.createLink(linked, file);
            }
        }
    }

    private static void compile(Path packages, String name, String content) throws IOException {
        Path file = packages.resolve(name).resolve(BYTECODE);
        Files.createDirectories(file.resolveSibling(""));
        Files.deleteIfExists(file);
        Files.writeString(file, content);
    }

    private List<Path> unshared() throws IOException {
        return bytecode.wheelsOf(packages).unshared();
    }

    @Test
    void laterEnvironmentsHaveTheBytecode() throws IOException {
        Path wheel = unpack("a1", "pandas");
        install(wheel, packages);
        assertEquals(List.of(wheel), unshared());
        compile(packages, "pandas", "compiled");
        bytecode.share(packages, unshared());
        assertEquals(List.of(), unshared());
        assertTrue(bytecode.wheelsOf(packages).complete());

        Path second = Files.createDirectories(cache.resolve("second/site-packages"));
        install(wheel, second);
        assertEquals("compiled", Files.readString(second.resolve("pandas").resolve(BYTECODE)));
        assertTrue(bytecode.wheelsOf(second).complete());
    }

    @Test
    void anotherPythonHasItsOwnBytecode() throws IOException {
        Path wheel = unpack("a1", "pandas");
        install(wheel, packages);
        compile(packages, "pandas", "compiled");
        bytecode.share(packages, unshared());
        WheelBytecode other = WheelBytecode.in(cache, cache.resolve("install/cache"), "python3.14");
        assertEquals(List.of(wheel), other.wheelsOf(packages).unshared());
    }

    @Test
    void bytecodeOfAReplacedSourceIsNotShared() throws IOException {
        Path victim = unpack("a1", "numpy");
        Path attacker = unpack("b2", "evil");
        Files.createDirectories(attacker.resolve("numpy"));
        Files.writeString(attacker.resolve("numpy/core.py"), "evil");
        install(victim, packages);
        install(attacker, packages);
        compile(packages, "numpy", "bytecode of evil");
        bytecode.share(packages, unshared());
        assertFalse(Files.exists(victim.resolve("numpy").resolve(BYTECODE)));
        assertEquals(List.of(victim), unshared());
    }

    @Test
    void scriptsAreNotPackages() throws IOException {
        Path wheel = unpack("a1", "pandas");
        Path script = wheel.resolve("pandas-1.0.data/scripts/show.py");
        Files.createDirectories(script.resolveSibling(""));
        Files.writeString(script, "print()");
        install(wheel, packages);
        Files.delete(packages.resolve("pandas-1.0.data/scripts/show.py"));
        compile(packages, "pandas", "compiled");
        bytecode.share(packages, unshared());
        assertEquals(List.of(), unshared());
    }

    @Test
    void bytecodeThatAWheelBringsIsRemovedBeforeCompiling() throws IOException {
        Path victim = unpack("a1", "numpy");
        Path attacker = unpack("b2", "evil");
        compile(attacker, "numpy", "evil");
        compile(attacker, "evil", "own");
        install(victim, packages);
        install(attacker, packages);
        assertFalse(bytecode.keepShared(packages, bytecode.wheelsOf(packages)));
        assertFalse(Files.exists(packages.resolve("numpy").resolve(BYTECODE)));
        assertFalse(Files.exists(packages.resolve("evil").resolve(BYTECODE)));
        compile(packages, "numpy", "compiled");
        compile(packages, "evil", "compiled");
        bytecode.share(packages, unshared());
        assertEquals("compiled", Files.readString(victim.resolve("numpy").resolve(BYTECODE)));
        assertEquals("compiled", Files.readString(attacker.resolve("evil").resolve(BYTECODE)));
    }

    @Test
    void bytecodeThatAWheelBringsForASharedOneIsRemoved() throws IOException {
        Path victim = unpack("a1", "numpy");
        install(victim, packages);
        compile(packages, "numpy", "compiled");
        bytecode.share(packages, unshared());
        Path attacker = unpack("b2", "evil");
        compile(attacker, "numpy", "evil");
        Path later = Files.createDirectories(cache.resolve("later/site-packages"));
        install(victim, later);
        assertTrue(bytecode.keepShared(later, bytecode.wheelsOf(later)));
        assertEquals("compiled", Files.readString(later.resolve("numpy").resolve(BYTECODE)));
        install(attacker, later);
        assertFalse(bytecode.keepShared(later, bytecode.wheelsOf(later)));
        assertFalse(Files.exists(later.resolve("numpy").resolve(BYTECODE)));
        assertEquals("compiled", Files.readString(victim.resolve("numpy").resolve(BYTECODE)));
    }

    @Test
    void linksAreNotFollowed() throws IOException {
        Path wheel = unpack("a1", "evil");
        Path outside = Files.createDirectory(cache.resolve("outside"));
        install(wheel, packages);
        Files.createSymbolicLink(wheel.resolve("evil/__pycache__"), outside);
        compile(packages, "evil", "compiled");
        bytecode.share(packages, unshared());
        try (var files = Files.list(outside)) {
            assertEquals(0, files.count());
        }
        assertTrue(Files.isSymbolicLink(wheel.resolve("evil/__pycache__")));
    }

    @Test
    void anEnvironmentWithACopiedPackageIsNotComplete() throws IOException {
        Path wheel = unpack("a1", "pandas");
        install(wheel, packages);
        compile(packages, "pandas", "compiled");
        bytecode.share(packages, unshared());
        Files.createDirectories(packages.resolve("built-1.dist-info"));
        Files.writeString(packages.resolve("built-1.dist-info/METADATA"), "Name: built");
        assertFalse(bytecode.wheelsOf(packages).complete());
    }

    @Test
    void marksAreForgottenWithTheCache() throws IOException {
        Path wheel = unpack("a1", "pandas");
        install(wheel, packages);
        compile(packages, "pandas", "compiled");
        bytecode.share(packages, unshared());
        WheelBytecode.forget(bytecode.known(), cache.resolve("install/another-cache"));
        assertEquals(List.of(), unshared());
        WheelBytecode.forget(bytecode.known(), cache.resolve("install/cache"));
        assertEquals(List.of(wheel), unshared());
        assertTrue(Files.isDirectory(bytecode.known(), LinkOption.NOFOLLOW_LINKS));
    }
}
