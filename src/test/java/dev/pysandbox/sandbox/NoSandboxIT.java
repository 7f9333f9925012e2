package dev.pysandbox.sandbox;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.pysandbox.process.Spawner;
import org.junit.jupiter.api.Test;

class NoSandboxIT extends SandboxContract {
    @Override
    Sandbox create(Spawner spawner, RuntimeFolder runtime) {
        return new NoSandbox(spawner, runtime);
    }

    @Test
    void isNoWallAndSaysSo() {
        assertFalse(sandbox.isolates());
    }
}
