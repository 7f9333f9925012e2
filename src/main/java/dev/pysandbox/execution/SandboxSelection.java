package dev.pysandbox.execution;

import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxFactory;
import dev.pysandbox.support.Threads;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the sandbox once, on a separate thread, because it may take minutes and an interrupt of one caller must not
 * stop it.
 */
final class SandboxSelection implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SandboxSelection.class);

    private final FutureTask<SandboxFactory.Choice> choice;
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile Optional<String> latest = Optional.empty();
    private volatile Optional<Sandbox> chosen = Optional.empty();

    /** @param chooser chooses a sandbox and reports its progress */
    SandboxSelection(Function<Consumer<String>, SandboxFactory.Choice> chooser) {
        this.choice = new FutureTask<>(() -> choose(chooser));
    }

    /** Starts to choose, unless that has begun. */
    void begin() {
        if (begun.compareAndSet(false, true)) {
            Threads.startDaemon("choosing-sandbox", choice);
        }
    }

    /** Waits until the sandbox is chosen. */
    SandboxFactory.Choice get(Consumer<String> progress) throws InterruptedException {
        listeners.add(progress);
        if (!choice.isDone()) {
            latest.ifPresent(progress);
        }
        try {
            begin();
            return choice.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (CancellationException e) {
            throw new InterruptedException("the server is shutting down");
        } finally {
            listeners.remove(progress);
        }
    }

    /** Waits until the sandbox is chosen; an interrupt becomes a {@link CancellationException}. */
    SandboxFactory.Choice getOrCancel(Consumer<String> progress) {
        try {
            return get(progress);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("cancelled while waiting for the sandbox");
        }
    }

    /** Returns the sandbox if it is chosen already. */
    Optional<Sandbox> chosen() {
        return chosen;
    }

    private SandboxFactory.Choice choose(Function<Consumer<String>, SandboxFactory.Choice> chooser) {
        SandboxFactory.Choice made = chooser.apply(this::report);
        chosen = Optional.of(made.sandbox());
        if (choice.isCancelled()) { // cancelled meanwhile: no other code closes it
            made.sandbox().close();
        }
        if (!made.sandbox().capabilities().isolates()) {
            log.warn("no sandbox: scripts can read and change this machine's files");
            made.refusals().forEach(refusal -> log.warn("{}", refusal));
        }
        return made;
    }

    private void report(String message) {
        latest = Optional.of(message);
        listeners.forEach(listener -> listener.accept(message));
    }

    /** Stops choosing. */
    void cancel() {
        choice.cancel(true);
    }

    /** Closes the sandbox. All its processes must be closed before. */
    @Override
    public void close() {
        try {
            if (choice.isDone() && !choice.isCancelled()) {
                choice.get().sandbox().close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            log.debug("there is no sandbox to close: {}", e.toString());
        }
    }
}
