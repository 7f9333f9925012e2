package dev.pysandbox.sandbox.bubblewrap;

import dev.pysandbox.api.Backend;
import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxProvider;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.support.Spawner;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The backend {@code native}.
 *
 * @param environment the server's environment variables
 */
public record BubblewrapProvider(Spawner spawner, RuntimeFolder runtime, Map<String, String> environment)
        implements SandboxProvider {
    public BubblewrapProvider {
        environment = Map.copyOf(environment);
    }

    @Override
    public Backend backend() {
        return Backend.NATIVE;
    }

    @Override
    public Sandbox open(Consumer<String> progress) throws RefusedException {
        try {
            BubblewrapSandbox sandbox =
                    BubblewrapSandbox.create(spawner, runtime, Optional.ofNullable(environment.get("PATH")));
            sandbox.check();
            return sandbox;
        } catch (IOException e) {
            throw BubblewrapDiagnosis.of(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw RefusedException.interrupted();
        }
    }
}
