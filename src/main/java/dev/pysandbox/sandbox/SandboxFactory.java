package dev.pysandbox.sandbox;

import dev.pysandbox.api.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Opens the requested backend, or the next one that works on this machine, and records why the others do not. */
public final class SandboxFactory {
    private final List<SandboxProvider> providers;

    /** @param providers in the order in which they are tried; the last one must always work */
    public SandboxFactory(List<SandboxProvider> providers) {
        this.providers = List.copyOf(providers);
    }

    /** Why a backend does not work on this machine, and the command that fixes it. */
    public record Refusal(Backend backend, String reason, String remedy) {
        @Override
        public String toString() {
            return backend.label() + ": " + reason + "; to fix: " + remedy;
        }
    }

    /** The chosen sandbox, and why each backend before it was refused. */
    public record Choice(Sandbox sandbox, List<Refusal> refusals) {
        public Choice {
            refusals = List.copyOf(refusals);
        }
    }

    /** Tries the requested backend, then those after it. */
    public Choice choose(Backend wanted, Consumer<String> progress) {
        List<Refusal> refusals = new ArrayList<>();
        for (SandboxProvider provider : providers) {
            if (provider.backend().compareTo(wanted) < 0) {
                continue;
            }
            try {
                return new Choice(provider.open(progress), refusals);
            } catch (RefusedException e) {
                refusals.add(new Refusal(provider.backend(), e.reason(), e.remedy()));
            }
        }
        throw new IllegalStateException("no backend works: " + refusals);
    }
}
