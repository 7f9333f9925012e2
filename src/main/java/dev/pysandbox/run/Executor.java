package dev.pysandbox.run;

import dev.pysandbox.env.Environment;
import dev.pysandbox.env.InstallException;
import dev.pysandbox.env.MissingToolException;
import dev.pysandbox.env.PythonLayout;
import dev.pysandbox.sandbox.Network;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxFactory;
import dev.pysandbox.script.InvalidScriptException;
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
import java.util.stream.Collectors;

/** Takes one script from its text to its result: reads it, installs what it needs, runs it. */
final class Executor {
    private final Workbench workbench;
    private final Config config;

    Executor(Workbench workbench) {
        this.workbench = workbench;
        this.config = workbench.config();
    }

    ExecutionResult execute(ExecutionRequest request, ExecutionListener listener) {
        ResultDraft draft = new ResultDraft(config);
        try {
            return run(request, listener, draft);
        } catch (InvalidScriptException e) {
            return draft.prevented(Status.INVALID_SCRIPT, e);
        } catch (InstallException | MissingToolException e) {
            return draft.prevented(Status.INSTALL_FAILED, e);
        } catch (SandboxUnavailableException | SupervisorException | IOException e) {
            return draft.prevented(Status.SANDBOX_UNAVAILABLE, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return draft.cancelled();
        }
    }

    private ExecutionResult run(ExecutionRequest request, ExecutionListener listener, ResultDraft draft)
            throws InvalidScriptException, InstallException, MissingToolException, SandboxUnavailableException,
                    SupervisorException, IOException, InterruptedException {
        ScriptRequirements requirements = ScriptRequirements.merge(
                PythonScript.parse(request.script()), request.dependencies(), config.pythonVersion());
        List<Task.TaskFile> files = Inputs.files(request.files());
        List<String> variables = Inputs.variables(request.variables());
        requirements.warnings().forEach(draft::warn);
        Duration timeout = draft.clamp(request.timeout());

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
                listener.wantsLiveOutput());
        draft.sandbox(sandbox.name(), (sandbox.isolates() ? config.network() : Network.HOST).label());
        return run(environment, task, timeout, listener, draft, requirements);
    }

    private ExecutionResult run(
            Environment environment,
            Task task,
            Duration timeout,
            ExecutionListener listener,
            ResultDraft draft,
            ScriptRequirements requirements)
            throws SupervisorException, IOException, InterruptedException {
        try (Supervisor supervisor = workbench.start(environment)) {
            Recorder recorder = new Recorder(config.maxOutputBytes(), listener, supervisor::close);
            long start = System.nanoTime();
            Optional<Ending> ending = Optional.empty();
            try {
                ending = Optional.of(supervisor.run(task, recorder, timeout));
            } catch (SupervisorException e) {
                if (!recorder.overflowed()) {
                    throw e;
                }
            }
            draft.ran(Duration.ofNanos(System.nanoTime() - start), recorder, ending);
            return draft.finish(timeout, requirements, supervisor.refusedConnections());
        }
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
