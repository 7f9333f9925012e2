package dev.pysandbox.sandbox.docker;

import dev.pysandbox.api.Backend;
import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxProvider;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.support.Platform;
import dev.pysandbox.support.Spawner;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The backend {@code docker}.
 *
 * @param environment the server's environment variables
 * @param system the host's operating system
 */
public record DockerProvider(
        Spawner spawner,
        RuntimeFolder runtime,
        Map<String, String> environment,
        Platform.Os system,
        DockerSettings settings)
        implements SandboxProvider {
    public DockerProvider {
        environment = Map.copyOf(environment);
    }

    @Override
    public Backend backend() {
        return Backend.DOCKER;
    }

    @Override
    public Sandbox open(Consumer<String> progress) throws RefusedException {
        try {
            DockerSandbox sandbox = DockerSandbox.open(spawner, runtime, environment, system, settings, progress);
            Optional<Sandbox.Refusal> refusal = sandbox.check();
            if (refusal.isPresent()) {
                throw new RefusedException(refusal.get());
            }
            return sandbox;
        } catch (IOException e) {
            DockerDiagnosis diagnosis =
                    new DockerDiagnosis(system, "docker", settings.image().orElse(""));
            throw new RefusedException(diagnosis.of(String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefusedException(new Sandbox.Refusal(
                    "docker", "the server shut down before docker was tried", "start the server again"));
        }
    }
}
