package dev.pysandbox.mcp;

import dev.pysandbox.api.ProducedFile;
import dev.pysandbox.mcp.jsonrpc.Incoming.Request;
import dev.pysandbox.mcp.jsonrpc.Outgoing;
import dev.pysandbox.mcp.jsonrpc.ResponseChannel;
import dev.pysandbox.mcp.tools.CallContext;
import dev.pysandbox.mcp.tools.LogLevel;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request that has no response yet, with its session and its thread. */
final class PendingRequest implements CallContext {
    private final ClientSession session;
    private final Request request;
    private final ResponseChannel channel;
    private final boolean stateless;
    private final Optional<Progress> progress;
    private @Nullable Thread thread;
    private boolean interrupted;

    PendingRequest(ClientSession session, Request request, ResponseChannel channel) {
        this.session = session;
        this.request = request;
        this.channel = channel;
        this.stateless = session.isStateless() || StatelessProtocol.owns(request);
        this.progress = Optional.ofNullable(request.meta().get("progressToken"))
                .filter(token -> token instanceof String || token instanceof Number)
                .map(token -> new Progress(token, System::nanoTime, channel::notify));
    }

    Object id() {
        return request.id();
    }

    Request request() {
        return request;
    }

    ClientSession session() {
        return session;
    }

    ResponseChannel channel() {
        return channel;
    }

    boolean stateless() {
        return stateless;
    }

    Optional<Progress> progress() {
        return progress;
    }

    Optional<String> clientName() {
        return stateless ? StatelessProtocol.client(request) : session.clientName();
    }

    /** Acquires the right to respond; returns true only for the first caller. */
    boolean settle() {
        boolean first = session.remove(this);
        if (first) {
            progress.ifPresent(Progress::close);
        }
        return first;
    }

    /** Runs the work on this thread; {@link #interrupt} reaches the thread only while the work runs. */
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

    @Override
    public void progress(String message) {
        progress.ifPresent(notifications -> notifications.report(message));
    }

    @Override
    public boolean listens() {
        return progress.isPresent() || logLevel().isPresent();
    }

    @Override
    public boolean takesLinks() {
        return stateless || session.allowsLinks();
    }

    @Override
    public boolean takesAttachments() {
        return !StructuredContentWorkaround.isFor(clientName());
    }

    @Override
    public void offer(List<ProducedFile> files) {
        session.resources().ifPresent(resources -> resources.add(files));
    }

    @Override
    public void log(LogLevel level, String message) {
        boolean wanted = logLevel().filter(least -> level.compareTo(least) >= 0).isPresent();
        if (wanted && session.isPending(this)) {
            channel.notify(Outgoing.Notification.log(level.wireName(), ServerIdentity.NAME, message));
        }
    }

    private Optional<LogLevel> logLevel() {
        return stateless ? StatelessProtocol.logLevel(request) : session.logLevel();
    }
}
