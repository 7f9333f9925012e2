package dev.pysandbox.run;

import dev.pysandbox.run.Config.Policy;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

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
        return underWay.get() == 0;
    }

    ExecutionResult execute(ExecutionRequest request, ExecutionListener listener) {
        return execute(new Call(workbench, request, listener, workbench.config().policy(), Optional.of(line)));
    }

    /** Runs a script of our own, which need not be held to the configured policy, nor wait for others. */
    ExecutionResult executeOwn(ExecutionRequest request, ExecutionListener listener) {
        return execute(new Call(workbench, request, listener, Policy.OPEN, Optional.empty()));
    }

    private ExecutionResult execute(Call call) {
        underWay.incrementAndGet();
        workbench.pool().beginCall();
        try {
            return call.execute();
        } finally {
            workbench.pool().endCall();
            underWay.decrementAndGet();
            workbench.heap().afterCall();
        }
    }
}
