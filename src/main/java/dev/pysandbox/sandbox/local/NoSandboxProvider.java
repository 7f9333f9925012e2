package dev.pysandbox.sandbox.local;

import dev.pysandbox.api.Backend;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxProvider;
import dev.pysandbox.support.Spawner;
import java.util.function.Consumer;

/** The backend {@code none}, which always works and isolates nothing. */
public record NoSandboxProvider(Spawner spawner, RuntimeFolder runtime) implements SandboxProvider {
    @Override
    public Backend backend() {
        return Backend.NONE;
    }

    @Override
    public Sandbox open(Consumer<String> progress) {
        return new NoSandbox(spawner, runtime);
    }
}
