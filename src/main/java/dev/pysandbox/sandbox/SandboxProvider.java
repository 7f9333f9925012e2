package dev.pysandbox.sandbox;

import dev.pysandbox.api.Backend;
import java.util.function.Consumer;

/** Opens the sandbox of one backend. */
public interface SandboxProvider {
    Backend backend();

    /**
     * Opens a sandbox and runs a trivial job in it.
     *
     * @param progress receives a message for each slow step
     * @throws RefusedException if this backend does not work on this machine
     */
    Sandbox open(Consumer<String> progress) throws RefusedException;
}
