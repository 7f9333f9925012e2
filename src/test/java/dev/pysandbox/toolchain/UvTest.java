package dev.pysandbox.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.support.Host;
import dev.pysandbox.support.Platform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UvTest {
    private static final Platform LINUX = new Platform(Platform.Os.LINUX, "x86_64", false);

    @Test
    void looksOnPathBeforeInstallersFolders() {
        Host host = new Host(Map.of("PATH", "/one:relative::/two"), Path.of("/home/me"), Path.of("/cache"), LINUX);
        List<Path> candidates = Uv.candidates(host);
        assertEquals(
                List.of(Path.of("/one/uv"), Path.of("/two/uv"), Path.of("/home/me/.local/bin/uv")),
                candidates.subList(0, 3));
        assertTrue(candidates.contains(Path.of("/opt/homebrew/bin/uv")));
        assertEquals(Path.of("/cache/uv/1.2.3/uv"), Uv.privateCopy("1.2.3", host));
    }

    @Test
    void keepsShimsOffTheToolsPath() {
        Map<String, String> environment = Map.of(
                "PATH", "/home/me/.pyenv/shims:/usr/bin", "PYTHONPATH", "/x", "UV_PYTHON", "x", "LANG", "C.UTF-8");
        Host host = new Host(environment, Path.of("/home/me"), Path.of("/cache"), LINUX);
        assertEquals(Map.of("PATH", "/usr/bin", "HOME", "/home/me", "LANG", "C.UTF-8"), host.toolEnvironment());
    }

    @Test
    void distinguishesProgramsFromScripts(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "#!/bin/sh\n");
        Path program = Files.writeString(folder.resolve("program"), "\177ELF");
        assertFalse(Uv.isProgram(program), "not executable yet");
        assertTrue(script.toFile().setExecutable(true) && program.toFile().setExecutable(true));
        assertFalse(Uv.isProgram(script));
        assertTrue(Uv.isProgram(program));
        assertFalse(Uv.isProgram(folder));
        assertFalse(Uv.isProgram(folder.resolve("none")));
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, false, linux-x86_64, uv",
        "Linux, aarch64, true, linux-musl-aarch64, uv",
        "Mac OS X, aarch64, true, macos-aarch64, uv",
        "Windows 11, amd64, false, windows-x86_64, uv.exe",
    })
    void namesPlatforms(String os, String architecture, boolean musl, String expected, String program) {
        Platform platform = Platform.of(os, architecture, musl);
        assertEquals(expected, platform.toString());
        assertEquals(program, platform.program("uv"));
    }

    @ParameterizedTest
    @CsvSource({
        "LINUX, x86_64, false",
        "LINUX, aarch64, false",
        "LINUX, x86_64, true",
        "LINUX, aarch64, true",
        "MACOS, x86_64, false",
        "MACOS, aarch64, false",
        "WINDOWS, x86_64, false",
        "WINDOWS, aarch64, false",
    })
    void hasAPinnedReleaseForEachPlatform(Platform.Os os, String architecture, boolean musl) {
        UvRelease release =
                UvRelease.pinned(new Platform(os, architecture, musl)).orElseThrow();
        assertTrue(release.wheel().startsWith("uv-" + release.version() + "-py3-none-"), release::wheel);
        assertTrue(release.sha256().matches("[0-9a-f]{64}"), release::sha256);
        assertTrue(release.size() > 10_000_000, release::toString);
        assertEquals(UvRelease.pinnedVersion(), release.version());
    }

    @Test
    void hasNoneForOthers() {
        assertEquals(Optional.empty(), UvRelease.pinned(new Platform(Platform.Os.LINUX, "sparc", false)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "error: No download found for request: cpython-3.99 | No download found for request: cpython-3.99",
                "error: Failed to install x\\n  cause: Request failed\\n  cause: dns error | Failed to install x: dns error",
                "warn\\nerror: Failed\\n  Caused by: one\\n  Caused by: Hash mismatch | Failed: Hash mismatch",
                "\\e[1merror\\e[0m: Failed | Failed",
                "something else | something else",
                "'' | uv gave no reason",
            })
    void returnsTheReasonOfUvInOneLine(String stderr, String expected) {
        assertEquals(expected, UvReason.of(stderr.replace("\\n", "\n").replace("\\e", "\u001b")));
    }
}
