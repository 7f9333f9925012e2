package dev.pysandbox.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.support.Host;
import dev.pysandbox.support.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PythonCandidatesTest {
    @TempDir
    Path temp;

    private Path root;
    private PythonCandidates candidates;

    @BeforeEach
    void makeHost() throws IOException {
        root = temp.toRealPath();
        Platform platform = new Platform(Platform.Os.LINUX, "x86_64", false);
        Map<String, String> environment =
                Map.of("PYENV_ROOT", root.resolve("pyenv").toString());
        candidates = new PythonCandidates(
                new Host(environment, root.resolve("home"), root.resolve("cache"), platform), root);
    }

    @Test
    void listsVersionManagersBeforeTheSystem() throws IOException {
        List<String> inOrder = List.of(
                "pyenv/versions/3.13.1/bin/python3.13",
                "home/.pyenv/versions/3.13.5/bin/python3.13",
                "home/.asdf/installs/python/3.13.2/bin/python3.13",
                "home/.local/share/mise/installs/python/3.13.3/bin/python3.13",
                "home/.local/share/uv/python/cpython-3.13.4-linux-x86_64-gnu/bin/python3.13",
                "opt/homebrew/opt/python@3.13/bin/python3.13",
                "usr/local/opt/python@3.13/bin/python3.13",
                "opt/python/3.13.9/bin/python3.13",
                "opt/python3.13/bin/python3.13",
                "usr/local/bin/python3.13",
                "usr/bin/python3.13");
        for (String file : inOrder) {
            make(file);
        }
        make("home/.pyenv/versions/3.12.1/bin/python3.12");
        make("home/.pyenv/versions/pypy3.13-7.3/bin/python3.13");
        make("home/.pyenv/versions/miniconda3-3.13/bin/python3.13");
        assertEquals(inOrder, relative(candidates.installed(PythonVersion.parse("3.13"))));
    }

    @Test
    void takesTheNewestPatchFirstAndUnusualBuildsLast() throws IOException {
        make("home/.pyenv/versions/3.13.2/bin/python3.13");
        make("home/.pyenv/versions/3.13.10/bin/python3.13");
        make("home/.pyenv/versions/3.13.11t/bin/python3.13");
        make("home/.pyenv/versions/3.13.0rc1/bin/python3.13");
        make("home/.pyenv/versions/3.13.0/bin/python3.13");
        Files.createSymbolicLink(
                root.resolve("home/.pyenv/versions/3.13"), root.resolve("home/.pyenv/versions/3.13.10"));
        assertEquals(
                List.of("3.13.10", "3.13.2", "3.13.0", "3.13.0rc1", "3.13.11t"),
                relative(candidates.installed(PythonVersion.parse("3.13"))).stream()
                        .map(file -> Path.of(file).getName(3).toString())
                        .toList());
    }

    @Test
    void excludesOtherVersionsByName() throws IOException {
        make("home/.pyenv/versions/3.13.2/bin/python3.13");
        make("home/.pyenv/versions/3.13.1/bin/python3.13");
        make("usr/bin/python3.13");
        assertEquals(
                List.of("home/.pyenv/versions/3.13.1/bin/python3.13", "usr/bin/python3.13"),
                relative(candidates.installed(PythonVersion.parse("3.13.1"))));
    }

    @Test
    void listsDownloadedPythonsSeparately() throws IOException {
        make("cache/pythons/cpython-3.14.0-linux-x86_64-gnu/bin/python3.14");
        PythonVersion wanted = PythonVersion.parse("3.14");
        assertEquals(1, candidates.downloaded(wanted).size());
        assertEquals(List.of(), candidates.installed(wanted));
    }

    @Test
    void skipsFilesThatAreNotExecutable() throws IOException {
        make("usr/bin/python3.13");
        assertTrue(root.resolve("usr/bin/python3.13").toFile().setExecutable(false, false));
        assertEquals(List.of(), candidates.installed(PythonVersion.parse("3.13")));
    }

    @Test
    void listsTheInstalledSeries() throws IOException {
        make("home/.pyenv/versions/3.12.1/bin/python3.12");
        make("home/.pyenv/versions/3.9.1/bin/python3.9");
        make("usr/bin/python3.11");
        make("usr/bin/python3.11-config");
        assertEquals(
                List.of("3.9", "3.11", "3.12"),
                candidates.series().stream().map(PythonVersion::toString).toList());
    }

    private void make(String file) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, "");
        assertTrue(path.toFile().setExecutable(true));
    }

    private List<String> relative(List<Path> files) {
        return files.stream().map(file -> root.relativize(file).toString()).toList();
    }
}
