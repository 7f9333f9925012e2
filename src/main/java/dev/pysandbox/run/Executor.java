package dev.pysandbox.run;

import dev.pysandbox.env.Environment;
import dev.pysandbox.env.InstallException;
import dev.pysandbox.env.MissingToolException;
import dev.pysandbox.env.PythonLayout;
import dev.pysandbox.process.ByteSize;
import dev.pysandbox.run.Config.Policy;
import dev.pysandbox.sandbox.Network;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxFactory;
import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.LeadingImports;
import dev.pysandbox.script.PythonScript;
import dev.pysandbox.script.ScriptRequirements;
import dev.pysandbox.supervisor.Ending;
import dev.pysandbox.supervisor.Supervisor;
import dev.pysandbox.supervisor.SupervisorException;
import dev.pysandbox.supervisor.Task;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Takes one script from its text to its result: reads it, installs what it needs, runs it. */
final class Executor {
    private static final Pattern MAYBE_MODULE = Pattern.compile("/|\\.(py|pyc|pyd|so)$");

    private final HeapBound heap = new HeapBound();
    private final Workbench workbench;
    private final Config config;
    private final AtomicInteger underWay = new AtomicInteger();
    private final WaitingLine line;

    Executor(Workbench workbench) {
        this.workbench = workbench;
        this.config = workbench.config();
        this.line = new WaitingLine(config.maxConcurrent());
    }

    /** Whether no script runs or is about to. */
    boolean isIdle() {
        return underWay.get() == 0;
    }

    ExecutionResult execute(ExecutionRequest request, ExecutionListener listener) {
        return execute(request, listener, config.policy(), Optional.of(line));
    }

    /** Runs a script of our own, which need not be held to the configured policy, nor wait for others. */
    ExecutionResult executeOwn(ExecutionRequest request, ExecutionListener listener) {
        return execute(request, listener, Policy.OPEN, Optional.empty());
    }

    private ExecutionResult execute(
            ExecutionRequest request, ExecutionListener listener, Policy policy, Optional<WaitingLine> waiting) {
        underWay.incrementAndGet();
        try {
            return executeNow(request, listener, policy, waiting);
        } finally {
            underWay.decrementAndGet();
            heap.afterCall();
        }
    }

    private ExecutionResult executeNow(
            ExecutionRequest request, ExecutionListener listener, Policy policy, Optional<WaitingLine> waiting) {
        ResultDraft draft = new ResultDraft(config);
        workbench.pool().beginCall();
        try {
            return run(request, listener, draft, policy, waiting);
        } catch (InvalidScriptException e) {
            return draft.prevented(Status.INVALID_SCRIPT, e, RequirementHints.hint(request.dependencies()));
        } catch (InstallException e) {
            return draft.prevented(
                    Status.INSTALL_FAILED, e, new InstallHints(request, String.valueOf(e.getMessage())).hint());
        } catch (MissingToolException e) {
            return draft.prevented(Status.INSTALL_FAILED, e);
        } catch (SandboxUnavailableException | SupervisorException | IOException e) {
            return draft.prevented(Status.SANDBOX_UNAVAILABLE, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return draft.cancelled();
        } finally {
            workbench.pool().endCall();
        }
    }

    private ExecutionResult run(
            ExecutionRequest request,
            ExecutionListener listener,
            ResultDraft draft,
            Policy policy,
            Optional<WaitingLine> waiting)
            throws InvalidScriptException, InstallException, MissingToolException, SandboxUnavailableException,
                    SupervisorException, IOException, InterruptedException {
        ScriptRequirements requirements = ScriptRequirements.merge(
                PythonScript.parse(request.script()), request.dependencies(), config.pythonVersion());
        policy.check(requirements);
        List<Task.TaskFile> files = Inputs.files(request.files());
        List<String> variables = Inputs.variables(request.variables());
        requirements.warnings().forEach(draft::warn);
        Duration timeout = draft.clamp(request.timeout());
        if (waiting.isPresent()) {
            waiting.get()
                    .enter(ahead -> listener.progress(ahead == 0 ? "waiting (next)" : "waiting (" + ahead + " ahead)"));
        }
        try {
            return run(request, requirements, files, variables, timeout, listener, draft, policy);
        } finally {
            waiting.ifPresent(WaitingLine::leave);
        }
    }

    private ExecutionResult run(
            ExecutionRequest request,
            ScriptRequirements requirements,
            List<Task.TaskFile> files,
            List<String> variables,
            Duration timeout,
            ExecutionListener listener,
            ResultDraft draft,
            Policy policy)
            throws InstallException, MissingToolException, SandboxUnavailableException, SupervisorException,
                    IOException, InterruptedException {
        Sandbox sandbox = sandbox(draft, listener);
        PythonLayout python = workbench.python(listener::progress);
        draft.python(python.python().version());
        Environment environment =
                workbench.store().prepare(python, requirements.sortedDependencies(), listener::progress);
        draft.installed(environment.installed());

        listener.progress("running");
        Task task = new Task(
                List.of(),
                Optional.of(request.script().getBytes(StandardCharsets.UTF_8)),
                files,
                variables,
                Map.of(),
                workbench.limits(),
                listener.wantsLiveOutput(),
                policy == Policy.RESTRICTED,
                config.keepFiles().isPresent() ? config.tmpSize() : new ByteSize(0));
        draft.sandbox(sandbox.name(), (sandbox.isolates() ? config.network() : Network.HOST).label());
        return run(environment, task, timeout, listener, draft, request, requirements);
    }

    private ExecutionResult run(
            Environment environment,
            Task task,
            Duration timeout,
            ExecutionListener listener,
            ResultDraft draft,
            ExecutionRequest request,
            ScriptRequirements requirements)
            throws SupervisorException, IOException, InterruptedException {
        Supervisor first = workbench.take(environment, importsOf(task));
        try (first) {
            return run(first, task, timeout, listener, draft, request, requirements);
        } catch (SupervisorException e) {
            if (first.accepted()) {
                throw e;
            }
        }
        // It had been waiting and died just before its turn: nothing of the script has run.
        try (Supervisor second = workbench.start(environment, List.of())) {
            return run(second, task, timeout, listener, draft, request, requirements);
        }
    }

    private ExecutionResult run(
            Supervisor supervisor,
            Task task,
            Duration timeout,
            ExecutionListener listener,
            ResultDraft draft,
            ExecutionRequest request,
            ScriptRequirements requirements)
            throws SupervisorException, InterruptedException {
        Recorder recorder = new Recorder(
                config.maxOutputBytes(),
                listener,
                supervisor::close,
                config.keepFiles().map(folder -> new FileKeeper(folder, config.tmpSize())));
        long start = System.nanoTime();
        Optional<Ending> ending = Optional.empty();
        try {
            ending = Optional.of(supervisor.run(task, recorder, timeout));
        } catch (SupervisorException e) {
            if (!recorder.overflowed()) {
                throw e;
            }
        }
        draft.ran(Duration.ofNanos(recorder.end() - start), recorder, ending);
        return draft.finish(timeout, request, requirements, supervisor.refusedConnections());
    }

    /** What may be imported before the script is there; a file beside the script may take a module's place. */
    private static List<String> importsOf(Task task) {
        boolean alone = task.files().stream()
                .noneMatch(file -> MAYBE_MODULE.matcher(file.name()).find());
        return alone && task.environment().isEmpty()
                ? task.script()
                        .map(script -> LeadingImports.of(new String(script, StandardCharsets.UTF_8)))
                        .orElse(List.of())
                : List.of();
    }

    private Sandbox sandbox(ResultDraft draft, ExecutionListener listener)
            throws SandboxUnavailableException, InterruptedException {
        SandboxFactory.Choice choice = workbench.choice(listener::progress);
        if (!choice.sandbox().isolates()) {
            if (config.requireSandbox()) {
                throw new SandboxUnavailableException(choice);
            }
            draft.warn("not sandboxed: the script could read and change this machine's files"
                    + choice.refusals().stream()
                            .map(refusal -> "; " + refusal.sandbox() + ": " + refusal.reason())
                            .collect(Collectors.joining()));
        }
        return choice.sandbox();
    }

    /** There is no wall, and one is demanded. */
    static final class SandboxUnavailableException extends Exception {
        SandboxUnavailableException(SandboxFactory.Choice choice) {
            super("No sandbox is available, and --require-sandbox forbids to run without: "
                    + (choice.refusals().isEmpty()
                            ? "the backend 'none' was chosen."
                            : choice.refusals().stream()
                                    .map(refusal -> refusal.sandbox() + ": " + refusal.reason() + " (mend it with: "
                                            + refusal.remedy() + ")")
                                    .collect(Collectors.joining("; "))));
        }
    }
}
