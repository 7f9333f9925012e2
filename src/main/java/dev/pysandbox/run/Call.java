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
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Takes one script from its text to its result: reads it, installs what it needs, runs it. */
final class Call implements AutoCloseable {
    /** A sandbox that fails later than this has used the script's time: there is no second attempt. */
    private static final Duration TIME_TO_TRY_AGAIN = Duration.ofMillis(300);

    private static final Pattern MAYBE_MODULE = Pattern.compile("/|\\.(py|pyc|pyd|so)$");

    private final Workbench workbench;
    private final Config config;
    private final ExecutionRequest request;
    private final ExecutionListener listener;
    private final Policy policy;
    private final Optional<WaitingLine> line;
    private final ResultDraft draft;
    private Optional<WaitingLine> entered = Optional.empty();
    private Optional<Recorder> recorder = Optional.empty();

    /** @param line in which it waits for its turn, if it must */
    Call(
            Workbench workbench,
            ExecutionRequest request,
            ExecutionListener listener,
            Policy policy,
            Optional<WaitingLine> line) {
        this.workbench = workbench;
        this.config = workbench.config();
        this.request = request;
        this.listener = listener;
        this.policy = policy;
        this.line = line;
        this.draft = new ResultDraft(config);
    }

    ExecutionResult execute() {
        ExecutionResult result = attempt();
        // What fails while the program ends fails for that reason.
        return result.status().preventedRun() && workbench.isClosing() ? draft.cancelled() : result;
    }

    private ExecutionResult attempt() {
        try {
            return readAndRun();
        } catch (InvalidScriptException e) {
            return draft.prevented(Status.INVALID_SCRIPT, e, RequirementHints.hint(request.dependencies()));
        } catch (InstallException e) {
            return draft.prevented(Status.INSTALL_FAILED, e, new InstallHints(request, e).hint());
        } catch (MissingToolException e) {
            return draft.prevented(Status.INSTALL_FAILED, e);
        } catch (SandboxUnavailableException | SupervisorException | IOException e) {
            // Files and channels report an interrupt as an error of their own.
            return Thread.currentThread().isInterrupted()
                    ? draft.cancelled()
                    : draft.prevented(Status.SANDBOX_UNAVAILABLE, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return draft.cancelled();
        }
    }

    private ExecutionResult readAndRun()
            throws InvalidScriptException, InstallException, MissingToolException, SandboxUnavailableException,
                    SupervisorException, IOException, InterruptedException {
        ScriptRequirements requirements = ScriptRequirements.merge(
                PythonScript.parse(request.script()), request.dependencies(), config.pythonVersion());
        policy.check(requirements);
        config.check(requirements);
        Task task = new Task(
                List.of(),
                Optional.of(request.script().getBytes(StandardCharsets.UTF_8)),
                Inputs.files(request.files()),
                Inputs.variables(request.variables()),
                Map.of(),
                config.limits(),
                listener.wantsLiveOutput(),
                policy == Policy.RESTRICTED,
                config.keepFiles().isPresent() ? config.tmpSize() : new ByteSize(0));
        requirements.warnings().forEach(draft::warn);
        Duration timeout = draft.clamp(request.timeout());
        if (line.isPresent()) {
            line.get()
                    .enter(ahead -> listener.progress(ahead == 0 ? "waiting (next)" : "waiting (" + ahead + " ahead)"));
            entered = line;
        }
        Environment environment = prepare(requirements);
        listener.progress("running");
        return run(environment, task, timeout, requirements);
    }

    /** Lets the next call run; the result of this one has been used. */
    @Override
    public void close() {
        recorder.ifPresent(Recorder::close);
        entered.ifPresent(WaitingLine::leave);
    }

    private Environment prepare(ScriptRequirements requirements)
            throws InstallException, MissingToolException, SandboxUnavailableException, InterruptedException {
        Sandbox sandbox = sandbox();
        PythonLayout python = workbench.python(listener::progress);
        draft.python(python.python().version());
        Environment environment =
                workbench.store().prepare(python, requirements.sortedDependencies(), listener::progress);
        draft.installed(environment.installed());
        draft.sandbox(sandbox.name(), (sandbox.isolates() ? config.network() : Network.HOST).label());
        return environment;
    }

    private ExecutionResult run(Environment environment, Task task, Duration timeout, ScriptRequirements requirements)
            throws SupervisorException, IOException, InterruptedException {
        long start = System.nanoTime();
        Supervisor first = workbench.take(environment, importsOf(task));
        try {
            return run(first, task, timeout, requirements);
        } catch (SupervisorException e) {
            if (first.accepted() || System.nanoTime() - start > TIME_TO_TRY_AGAIN.toNanos()) {
                throw e;
            }
        } finally {
            first.closeInBackground();
        }
        // It had been waiting and died just before its turn: nothing of the script has run.
        Supervisor second = workbench.start(environment);
        try {
            return run(second, task, timeout.minusNanos(System.nanoTime() - start), requirements);
        } finally {
            second.closeInBackground();
        }
    }

    private ExecutionResult run(Supervisor supervisor, Task task, Duration timeout, ScriptRequirements requirements)
            throws SupervisorException, InterruptedException {
        recorder.ifPresent(Recorder::close); // of a first attempt
        Recorder recording = new Recorder(
                config.maxOutputBytes(),
                listener,
                supervisor::closeInBackground,
                config.keepFiles().map(folder -> new FileKeeper(folder, config.tmpSize())),
                workbench.heldBytes());
        recorder = Optional.of(recording);
        long start = System.nanoTime();
        Optional<Ending> ending = Optional.empty();
        try {
            ending = Optional.of(supervisor.run(task, recording, timeout));
        } catch (SupervisorException e) {
            if (!recording.overflowed()) {
                throw e;
            }
        }
        draft.ran(Duration.ofNanos(recording.end() - start), recording, ending);
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

    private Sandbox sandbox() throws SandboxUnavailableException, InterruptedException {
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
