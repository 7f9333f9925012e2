package dev.pysandbox.execution;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.Config.Policy;
import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.InputFile;
import dev.pysandbox.api.Network;
import dev.pysandbox.api.Status;
import dev.pysandbox.environment.PythonEnvironment;
import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.execution.output.FileKeeper;
import dev.pysandbox.execution.output.HeldBytes;
import dev.pysandbox.execution.output.OutputCollector;
import dev.pysandbox.hints.InstallHints;
import dev.pysandbox.hints.RequirementHints;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxFactory;
import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.LeadingImports;
import dev.pysandbox.supervisor.Supervisor;
import dev.pysandbox.supervisor.SupervisorException;
import dev.pysandbox.supervisor.TaskResult;
import dev.pysandbox.support.BundledFile;
import dev.pysandbox.toolchain.MissingToolException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Executes scripts, a limited number at a time. */
final class Executor implements AutoCloseable {
    private static final Duration TIMEOUT_OF_BUNDLED = Duration.ofSeconds(30);

    /** If a sandbox fails later than this, there is no second attempt: too much of the script's time has passed. */
    private static final Duration TIME_TO_TRY_AGAIN = Duration.ofMillis(300);

    /** Checking a long script takes as much memory as running one. */
    private static final int MOST_BUNDLED = 4;

    private final Config config;
    private final SandboxSelection selection;
    private final Environments environments;
    private final WarmSandboxes sandboxes;
    private final AdmissionQueue queue;
    private final AdmissionQueue bundledQueue;
    private final HeldBytes heldBytes = HeldBytes.ofHeap();
    private final AtomicInteger running = new AtomicInteger();
    private volatile boolean closing;

    Executor(Config config, SandboxSelection selection, Environments environments, WarmSandboxes sandboxes) {
        this.config = config;
        this.selection = selection;
        this.environments = environments;
        this.sandboxes = sandboxes;
        this.queue = new AdmissionQueue(config.sandbox().maxConcurrent());
        this.bundledQueue =
                new AdmissionQueue(Math.min(MOST_BUNDLED, config.sandbox().maxConcurrent()));
    }

    /** Returns whether no script runs or waits to run. */
    boolean isIdle() {
        return running.get() == 0 && queue.isEmpty();
    }

    /** Runs a script and applies the function to its result while the script still occupies its slot. */
    <T> T execute(ExecutionRequest request, ExecutionListener listener, Function<ExecutionResult, T> use) {
        return countCall(new Execution(request, listener, config.limits().policy(), queue), use);
    }

    /**
     * Runs a bundled script of the server, without the configured policy. It waits only for other bundled scripts.
     *
     * @param progress receives each slow step
     * @throws CancellationException if the thread is interrupted or the sandbox is closed
     */
    ExecutionResult executeBundled(String resource, List<InputFile> files, Consumer<String> progress) {
        ExecutionRequest request = ExecutionRequest.of(BundledFile.text(Executor.class, resource))
                .withFiles(files)
                .withTimeout(TIMEOUT_OF_BUNDLED);
        ExecutionListener listener = new ExecutionListener() {
            @Override
            public void progress(String message) {
                progress.accept(message);
            }
        };
        ExecutionResult result =
                countCall(new Execution(request, listener, Policy.OPEN, bundledQueue), Function.identity());
        if (result.status() == Status.CANCELLED) {
            throw new CancellationException(closing ? "the sandbox is closed" : "the call was cancelled");
        }
        return result;
    }

    private <T> T countCall(Execution execution, Function<ExecutionResult, T> use) {
        running.incrementAndGet();
        sandboxes.beginCall();
        try (execution) {
            return use.apply(execution.resultOrReason());
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

    /** One execution. Closing it releases its slot and the memory of its result. */
    private final class Execution implements AutoCloseable {
        private final ExecutionRequest request;
        private final ExecutionListener listener;
        private final Policy policy;
        private final AdmissionQueue waiting;
        private final ResultDraft draft = new ResultDraft(config);
        private Optional<AdmissionQueue.Slot> slot = Optional.empty();
        private Optional<OutputCollector> output = Optional.empty();

        Execution(ExecutionRequest request, ExecutionListener listener, Policy policy, AdmissionQueue waiting) {
            this.request = request;
            this.listener = listener;
            this.policy = policy;
            this.waiting = waiting;
        }

        /** Performs all steps of an execution. */
        private ExecutionResult performSteps()
                throws InvalidScriptException, InstallException, MissingToolException, SandboxUnavailableException,
                        SupervisorException, IOException, InterruptedException {
            ScriptPlan plan = ScriptPlan.of(request, config, policy, listener.wantsLiveOutput());
            plan.warnings().forEach(draft::warn);
            slot = Optional.of(waiting.acquire(this::reportPosition));
            Sandbox sandbox = awaitSandbox();
            draft.python(environments.python(listener::progress).python().version());
            PythonEnvironment environment = environments.prepare(
                    plan.requirements().sortedDependencies(), LeadingImports.all(request.script()), listener::progress);
            draft.installed(environment.installed());
            draft.sandbox(
                    sandbox.name(),
                    (sandbox.capabilities().isolates() ? config.network().mode() : Network.HOST).label());
            listener.progress("running");
            return runUpToTwice(environment, plan);
        }

        /** Performs all steps. Every reason why the script can't run becomes a result. */
        ExecutionResult resultOrReason() {
            try {
                return performSteps();
            } catch (InvalidScriptException e) {
                return prevented(Status.INVALID_SCRIPT, e, RequirementHints.hint(request.dependencies()));
            } catch (InstallException e) {
                return prevented(Status.INSTALL_FAILED, e, new InstallHints(request, e).hint());
            } catch (MissingToolException e) {
                return prevented(Status.INSTALL_FAILED, e, Optional.empty());
            } catch (SandboxUnavailableException | SupervisorException | IOException e) {
                // Files and channels report an interrupt as an IOException.
                return Thread.currentThread().isInterrupted()
                        ? cancelled()
                        : prevented(Status.SANDBOX_UNAVAILABLE, e, Optional.empty());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return cancelled();
            }
        }

        private ExecutionResult prevented(Status status, Exception reason, Optional<String> hint) {
            // Errors during a shutdown are caused by it.
            return closing ? draft.closed() : draft.prevented(status, reason, hint);
        }

        private ExecutionResult cancelled() {
            return closing ? draft.closed() : draft.cancelled();
        }

        private void reportPosition(int ahead) {
            listener.progress(ahead == 0 ? "waiting (next)" : "waiting (" + ahead + " ahead)");
        }

        private Sandbox awaitSandbox() throws SandboxUnavailableException, InterruptedException {
            SandboxFactory.Choice choice = selection.get(listener::progress);
            if (!choice.sandbox().capabilities().isolates()) {
                if (config.sandbox().requireSandbox()) {
                    throw new SandboxUnavailableException(choice);
                }
                draft.warn("not sandboxed: the script could read and change this machine's files"
                        + choice.refusals().stream()
                                .map(refusal -> "; " + refusal.backend().label() + ": " + refusal.reason())
                                .collect(Collectors.joining()));
            }
            return choice.sandbox();
        }

        /** Runs the script. Tries again with a new sandbox if the first one failed before it accepted the script. */
        private ExecutionResult runUpToTwice(PythonEnvironment environment, ScriptPlan plan)
                throws SupervisorException, IOException, InterruptedException {
            long start = System.nanoTime();
            Supervisor first = sandboxes.acquire(environment, plan.imports());
            try {
                return runIn(first, plan, plan.timeout());
            } catch (SupervisorException e) {
                boolean soon = System.nanoTime() - start <= TIME_TO_TRY_AGAIN.toNanos();
                if (first.accepted() || !(soon || first.importsFirst())) {
                    throw e;
                }
            } finally {
                first.closeInBackground();
            }
            // An import that fails in advance may have taken longer. That was not the script's time.
            Duration left =
                    first.importsFirst() ? plan.timeout() : plan.timeout().minusNanos(System.nanoTime() - start);
            Supervisor second = sandboxes.start(environment);
            try {
                return runIn(second, plan, left);
            } finally {
                second.closeInBackground();
            }
        }

        private ExecutionResult runIn(Supervisor supervisor, ScriptPlan plan, Duration timeout)
                throws SupervisorException, InterruptedException {
            output.ifPresent(OutputCollector::close); // the output of the first attempt
            OutputCollector collector = new OutputCollector(
                    config.limits().maxOutputBytes(),
                    listener,
                    supervisor::closeInBackground,
                    config.shared()
                            .keepFiles()
                            .map(folder ->
                                    new FileKeeper(folder, config.limits().tmpSize())),
                    heldBytes);
            output = Optional.of(collector);
            long start = System.nanoTime();
            Optional<TaskResult> ended = Optional.empty();
            try {
                ended = Optional.of(supervisor.run(plan.task(), collector, timeout));
            } catch (SupervisorException e) {
                if (!collector.overflowed()) {
                    throw e;
                }
            }
            draft.ran(Duration.ofNanos(collector.end() - start), collector, ended);
            return draft.finish(timeout, request, plan.requirements(), supervisor.refusedConnections());
        }

        @Override
        public void close() {
            output.ifPresent(OutputCollector::close);
            slot.ifPresent(AdmissionQueue.Slot::close);
        }
    }

    /** No sandbox is available, and the settings require one. */
    private static final class SandboxUnavailableException extends Exception {
        SandboxUnavailableException(SandboxFactory.Choice choice) {
            super("No sandbox is available, and --require-sandbox forbids running without one: "
                    + (choice.refusals().isEmpty()
                            ? "the backend 'none' was chosen."
                            : choice.refusals().stream()
                                    .map(refusal -> refusal.backend().label() + ": " + refusal.reason() + " (to fix: "
                                            + refusal.remedy() + ")")
                                    .collect(Collectors.joining("; "))));
        }
    }
}
