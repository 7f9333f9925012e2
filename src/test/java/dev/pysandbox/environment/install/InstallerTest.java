package dev.pysandbox.environment.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.pysandbox.index.IndexSettings;
import dev.pysandbox.sandbox.local.NoSandboxProvider;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.supervisor.SupervisorProgram;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Host;
import dev.pysandbox.support.Spawner;
import dev.pysandbox.toolchain.UvSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstallerTest {
    private static final String INDEX = "UV_DEFAULT_INDEX";

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "UV_DEFAULT_INDEX, https://other.example/simple",
        "UV_INDEX, https://extra.example/simple",
        "UV_FIND_LINKS, https://links.example/page",
        "UV_FIND_LINKS, /folder/of/wheels",
        "UV_INDEX_STRATEGY, unsafe-best-match"
    })
    void environmentsDifferByAllThatChangesWhatIsInstalled(String variable, String value) throws IOException {
        assertNotEquals(identity(Map.of(), Optional.empty()), identity(Map.of(variable, value), Optional.empty()));
    }

    @Test
    void environmentsDifferByTheAgeOfPackages() throws IOException {
        assertNotEquals(identity(Map.of(), Optional.empty()), identity(Map.of(), Optional.of(Duration.ofDays(3))));
    }

    @Test
    void environmentsAreTheSameOffline() throws IOException {
        assertEquals(identity(Map.of(), Optional.empty()), identity(Map.of("UV_OFFLINE", "1"), Optional.empty()));
    }

    @Test
    void credentialsArePartOfNoName() throws IOException {
        Map<String, String> variables = Map.of(
                INDEX,
                "https://user:hidden@index.example/simple",
                "UV_INDEX",
                "https://user:hidden@extra.example/simple",
                "UV_FIND_LINKS",
                "https://user:hidden@links.example/page");
        assertFalse(identity(variables, Optional.empty()).contains("hidden"));
    }

    private String identity(Map<String, String> variables, Optional<Duration> age) throws IOException {
        try (RuntimeFolder runtime = RuntimeFolder.create()) {
            Host host = Host.current(folder);
            IndexSettings index = IndexSettings.fromEnvironment(variables);
            return new Installer(
                            host,
                            new NoSandboxProvider(new Spawner(), runtime).open(message -> {}),
                            SupervisorProgram.extract(folder.resolve("supervisor")),
                            index,
                            new UvSource("uv", host, index),
                            age,
                            ByteSize.parse("1g"))
                    .identity();
        }
    }
}
