package dev.pysandbox.execution;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.PythonSandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPythonSandboxTest {
    @TempDir
    private Path cache;

    @Test
    void leavesNoFolderIfOpeningFails() {
        Config config = PythonSandbox.builder().cacheDir(cache).config();
        AtomicReference<Path> folder = new AtomicReference<>(cache);
        LocalPythonSandbox.Backends failing = (host, runtime) -> {
            folder.set(runtime.path());
            throw new IllegalStateException("no backend");
        };
        assertThrows(IllegalStateException.class, () -> LocalPythonSandbox.open(config, failing));
        assertFalse(Files.exists(folder.get()));
    }
}
