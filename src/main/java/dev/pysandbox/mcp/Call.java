package dev.pysandbox.mcp;

import dev.pysandbox.mcp.Incoming.Request;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request that is not answered yet, and the thread that works on it. */
final class Call {
    private final Request request;
    private final AnswerSink sink;
    private final boolean stateless;
    private final Optional<Progress> progress;
    private @Nullable Thread thread;
    private boolean interrupted;

    Call(Request request, AnswerSink sink, Optional<Progress> progress) {
        this.request = request;
        this.sink = sink;
        this.stateless = StatelessEra.owns(request);
        this.progress = progress;
    }

    Request request() {
        return request;
    }

    AnswerSink sink() {
        return sink;
    }

    boolean stateless() {
        return stateless;
    }

    Optional<Progress> progress() {
        return progress;
    }

    /** Does the work on this thread, which {@link #interrupt} reaches until the end of it and no longer. */
    void run(Runnable work) {
        synchronized (this) {
            thread = Thread.currentThread();
            if (interrupted) {
                thread.interrupt();
            }
        }
        try {
            work.run();
        } finally {
            synchronized (this) {
                thread = null;
                boolean ignored = Thread.interrupted();
            }
        }
    }

    synchronized void interrupt() {
        interrupted = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
