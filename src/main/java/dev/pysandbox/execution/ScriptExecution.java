package dev.pysandbox.execution;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.Config.Policy;
import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
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
import dev.pysandbox.supervisor.Supervisor;
import dev.pysandbox.supervisor.SupervisorException;
import dev.pysandbox.supervisor.TaskResult;
import dev.pysandbox.toolchain.MissingToolException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** One execution: parses the script, installs its dependencies and runs it. */
final class ScriptExecution implements AutoCloseable {
    /** If a sandbox fails later than this, there is no second attempt: too much of the script's time has passed. */
    private static final Duration TIME_TO_TRY_AGAIN = Duration.ofMillis(300);

    private final Config config;
    private final Environments environments;
    private final WarmSandboxes sandboxes;
    private final HeldBytes heldBytes;
    private final ExecutionRequest request;
    private final ExecutionListener listener;
    private final Policy policy;
    private final Optional<AdmissionQueue> queue;
    private final BooleanSupplier closing;
    private final ResultDraft draft;
    private Optional<AdmissionQueue.Slot> slot = Optional.empty();
    private Optional<OutputCollector> output = Optional.empty();

    /**
     * @param queue the queue in which it waits for a slot; empty if it needs none
     * @param closing whether the server is shutting down
     */
    ScriptExecution(
            Config config,
            Environments environments,
            WarmSandboxes sandboxes,
            HeldBytes heldBytes,
            ExecutionRequest request,
            ExecutionListener listener,
            Policy policy,
            Optional<AdmissionQueue> queue,
            BooleanSupplier closing) {
        this.config = config;
        this.environments = environments;
        this.sandboxes = sandboxes;
        this.heldBytes = heldBytes;
        this.request = request;
        this.listener = listener;
        this.policy = policy;
        this.queue = queue;
        this.closing = closing;
        this.draft = new ResultDraft(config);
    }

    /** Runs the script; every reason why it can't run is part of the result. */
    ExecutionResult execute() {
        ExecutionResult result = attempt();
        // Errors during a shutdown are caused by it.
        return result.status().preventedRun() && closing.getAsBoolean() ? draft.cancelled() : result;
    }

    /** Performs all steps of an execution. */
    private ExecutionResult run()
            throws InvalidScriptException, InstallException, MissingToolException, SandboxUnavailableException,
                    SupervisorException, IOException, InterruptedException {
        ScriptPlan plan = ScriptPlan.of(request, config, policy, listener.wantsLiveOutput());
        plan.warnings().forEach(draft::warn);
        if (queue.isPresent()) {
            slot = Optional.of(queue.get().acquire(this::reportPosition));
        }
        Sandbox sandbox = sandbox();
        draft.python(environments.python(listener::progress).python().version());
        PythonEnvironment environment =
                environments.prepare(plan.requirements().sortedDependencies(), listener::progress);
        draft.installed(environment.installed());
        draft.sandbox(
                sandbox.name(),
                (sandbox.capabilities().isolates() ? config.network().mode() : Network.HOST).label());
        listener.progress("running");
        return runInSandbox(environment, plan);
    }

    private void reportPosition(int ahead) {
        listener.progress(ahead == 0 ? "waiting (next)" : "waiting (" + ahead + " ahead)");
    }

    private ExecutionResult attempt() {
        try {
            return run();
        } catch (InvalidScriptException e) {
            return draft.prevented(Status.INVALID_SCRIPT, e, RequirementHints.hint(request.dependencies()));
        } catch (InstallException e) {
            return draft.prevented(Status.INSTALL_FAILED, e, new InstallHints(request, e).hint());
        } catch (MissingToolException e) {
            return draft.prevented(Status.INSTALL_FAILED, e);
        } catch (SandboxUnavailableException | SupervisorException | IOException e) {
            // Files and channels report an interrupt as an IOException.
            return Thread.currentThread().isInterrupted()
                    ? draft.cancelled()
                    : draft.prevented(Status.SANDBOX_UNAVAILABLE, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return draft.cancelled();
        }
    }

    /** Releases the slot and the memory of the result. */
    @Override
    public void close() {
        output.ifPresent(OutputCollector::close);
        slot.ifPresent(AdmissionQueue.Slot::close);
    }

    /** Runs the script. Tries again with a new sandbox if the first one failed before it accepted the script. */
    private ExecutionResult runInSandbox(PythonEnvironment environment, ScriptPlan plan)
            throws SupervisorException, IOException, InterruptedException {
        long start = System.nanoTime();
        Supervisor first = sandboxes.acquire(environment, plan.imports());
        try {
            return runTask(first, plan, plan.timeout());
        } catch (SupervisorException e) {
            if (first.accepted() || System.nanoTime() - start > TIME_TO_TRY_AGAIN.toNanos()) {
                throw e;
            }
        } finally {
            first.closeInBackground();
        }
        Supervisor second = sandboxes.start(environment);
        try {
            return runTask(second, plan, plan.timeout().minusNanos(System.nanoTime() - start));
        } finally {
            second.closeInBackground();
        }
    }

    private ExecutionResult runTask(Supervisor supervisor, ScriptPlan plan, Duration timeout)
            throws SupervisorException, InterruptedException {
        output.ifPresent(OutputCollector::close); // the output of the first attempt
        OutputCollector collector = new OutputCollector(
                config.limits().maxOutputBytes(),
                listener,
                supervisor::closeInBackground,
                config.shared()
                        .keepFiles()
                        .map(folder -> new FileKeeper(folder, config.limits().tmpSize())),
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

    private Sandbox sandbox() throws SandboxUnavailableException, InterruptedException {
        SandboxFactory.Choice choice = environments.choice(listener::progress);
        if (!choice.sandbox().capabilities().isolates()) {
            if (config.sandbox().requireSandbox()) {
                throw new SandboxUnavailableException(choice);
            }
            draft.warn("not sandboxed: the script could read and change this machine's files"
                    + choice.refusals().stream()
                            .map(refusal -> "; " + refusal.sandbox() + ": " + refusal.reason())
                            .collect(Collectors.joining()));
        }
        return choice.sandbox();
    }

    /** No sandbox is available, and the settings require one. */
    static final class SandboxUnavailableException extends Exception {
        SandboxUnavailableException(SandboxFactory.Choice choice) {
            super("No sandbox is available, and --require-sandbox forbids running without one: "
                    + (choice.refusals().isEmpty()
                            ? "the backend 'none' was chosen."
                            : choice.refusals().stream()
                                    .map(refusal -> refusal.sandbox() + ": " + refusal.reason() + " (to fix: "
                                            + refusal.remedy() + ")")
                                    .collect(Collectors.joining("; "))));
        }
    }
}
