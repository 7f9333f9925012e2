package dev.pysandbox.execution;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.Config.Policy;
import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.execution.output.HeldBytes;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Executes scripts, a limited number at a time. */
final class Executor implements AutoCloseable {
    private final Config config;
    private final Environments environments;
    private final WarmSandboxes sandboxes;
    private final AdmissionQueue queue;
    private final HeldBytes heldBytes = HeldBytes.ofHeap();
    private final AtomicInteger running = new AtomicInteger();
    private volatile boolean closing;

    Executor(Config config, Environments environments, WarmSandboxes sandboxes) {
        this.config = config;
        this.environments = environments;
        this.sandboxes = sandboxes;
        this.queue = new AdmissionQueue(config.sandbox().maxConcurrent());
    }

    /** Returns whether no script runs or waits to run. */
    boolean isIdle() {
        return running.get() == 0 && queue.isEmpty();
    }

    /** Runs a script and applies the function to its result while the script still occupies its slot. */
    <T> T execute(ExecutionRequest request, ExecutionListener listener, Function<ExecutionResult, T> use) {
        return execute(execution(request, listener, config.limits().policy(), Optional.of(queue)), use);
    }

    /** Runs a bundled script of the server, without the configured policy and without a slot. */
    ExecutionResult executeOwn(ExecutionRequest request, ExecutionListener listener) {
        return execute(execution(request, listener, Policy.OPEN, Optional.empty()), result -> result);
    }

    private ScriptExecution execution(
            ExecutionRequest request, ExecutionListener listener, Policy policy, Optional<AdmissionQueue> waiting) {
        return new ScriptExecution(
                config, environments, sandboxes, heldBytes, request, listener, policy, waiting, () -> closing);
    }

    private <T> T execute(ScriptExecution execution, Function<ExecutionResult, T> use) {
        running.incrementAndGet();
        sandboxes.beginCall();
        try (execution) {
            return use.apply(execution.execute());
        } finally {
            sandboxes.endCall();
            running.decrementAndGet();
        }
    }

    /** Returns the count of the bytes of files that all executions hold in memory. */
    HeldBytes heldBytes() {
        return heldBytes;
    }

    /** Marks the shutdown: executions that fail from now on are reported as cancelled. */
    @Override
    public void close() {
        closing = true;
    }
}
