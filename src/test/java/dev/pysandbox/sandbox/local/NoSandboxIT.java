package dev.pysandbox.sandbox.local;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxContract;
import dev.pysandbox.support.Spawner;
import org.junit.jupiter.api.Test;

class NoSandboxIT extends SandboxContract {
    @Override
    protected Sandbox create(Spawner spawner, RuntimeFolder runtime) {
        return new NoSandbox(spawner, runtime);
    }

    @Test
    void isNoWallAndSaysSo() {
        assertFalse(sandbox.capabilities().isolates());
    }
}
