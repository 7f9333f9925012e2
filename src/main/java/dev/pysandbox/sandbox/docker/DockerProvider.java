package dev.pysandbox.sandbox.docker;

import dev.pysandbox.api.Backend;
import dev.pysandbox.api.Network;
import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxProvider;
import dev.pysandbox.sandbox.local.PackageManager;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.sandbox.local.SyntheticEtc;
import dev.pysandbox.sandbox.seccomp.SeccompPolicy;
import dev.pysandbox.support.Platform;
import dev.pysandbox.support.Spawner;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
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

    /** Pulls or builds the image if needed, which may take minutes, and removes leftovers of dead servers. */
    @Override
    public Sandbox open(Consumer<String> progress) throws RefusedException {
        DockerEngine engine = DockerEngine.find(environment)
                .orElseThrow(() -> DockerDiagnosis.missing(system, PackageManager.current()));
        DockerImage image = new DockerImage(engine, settings);
        DockerDiagnosis diagnosis = new DockerDiagnosis(system, engine.command(), image.name());
        try {
            DockerFeatures features = DockerFeatures.of(engine, diagnosis);
            String id = image.obtain(runtime.fresh("image"), diagnosis, progress);
            String description = engine.command() + " " + features.version() + ", image " + image.name()
                    + settings.runtime().map(chosen -> ", runtime " + chosen).orElse("");
            Network network = system == Platform.Os.LINUX ? Network.INTERNET : Network.NONE;
            DockerProbe probe = new DockerProbe(settings, diagnosis, network);
            DockerSandbox sandbox =
                    new DockerSandbox(spawner, runtime, command(engine, features, id), probe, description);
            sandbox.check();
            return sandbox;
        } catch (IOException e) {
            throw diagnosis.of(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw RefusedException.interrupted();
        }
    }

    private DockerCommand command(DockerEngine engine, DockerFeatures features, String image)
            throws IOException, InterruptedException {
        DockerOrphans orphans = new DockerOrphans(engine, runtime);
        orphans.sweep();
        DockerUser user = DockerUser.current();
        return new DockerCommand(
                engine,
                features,
                image,
                settings.runtime(),
                user,
                SyntheticEtc.write(runtime.path().resolve("docker-etc"), user.user(), user.group()),
                orphans.labels(),
                Files.writeString(
                        runtime.path().resolve("docker-seccomp.json"), DockerSeccompProfile.of(SeccompPolicy.load())));
    }
}
