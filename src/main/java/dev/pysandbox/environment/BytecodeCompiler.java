package dev.pysandbox.environment;

import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.environment.install.DiskGuard;
import dev.pysandbox.environment.install.LowPriority;
import dev.pysandbox.environment.install.StageUsage;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.supervisor.Supervisor;
import dev.pysandbox.supervisor.SupervisorException;
import dev.pysandbox.supervisor.SupervisorProgram;
import dev.pysandbox.supervisor.Task;
import dev.pysandbox.support.BundledFile;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.toolchain.PythonLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Compiles the packages of an environment, and the supervisor, to bytecode. Otherwise every execution would compile
 * them again, because sandboxes can't write to them.
 *
 * <p>compile_packages.py renames each file into place, so scripts can run meanwhile. No code of the packages is executed:
 * the interpreter does not read their .pth files.
 */
public record BytecodeCompiler(Sandbox sandbox, SupervisorProgram supervisor) {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(10);

    /** The most time that a call waits for the bytecode of what it imports. */
    private static final Duration TIME_BEFORE_CALL = Duration.ofSeconds(10);

    /** A limit, because small sources can have large bytecode. */
    private static final ByteSize MOST_WRITTEN = ByteSize.parse("1g");

    private static final String PROGRAM = BundledFile.text(BytecodeCompiler.class, "compile_packages.py");

    private static final Limits LIMITS =
            new Limits(ByteSize.parse("2g"), 64, OptionalDouble.empty(), 1024, ByteSize.parse("512m"));

    boolean isDone(PythonEnvironment environment) {
        return CompiledMark.of(environment.folder()).isSet();
    }

    /** Compiles these modules and what they import, while a call waits. */
    void compileFor(PythonEnvironment environment, List<String> modules) throws IOException, InterruptedException {
        compile(environment, modules, Job.Priority.NORMAL, TIME_BEFORE_CALL);
    }

    /** Compiles an environment. */
    void compile(PythonEnvironment environment) throws IOException, InterruptedException {
        compile(environment, List.of(), Job.Priority.LOW, TIME_LIMIT);
        // Also if some files could not be compiled: the next attempt would fail too.
        CompiledMark.of(environment.folder()).set();
    }

    /** Only the environment's libraries are writable, except the file that loads the supervisor. */
    private void compile(PythonEnvironment environment, List<String> modules, Job.Priority priority, Duration limit)
            throws IOException, InterruptedException {
        PythonLayout python = environment.python();
        Path inside = Path.of("/env");
        Path library = Skeleton.libraryOf(python);
        Path start = Skeleton.startOf(python);
        Path packages = environment.folder().resolve(library);
        Volume writable = new Volume.Workspace(packages, inside.resolve(library), Path.of(""));
        Volume kept = new Volume.Content(
                SupervisorProgram.PTH_NAME, environment.folder().resolve(start), inside.resolve(start));
        List<String> arguments = new ArrayList<>(
                List.of(sandbox.pathOf(writable).resolve("site-packages").toString()));
        arguments.addAll(modules);
        run(arguments, List.of(writable, kept), python, priority, limit);
    }

    /** Compiles this server's copy of the supervisor. */
    public void compileSupervisor(PythonLayout python) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(supervisor.folder().resolve("__pycache__"));
        sandbox.allowWriting(folder);
        Volume sources = supervisor.volume();
        Volume writable = new Volume.Workspace(folder, sources.target().resolve("__pycache__"), Path.of(""));
        run(List.of(sandbox.pathOf(sources).toString()), List.of(writable), python, Job.Priority.LOW, TIME_LIMIT);
        supervisor.markCompiled();
    }

    private void run(
            List<String> arguments, List<Volume> own, PythonLayout python, Job.Priority priority, Duration limit)
            throws IOException, InterruptedException {
        List<Volume> volumes = new ArrayList<>(python.volumes());
        volumes.add(supervisor.volume());
        volumes.addAll(own);
        Map<String, String> variables = new TreeMap<>(python.variables(sandbox));
        variables.put("PATH", "/usr/bin:/bin");
        String interpreter = python.executable(sandbox).toString();
        List<String> argv = new ArrayList<>(List.of(interpreter));
        argv.addAll(supervisor.arguments(sandbox));
        Job job = new Job(argv, volumes, variables, LIMITS, Network.NONE, EgressPolicy.only(List.of()))
                .withPriority(priority);

        List<String> command = new ArrayList<>(List.of(interpreter, "-I", "-S", "-c", PROGRAM));
        command.addAll(arguments);
        Task task = Task.command(priority == Job.Priority.LOW ? LowPriority.command(command) : command, Map.of());
        Path written = own.get(0).source();
        try (Supervisor process = Supervisor.start(sandbox, job);
                DiskGuard guard =
                        DiskGuard.over(written, MOST_WRITTEN, enough -> StageUsage.ofBuild(written), process::close)) {
            try {
                process.run(task, (stream, bytes, length) -> {}, limit);
            } catch (SupervisorException e) {
                if (guard.stopReason().isEmpty()) { // else the guard has stopped it
                    throw new IOException("the sandbox failed: " + e.getMessage(), e);
                }
            }
        }
    }
}
