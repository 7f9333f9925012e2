package dev.pysandbox.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.Config.DataFolder;
import dev.pysandbox.api.Config.Policy;
import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.PythonScript;
import dev.pysandbox.script.ScriptRequirements;
import dev.pysandbox.support.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The defaults that users were promised. */
class PythonSandboxBuilderTest {
    @Test
    void defaults() {
        Config config = PythonSandbox.builder().config();
        assertEquals("3.13", config.pythonVersion());
        assertEquals(Duration.ofMinutes(5), config.maxTimeout());
        assertEquals(Duration.ofSeconds(30), config.defaultTimeout());
        assertEquals(102_400, config.maxOutputBytes());
        assertEquals(ByteSize.parse("2g"), config.maxMemory());
        assertEquals(ByteSize.parse("512m"), config.tmpSize());
        assertEquals(ByteSize.parse("5g"), config.maxCacheSize());
        assertEquals(128, config.maxProcesses());
        assertEquals(Network.INTERNET, config.network());
        assertEquals(Policy.OPEN, config.policy());
        assertTrue(config.warmCache());
    }

    @Test
    void theRestrictedPolicyHasItsOwn() {
        Config config = PythonSandbox.builder().policy(Policy.RESTRICTED).config();
        assertEquals(Duration.ofMinutes(1), config.maxTimeout());
        assertEquals(Duration.ofSeconds(30), config.defaultTimeout());
        assertEquals(65_536, config.maxOutputBytes());
        assertEquals(ByteSize.parse("256m"), config.maxMemory());
        assertEquals(64, config.policy().openFiles());
    }

    @Test
    void itsLimitsHaveMaxima() {
        PythonSandboxBuilder builder = PythonSandbox.builder().policy(Policy.RESTRICTED);
        assertEquals(
                ByteSize.parse("1g"),
                builder.maxMemory(ByteSize.parse("1g")).config().maxMemory());
        builder.maxMemory(ByteSize.parse("1025m"));
        assertThrows(IllegalArgumentException.class, builder::config);
    }

    @Test
    void scriptsCanReplaceNoFolderThatTheServerUses(@TempDir Path folder) throws IOException {
        Path inner = Files.createDirectories(folder.resolve("outer/inner"));
        Path alias = Files.createSymbolicLink(folder.resolve("alias"), inner);
        DataFolder outer = new DataFolder(folder.resolve("outer"), true);
        for (Path other : List.of(inner, alias)) {
            PythonSandboxBuilder builder = PythonSandbox.builder().mounts(List.of(outer, new DataFolder(other, false)));
            assertThrows(IllegalArgumentException.class, builder::config);
        }
        PythonSandboxBuilder cache =
                PythonSandbox.builder().mounts(List.of(outer)).cacheDir(inner);
        assertThrows(IllegalArgumentException.class, cache::config);
        List<DataFolder> writableInside =
                List.of(new DataFolder(folder.resolve("outer"), false), new DataFolder(inner, true));
        assertEquals(
                writableInside,
                PythonSandbox.builder().mounts(writableInside).config().mounts());
    }

    @Test
    void anAgeOfPackagesRefusesUrls() throws InvalidScriptException {
        ScriptRequirements requirements = ScriptRequirements.merge(
                PythonScript.parse("pass"), List.of("six @ https://files.example/six-1.17.0.whl"), "3.13");
        PythonSandbox.builder().config().check(requirements);
        PythonSandbox.builder().packageAge(Duration.ZERO).config().check(requirements);
        Config config = PythonSandbox.builder().packageAge(Duration.ofDays(30)).config();
        String problem = assertThrows(InvalidScriptException.class, () -> config.check(requirements))
                .getMessage();
        assertTrue(problem.contains("--package-age") && problem.contains("\"six\""), problem);
        config.check(ScriptRequirements.merge(PythonScript.parse("pass"), List.of("six"), "3.13"));
    }
}
