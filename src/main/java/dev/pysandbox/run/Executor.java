package dev.pysandbox.run;

import dev.pysandbox.run.Config.Policy;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Runs scripts, no more at a time than there may be. */
final class Executor {
    private final Workbench workbench;
    private final AtomicInteger underWay = new AtomicInteger();
    private final WaitingLine line;

    Executor(Workbench workbench) {
        this.workbench = workbench;
        this.line = new WaitingLine(workbench.config().maxConcurrent());
    }

    /** Whether no script runs or is about to. */
    boolean isIdle() {
        return underWay.get() == 0 && line.isEmpty();
    }

    /** Runs a script and passes its result on while it still counts: its slot, and the memory of its files. */
    <T> T execute(ExecutionRequest request, ExecutionListener listener, Function<ExecutionResult, T> use) {
        return execute(new Call(workbench, request, listener, workbench.config().policy(), Optional.of(line)), use);
    }

    /** Runs a script of our own, which need not be held to the configured policy, nor wait for others. */
    ExecutionResult executeOwn(ExecutionRequest request, ExecutionListener listener) {
        return execute(new Call(workbench, request, listener, Policy.OPEN, Optional.empty()), result -> result);
    }

    private <T> T execute(Call call, Function<ExecutionResult, T> use) {
        underWay.incrementAndGet();
        workbench.pool().beginCall();
        try (call) {
            return use.apply(call.execute());
        } finally {
            workbench.pool().endCall();
            underWay.decrementAndGet();
            workbench.heap().afterCall();
        }
    }
}
