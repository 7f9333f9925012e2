package dev.pysandbox.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.index.IndexSettings;
import dev.pysandbox.support.Host;
import dev.pysandbox.support.HostCommand;
import dev.pysandbox.support.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Uses the real uv and any Python of this machine. */
@Timeout(300)
class PythonsIT {
    @TempDir
    static Path shared;

    private static Host here;
    private static Uv uv;
    /** A Python of this machine. */
    private static Python present;

    @TempDir
    Path temp;

    private final List<String> progress = Collections.synchronizedList(new ArrayList<>());

    @BeforeAll
    static void findUvAndAPython() throws Exception {
        here = Host.current(shared.resolve("cache"));
        IndexSettings settings = IndexSettings.fromEnvironment(here.environment());
        uv = Uv.findOrFetch(Uv.ANY, here, settings, line -> {});
        PythonCandidates candidates = new PythonCandidates(here, Path.of("/"));
        List<PythonVersion> newestFirst = new ArrayList<>(candidates.series());
        Collections.reverse(newestFirst);
        String series = newestFirst.stream()
                .filter(version -> !candidates.installed(version).isEmpty())
                .findFirst()
                .orElseThrow(() -> new AssertionError("these tests need a Python on this machine"))
                .toString();
        present = new Pythons(here, source(here, settings), settings, line -> {}).find(series);
    }

    @BeforeEach
    void startWithNothing() throws IOException {
        Files.createDirectories(temp.resolve("home"));
    }

    @Test
    void returnsVersionAndPaths() throws Exception {
        assertTrue(Files.isExecutable(present.executable()), present::toString);
        assertEquals(present.executable(), present.executable().toRealPath());
        String version = python(present.executable(), "import platform; print(platform.python_version())");
        assertEquals(present.version(), version);
        assertEquals(present.home().toString(), python(present.executable(), "import sys; print(sys.base_prefix)"));
    }

    @Test
    void remembersUntilTheInterpreterChanges() throws Exception {
        Path home = temp.resolve("home/.pyenv/versions/" + present.version());
        Path executable = fakePython(home);
        String fake = present.version();
        Host host = host(Map.of());
        Python first = pythons(host).find(fake);
        assertEquals(executable.toRealPath(), first.executable());

        Path asked = temp.resolve("asked");
        Files.deleteIfExists(asked);
        assertEquals(first, pythons(host).find(fake));
        assertTrue(Files.notExists(asked), "the second time it is not asked");

        Files.setLastModifiedTime(executable, FileTime.from(Instant.EPOCH));
        assertEquals(first, pythons(host).find(fake));
        assertTrue(Files.exists(asked), "a changed one is asked again");
    }

    @Test
    void downloadsAMissingVersion() throws Exception {
        Map<String, String> mirror = mirror(false);
        Host host = host(mirror);
        Python python = pythons(host).find("3." + minor());
        assertTrue(python.executable().startsWith(temp.resolve("cache/pythons").toRealPath()), python::toString);
        assertEquals(present.version(), python.version());
        assertTrue(progress.contains("Downloading Python 3." + minor()), progress::toString);
        assertEquals(List.of(), list(temp.resolve("home")), "nothing else on the host is written");
    }

    @Test
    void refusesADownloadWithAWrongHash() throws Exception {
        Host host = host(mirror(true));
        MissingToolException e =
                assertThrows(MissingToolException.class, () -> pythons(host).find("3." + minor()));
        assertTrue(e.getMessage().contains("Hash mismatch"), e.getMessage());
        assertFalse(e.getMessage().contains("\n"), e.getMessage());
        assertTrue(e.getMessage().contains("install Python 3." + minor()), e.getMessage());
    }

    @Test
    void remembersAFailedDownloadUntilSettingsChange() throws Exception {
        Host host = host(mirror(true));
        String wanted = "3." + minor();
        assertThrows(MissingToolException.class, () -> pythons(host).find(wanted));
        assertEquals(1, downloads());
        MissingToolException again =
                assertThrows(MissingToolException.class, () -> pythons(host).find(wanted));
        assertEquals(1, downloads(), "not tried a second time");
        assertTrue(again.getMessage().contains("Hash mismatch"), again.getMessage());
        assertTrue(again.getMessage().contains("tried again after"), again.getMessage());

        Map<String, String> changed = new HashMap<>(host.environment());
        changed.put("HTTPS_PROXY", "http://127.0.0.1:1");
        assertThrows(MissingToolException.class, () -> pythons(host(changed)).find(wanted));
        assertEquals(2, downloads(), "other settings are tried");

        answering(temp.resolve("home/.pyenv/versions/" + present.version()), present.version(), "");
        assertEquals(present.version(), pythons(host).find(wanted).version(), "an installed one is found at once");
        assertEquals(2, downloads());
    }

    @Test
    void severalAtOnceTryOneDownload() throws Exception {
        Host host = host(mirror(true));
        ExecutorService servers = Executors.newFixedThreadPool(3);
        try {
            Callable<String> find = () -> assertThrows(
                            MissingToolException.class, () -> pythons(host).find("3." + minor()))
                    .getMessage();
            for (Future<String> message : servers.invokeAll(Collections.nCopies(3, find))) {
                assertTrue(message.get().contains("Hash mismatch"), message.get());
            }
        } finally {
            servers.shutdownNow();
        }
        assertEquals(1, downloads());
    }

    private long downloads() {
        return progress.stream()
                .filter(line -> line.startsWith("Downloading Python"))
                .count();
    }

    @Test
    void downloadsNothingIfForbidden() {
        for (Map<String, String> forbidden :
                List.of(Map.of("UV_OFFLINE", "1"), Map.of("UV_PYTHON_DOWNLOADS", "never"))) {
            MissingToolException e = assertThrows(
                    MissingToolException.class, () -> pythons(host(forbidden)).find("3.77"));
            assertTrue(e.getMessage().contains(forbidden.keySet().iterator().next() + " is set"), e.getMessage());
        }
    }

    @Test
    void listsInstalledPythonsIfTheWantedOneIsMissing() throws Exception {
        fakePython(temp.resolve("home/.pyenv/versions/" + present.version()));
        Host host = host(Map.of("UV_OFFLINE", "1"));
        MissingToolException e =
                assertThrows(MissingToolException.class, () -> pythons(host).find("3.77"));
        assertTrue(e.getMessage().endsWith("--python-version: 3." + minor()), e.getMessage());
    }

    @Test
    void followsAVirtualEnvironmentToItsBase() throws Exception {
        Path environment = temp.resolve("home/.pyenv/versions/" + present.version());
        Files.createDirectories(environment.getParent());
        run(List.of(present.executable().toString(), "-m", "venv", "--without-pip", environment.toString()));
        Python found = pythons(host(Map.of())).find(present.version());
        assertEquals(present, found);
        assertNotEquals(environment, found.home());
    }

    @Test
    void takesAPreReleaseOnlyIfThereIsNothingElse() throws Exception {
        Path versions = temp.resolve("home/.pyenv/versions");
        answering(versions.resolve("3.77.0rc2"), "3.77.0rc2", "");
        Host host = host(Map.of("UV_OFFLINE", "1"));
        assertEquals("3.77.0rc2", pythons(host).find("3.77").version());
        answering(versions.resolve("3.78.1t"), "3.78.1", "unusual");
        answering(versions.resolve("3.78.0b1"), "3.78.0b1", "");
        answering(versions.resolve("3.78.0"), "3.78.0", "");
        assertEquals("3.78.0", pythons(host).find("3.78").version());
        assertThrows(MissingToolException.class, () -> pythons(host).find("3.78.9"));
    }

    /** Returns a host with a separate home and cache, and no program on PATH. */
    private Host host(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("PATH", "/nonexistent");
        return new Host(all, temp.resolve("home"), temp.resolve("cache"), here.platform());
    }

    private Pythons pythons(Host host) {
        IndexSettings settings = IndexSettings.fromEnvironment(host.environment());
        PythonCandidates candidates = new PythonCandidates(host, temp.resolve("root"));
        return new Pythons(host, source(host, settings), settings, progress::add, candidates);
    }

    private static UvSource source(Host host, IndexSettings settings) {
        return new UvSource(uv.executable().toString(), host, settings);
    }

    private static String minor() {
        return String.valueOf(PythonVersion.parse(present.version()).minor());
    }

    /** Creates a script that prints the facts of the present Python, and writes a file when it runs. */
    private Path fakePython(Path folder) throws IOException {
        Path file = folder.resolve("bin/python3." + minor());
        Files.createDirectories(file.getParent());
        String output =
                String.join("\\000", "cpython", present.version(), "", file.toString(), folder.toString(), "", "");
        return script(file, ": > '" + temp.resolve("asked") + "'\nprintf '" + output + "'");
    }

    private void answering(Path folder, String version, String unusual) throws IOException {
        Path file = folder.resolve("bin/python" + PythonVersion.parse(version).series());
        Files.createDirectories(file.getParent());
        String output = String.join("\\000", "cpython", version, unusual, file.toString(), folder.toString(), "", "");
        script(file, "printf '" + output + "'");
    }

    private static Path script(Path file, String commands) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + commands + "\n");
        assertTrue(file.toFile().setExecutable(true));
        return file;
    }

    /** Creates a mirror with one Python, a copy of the present one in the layout of uv's downloads. */
    private Map<String, String> mirror(boolean wrongHash) throws Exception {
        Path folder = Files.createDirectories(temp.resolve("mirror/python"));
        String series = "python3." + minor();
        Path parts = temp.resolve("mirror/parts.tar");
        run(Stream.concat(
                        Stream.of(
                                "tar",
                                "-cf",
                                parts.toString(),
                                "-C",
                                present.home().toString()),
                        Stream.of(
                                "--exclude=test",
                                "--exclude=*-packages",
                                "--exclude=config-*",
                                "--exclude=__pycache__",
                                "--exclude=sitecustomize.py", // a link to /etc on Debian
                                "bin/" + series,
                                "lib/" + series))
                .toList());
        run(List.of("tar", "-xf", parts.toString(), "-C", folder.toString()));
        Path archive = temp.resolve("mirror/python.tar.gz");
        run(List.of("tar", "-czf", archive.toString(), "-C", folder.getParent().toString(), "python"));
        String hash = wrongHash
                ? "0".repeat(64)
                : HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(archive)));
        PythonVersion version = PythonVersion.parse(present.version());
        String json = """
                {"cpython-%1$s-linux-x86_64-gnu": {"name": "cpython", "arch": {"family": "%2$s", "variant": null},
                  "os": "%3$s", "libc": "%4$s", "major": %5$d, "minor": %6$d, "patch": %7$d, "prerelease": "",
                  "url": "%8$s", "sha256": "%9$s", "variant": null, "build": "20260101"}}
                """.formatted(
                        version,
                        here.platform().architecture(),
                        here.platform().os() == Platform.Os.MACOS ? "darwin" : "linux",
                        here.platform().os() == Platform.Os.MACOS
                                ? "none"
                                : here.platform().musl() ? "musl" : "gnu",
                        version.major(),
                        version.minor(),
                        version.micro().orElseThrow(),
                        archive.toUri(),
                        hash);
        Path list = Files.writeString(temp.resolve("mirror/downloads.json"), json);
        return Map.of("UV_PYTHON_DOWNLOADS_JSON_URL", list.toUri().toString());
    }

    private static String python(Path executable, String code) throws Exception {
        return run(List.of(executable.toString(), "-I", "-c", code)).strip();
    }

    private static String run(List<String> command) throws Exception {
        HostCommand.Outcome outcome =
                new HostCommand(command, Map.of("PATH", "/usr/bin:/bin"), shared, Duration.ofMinutes(2)).run();
        assertTrue(outcome.succeeded(), outcome::toString);
        return outcome.stdout();
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }
}
