package dev.pysandbox.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.support.Host;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class UvIT {
    @TempDir
    Path temp;

    private Path bin;
    private Host host;

    @BeforeEach
    void makeHost() throws Exception {
        bin = Files.createDirectory(temp.resolve("bin"));
        host = new Host(
                Map.of("PATH", bin + ":/bin"),
                temp.resolve("home"),
                temp.resolve("cache"),
                Host.current(temp).platform());
    }

    @Test
    void acceptsANamedScriptThatWorks() throws Exception {
        Path wrapper = script("wrapper", "echo 'uv 0.9.1 (abc 2025-01-01)'");
        assertEquals(Optional.of(new Uv(wrapper, "0.9.1", false)), Uv.find(wrapper.toString(), host));
        assertEquals(Optional.of(new Uv(wrapper, "0.9.1", false)), Uv.find("wrapper", host));
    }

    @Test
    void refusesANamedProgramThatDoesNotWork() throws Exception {
        assertRefused(temp.resolve("none/uv").toString(), "can't be run");
        assertRefused("uv-of-mine", "not on PATH");
        assertRefused(script("silent", "exit 0").toString(), "does not answer as uv does");
        assertRefused(script("failing", "echo uv 0.9.1; exit 1").toString(), "does not answer as uv does");
        assertRefused(script("old", "echo uv 0.4.30").toString(), "is uv 0.4.30, which is too old");
    }

    @Test
    void doesNotRunScriptsOnPath() throws Exception {
        script("uv", "touch '" + temp.resolve("asked") + "'; echo uv 0.9.1");
        Optional<Uv> found = Uv.find(Uv.ANY, host);
        assertTrue(found.isEmpty() || !found.get().executable().startsWith(bin), found::toString);
        assertTrue(Files.notExists(temp.resolve("asked")));
    }

    @Test
    void findsThePrivateCopyThatWasFetched() throws Exception {
        Path copy = Uv.privateCopy(UvRelease.pinnedVersion(), host);
        Files.createDirectories(copy.getParent());
        Files.copy(script("x", "echo uv " + UvRelease.pinnedVersion()), copy);
        assertTrue(copy.toFile().setExecutable(true));
        Uv expected = new Uv(copy, UvRelease.pinnedVersion(), true);
        assertEquals(Optional.of(expected), Uv.fetchedBefore(UvRelease.pinnedVersion(), host));
    }

    private void assertRefused(String uvPath, String reason) {
        MissingToolException e = assertThrows(MissingToolException.class, () -> Uv.find(uvPath, host));
        assertTrue(e.getMessage().contains("'" + uvPath + "'") && e.getMessage().contains(reason), e.getMessage());
    }

    private Path script(String name, String commands) throws Exception {
        Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + commands + "\n");
        assertTrue(file.toFile().setExecutable(true));
        return file;
    }
}
