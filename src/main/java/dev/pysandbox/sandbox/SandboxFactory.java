package dev.pysandbox.sandbox;

import dev.pysandbox.process.Spawner;
import dev.pysandbox.sandbox.Sandbox.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Picks the first sandbox that really works here, and keeps the reasons of those that don't. */
public final class SandboxFactory {
    private final Spawner spawner;
    private final RuntimeFolder runtime;
    private final Map<String, String> environment;
    private final DockerSettings docker;
    private final String system;

    public SandboxFactory(
            Spawner spawner, RuntimeFolder runtime, Map<String, String> environment, DockerSettings docker) {
        this(spawner, runtime, environment, docker, System.getProperty("os.name"));
    }

    /** @param system the host's system, as {@code os.name} has it */
    SandboxFactory(
            Spawner spawner,
            RuntimeFolder runtime,
            Map<String, String> environment,
            DockerSettings docker,
            String system) {
        this.spawner = spawner;
        this.runtime = runtime;
        this.environment = environment;
        this.docker = docker;
        this.system = system;
    }

    /** The sandbox that was chosen, and why each one before it in the order was not. */
    public record Choice(Sandbox sandbox, List<Refusal> refusals) {
        public Choice {
            refusals = List.copyOf(refusals);
        }
    }

    /** native, docker, none on Linux; docker, none elsewhere: from the wanted one on. */
    public Choice choose(Backend wanted, Consumer<String> progress) {
        List<Refusal> refusals = new ArrayList<>();
        if (wanted == Backend.NATIVE && system.equals("Linux")) {
            Optional<Sandbox> sandbox = tryBubblewrap(refusals);
            if (sandbox.isPresent()) {
                return new Choice(sandbox.get(), refusals);
            }
        }
        if (wanted != Backend.NONE) {
            Optional<Sandbox> sandbox = tryDocker(refusals, progress);
            if (sandbox.isPresent()) {
                return new Choice(sandbox.get(), refusals);
            }
        }
        return new Choice(new NoSandbox(spawner, runtime), refusals);
    }

    private Optional<Sandbox> tryBubblewrap(List<Refusal> refusals) {
        try {
            BubblewrapSandbox sandbox = BubblewrapSandbox.create(spawner, runtime, environment);
            Optional<Refusal> refusal = sandbox.check();
            if (refusal.isEmpty()) {
                return Optional.of(sandbox);
            }
            refusals.add(refusal.get());
        } catch (BubblewrapSandbox.BubblewrapMissingException e) {
            refusals.add(BubblewrapDiagnosis.missing());
        } catch (IOException e) {
            refusals.add(BubblewrapDiagnosis.of(String.valueOf(e.getMessage())));
        }
        return Optional.empty();
    }

    private Optional<Sandbox> tryDocker(List<Refusal> refusals, Consumer<String> progress) {
        try {
            DockerSandbox sandbox = DockerSandbox.open(spawner, runtime, environment, system, docker, progress);
            Optional<Refusal> refusal = sandbox.check();
            if (refusal.isEmpty()) {
                return Optional.of(sandbox);
            }
            refusals.add(refusal.get());
        } catch (RefusedException e) {
            refusals.add(e.refusal());
        } catch (IOException e) {
            refusals.add(new DockerDiagnosis(system, "docker", docker.image().orElse(""))
                    .of(String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            refusals.add(new Refusal("docker", "the server ended before docker was tried", "start it again"));
        }
        return Optional.empty();
    }
}
