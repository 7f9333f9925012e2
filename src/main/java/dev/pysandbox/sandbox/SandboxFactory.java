package dev.pysandbox.sandbox;

import dev.pysandbox.process.Spawner;
import dev.pysandbox.sandbox.Sandbox.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Picks the first sandbox that really works here, and keeps the reasons of those that don't. */
public final class SandboxFactory {
    private final Spawner spawner;
    private final RuntimeFolder runtime;
    private final Map<String, String> environment;
    private final boolean linux;

    public SandboxFactory(Spawner spawner, RuntimeFolder runtime, Map<String, String> environment) {
        this.spawner = spawner;
        this.runtime = runtime;
        this.environment = environment;
        this.linux = System.getProperty("os.name").equals("Linux");
    }

    /** The sandbox that was chosen, and why each one before it in the order was not. */
    public record Choice(Sandbox sandbox, List<Refusal> refusals) {
        public Choice {
            refusals = List.copyOf(refusals);
        }
    }

    /** native, docker, none on Linux; docker, none elsewhere: from the wanted one on. */
    public Choice choose(Backend wanted) {
        List<Refusal> refusals = new ArrayList<>();
        if (wanted == Backend.NATIVE && linux) {
            Optional<Sandbox> sandbox = tryBubblewrap(refusals);
            if (sandbox.isPresent()) {
                return new Choice(sandbox.get(), refusals);
            }
        }
        if (wanted != Backend.NONE) {
            refusals.add(
                    new Refusal("docker", "the docker backend is not available yet", "install bubblewrap instead"));
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
}
