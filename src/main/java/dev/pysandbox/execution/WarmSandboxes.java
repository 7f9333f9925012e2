package dev.pysandbox.execution;

import dev.pysandbox.environment.PythonEnvironment;
import dev.pysandbox.sandbox.Activity;
import dev.pysandbox.supervisor.Preparation;
import dev.pysandbox.supervisor.Supervisor;
import dev.pysandbox.supervisor.SupervisorException;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.IdleGarbageCollector;
import dev.pysandbox.support.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands out sandboxes for scripts: one that was started in advance, if available, else a new one. */
final class WarmSandboxes implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WarmSandboxes.class);

    /** The first check counts all processes as new, and a second one may find processes that the first one missed. */
    private static final int MOST_SUSPICIONS = 2;

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final ScriptSandboxes scripts;
    private final IdleGarbageCollector collector;
    private final WarmPool<WarmPoolKey, Supervisor> pool;
    private final ImportHistory history = new ImportHistory();

    /** Environments with a package that ran code in a waiting sandbox. They import nothing in advance any more. */
    private final Set<Path> restless = ConcurrentHashMap.newKeySet();

    /** Whether the activity of sandboxes can be measured. If not, they must not import packages in advance. */
    private volatile boolean measurable = true;

    /** @param perEnvironment the number that is kept for each environment; 0 turns the pool off */
    WarmSandboxes(ScriptSandboxes scripts, int perEnvironment, IdleGarbageCollector collector) {
        this.scripts = scripts;
        this.collector = collector;
        this.pool = new WarmPool<>(
                new Waiting(), perEnvironment, scripts::poolLimits, System::nanoTime, Threads::startDaemon);
    }

    /** Starts to keep sandboxes ready for the environments that are used. */
    void open() {
        pool.open();
    }

    /** Records that this environment will be used. */
    void want(PythonEnvironment environment) throws IOException {
        pool.want(WarmPoolKey.of(environment, List.of()));
    }

    /** Records that a call begins. {@link #endCall} must follow. */
    void beginCall() {
        pool.beginCall();
    }

    void endCall() {
        pool.endCall();
        collector.afterCall();
    }

    /** Returns a sandbox for a script that begins with these imports; it may still be starting. */
    Supervisor acquire(PythonEnvironment environment, List<String> imports) throws IOException {
        List<String> early = measurable && !restless.contains(environment.folder()) ? imports : List.of();
        WarmPoolKey wanted = WarmPoolKey.of(environment, early);
        WarmPoolKey usual = WarmPoolKey.of(environment, history.add(environment.folder(), early));
        if (!early.isEmpty() && !usual.importsWithImplied().equals(wanted.importsWithImplied())) {
            pool.want(usual);
        }
        Optional<Supervisor> waiting = pool.take(wanted);
        waiting.ifPresent(Supervisor::raisePriority);
        return waiting.isPresent() ? waiting.get() : start(environment);
    }

    /** Starts a new sandbox. */
    Supervisor start(PythonEnvironment environment) throws IOException {
        return scripts.start(environment, Preparation.NONE);
    }

    /** Kills all sandboxes, also those that run scripts. No more can be started. */
    @Override
    public void close() {
        pool.close();
        scripts.close();
    }

    /** Sandboxes that wait for a script. */
    private final class Waiting implements WarmPool.Source<WarmPoolKey, Supervisor> {
        private final Map<Supervisor, Observed> observed = Collections.synchronizedMap(new WeakHashMap<>());

        @Override
        public int startsBesideCalls() {
            return scripts.startsAtLowPriority() ? PROCESSORS : 0;
        }

        /** Those that have imported a part of what the script imports first. Most first. */
        @Override
        public List<WarmPoolKey> substitutes(WarmPoolKey wanted, Collection<WarmPoolKey> kinds) {
            return kinds.stream()
                    .filter(kind -> !kind.equals(wanted) && kind.serves(wanted))
                    .sorted(Comparator.comparing(
                            kind -> -kind.importsWithImplied().size()))
                    .toList();
        }

        @Override
        public Supervisor start(WarmPoolKey key) throws IOException {
            return scripts.start(key.environment(), Preparation.importing(key.imports()));
        }

        @Override
        public ByteSize awaitReady(Supervisor started) throws IOException, InterruptedException {
            try {
                ByteSize said = started.awaitReady();
                if (!started.importsFirst()) {
                    return said; // no code of a package has run
                }
                Optional<Activity> activity = started.activity();
                activity.ifPresent(found -> observed.put(started, new Observed(found)));
                if (activity.isEmpty() && started.isAlive()) {
                    measurable = false;
                    throw new IOException("the activity of a waiting sandbox can't be measured");
                }
                return new ByteSize(Math.max(
                        said.bytes(), started.memory().map(ByteSize::bytes).orElse(0L)));
            } catch (SupervisorException e) {
                log.debug("a waiting sandbox did not start: {}", e.getMessage());
                throw new IOException(e);
            }
        }

        @Override
        public boolean isUsable(Supervisor waiting) {
            return waiting.isAlive();
        }

        @Override
        public boolean isResting(WarmPoolKey kind, Supervisor waiting) {
            boolean resting = Optional.ofNullable(observed.get(waiting))
                    .flatMap(before -> waiting.activity().map(before::isRestUntil))
                    .orElse(true);
            if (!resting) {
                restless.add(kind.environment().folder());
                log.info(
                        "a package runs code while its sandbox waits for a script: its environment imports nothing in advance any"
                                + " more");
            }
            return resting;
        }

        @Override
        public void discard(Supervisor waiting) {
            waiting.close();
            collector.afterCall(); // it leaves garbage like a call
        }
    }

    /** What a waiting sandbox has done so far. Changed only by the pool's thread. */
    private static final class Observed {
        private final Activity whenReady;
        private final Set<Path> processes = new HashSet<>();
        private int suspicions;

        Observed(Activity whenReady) {
            this.whenReady = whenReady;
        }

        boolean isRestUntil(Activity now) {
            return now.isRestSince(whenReady) && !startsProcesses(now);
        }

        /**
         * Returns whether new processes appear repeatedly. Once proves nothing: the kernel's list may have been
         * incomplete.
         */
        private boolean startsProcesses(Activity now) {
            return processes.addAll(now.processes()) && ++suspicions > MOST_SUSPICIONS;
        }
    }
}
