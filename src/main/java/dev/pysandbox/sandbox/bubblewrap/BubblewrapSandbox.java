package dev.pysandbox.sandbox.bubblewrap;

import dev.pysandbox.api.Backend;
import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.sandbox.Capabilities;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.Job.Priority;
import dev.pysandbox.sandbox.JobProxy;
import dev.pysandbox.sandbox.MemoryCount;
import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxedProcess;
import dev.pysandbox.sandbox.local.HostSystem;
import dev.pysandbox.sandbox.local.LocalProcess;
import dev.pysandbox.sandbox.local.Mount;
import dev.pysandbox.sandbox.local.PackageManager;
import dev.pysandbox.sandbox.local.ProcessTree;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.sandbox.local.SyntheticEtc;
import dev.pysandbox.sandbox.local.UnprivilegedUser;
import dev.pysandbox.sandbox.seccomp.SeccompFilter;
import dev.pysandbox.support.HostCommand;
import dev.pysandbox.support.Spawner;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Isolates each job in namespaces that bubblewrap creates. The server may run as root or as an ordinary user. */
final class BubblewrapSandbox implements Sandbox {
    /** For the programs that run before the supervisor sets the limit of the script. */
    private static final int LEAST_OPEN_FILES = 1024;

    private static final int ATTEMPTS_TO_KILL = 100;

    private static final Pattern VERSION = Pattern.compile("bubblewrap (\\d+)\\.(\\d+)(\\S*)");

    private final Spawner spawner;
    private final RuntimeFolder runtime;
    private final Path bwrap;
    private final SyntheticEtc etc;
    private final List<String> system;
    private final Optional<RootLauncher> launcher;
    private final Optional<Path> seccomp;
    private final Optional<Path> prlimit;
    private final Cgroups cgroups;
    /** Whether bwrap is new enough for all options that are used; {@link #check} finds out. */
    private volatile boolean bounded = true;

    private BubblewrapSandbox(Spawner spawner, RuntimeFolder runtime, Path bwrap, Optional<RootLauncher> launcher)
            throws IOException, InterruptedException {
        this.spawner = spawner;
        this.runtime = runtime;
        this.bwrap = bwrap;
        this.etc = SyntheticEtc.create(runtime.path().resolve("etc"), Path.of("/etc"));
        this.system = SystemFolders.arguments();
        this.launcher = launcher;
        this.seccomp = writeFilter(runtime.path().resolve("seccomp.bpf"));
        this.prlimit = Optional.of(Path.of("/usr/bin/prlimit")).filter(Files::isExecutable);
        this.cgroups = Cgroups.find(runtime);
    }

    private static Optional<Path> writeFilter(Path file) throws IOException {
        Optional<SeccompFilter> filter = SeccompFilter.of(System.getProperty("os.arch"));
        return filter.isPresent() ? Optional.of(Files.write(file, filter.get().bytes())) : Optional.empty();
    }

    /** Creates a sandbox that uses the host's bubblewrap. Call {@link #check} to find out whether it works. */
    static BubblewrapSandbox create(Spawner spawner, RuntimeFolder runtime, Optional<String> searchPath)
            throws IOException, InterruptedException, RefusedException {
        Path bwrap = HostSystem.program("bwrap", searchPath)
                .orElseThrow(() -> BubblewrapDiagnosis.missing("bubblewrap", "bubblewrap", PackageManager.current()));
        Optional<RootLauncher> launcher =
                HostSystem.runsAsRoot() ? Optional.of(RootLauncher.create(spawner, runtime)) : Optional.empty();
        return new BubblewrapSandbox(spawner, runtime, bwrap, launcher);
    }

    @Override
    public String name() {
        return Backend.NATIVE.label();
    }

    @Override
    public String description() {
        return "bubblewrap " + version()
                + (seccomp.isPresent() ? "" : ", no seccomp filter for " + System.getProperty("os.arch"));
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, false, cgroups.canCreate(), false, HostSystem.countsReservedMemory());
    }

    /** Runs a trivial job, if necessary once more without the options that an old bwrap does not have. */
    void check() throws IOException, InterruptedException, RefusedException {
        try {
            runTrivialJob();
        } catch (RefusedException e) {
            // The version is asked only now, because each program that is started makes the first call later.
            if (atLeast(versionOf(bwrap), 0, 8)) {
                throw e;
            }
            bounded = false;
            runTrivialJob();
        }
    }

    private void runTrivialJob() throws IOException, InterruptedException, RefusedException {
        Job trivial = new Job(
                List.of("/bin/true"), List.of(), Map.of(), Limits.DEFAULT, Network.NONE, EgressPolicy.only(List.of()));
        try (SandboxedProcess process = start(trivial)) {
            String errorOutput = new String(process.stderr().readNBytes(4000), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw BubblewrapDiagnosis.of(errorOutput);
            }
        }
    }

    @Override
    public void allowWriting(Path folder) throws IOException {
        if (launcher.isPresent()) {
            UnprivilegedUser.chown(folder);
        }
    }

    @Override
    public SandboxedProcess start(Job job) throws IOException {
        Optional<JobProxy> proxy = JobProxy.shared(job, runtime.fresh("proxy"));
        Optional<Cgroup> cgroup = cgroups.create(job.limits(), job.priority());
        OptionsFile options = new OptionsFile(runtime.fresh("options"));
        try {
            List<Mount> mounts = new ArrayList<>(Mount.of(job));
            proxy.flatMap(Mount::of).ifPresent(mounts::add);
            Process process = spawner.start(processBuilder(job, mounts, cgroup, options));
            List<LocalProcess.Step> cleanup = new ArrayList<>();
            cleanup.add(options::remove);
            cgroup.ifPresent(group -> cleanup.add(group::remove));
            // bwrap has read its options once the job has written output or has ended.
            InputStream stdout = new FirstRead(process.getInputStream(), options::remove);
            return new LocalProcess(
                    process,
                    stdout,
                    () -> killInit(process),
                    cleanup,
                    proxy,
                    cgroup.map(MemoryCount.class::cast).orElse(MemoryCount.NONE),
                    () -> Optional.of(new ProcessTree(process.pid())),
                    () -> raise(job, cgroup));
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            proxy.ifPresent(JobProxy::close);
            if (cgroup.isPresent()) {
                cgroup.get().remove();
            }
            options.remove();
            throw e;
        }
    }

    private static void raise(Job job, Optional<Cgroup> cgroup) {
        if (job.priority() == Priority.LOW) {
            cgroup.ifPresent(group -> group.setPriority(Priority.NORMAL));
        }
    }

    @Override
    public boolean canRaisePriority() {
        return cgroups.canSetPriority();
    }

    @Override
    public void close() {
        launcher.ifPresent(RootLauncher::close);
    }

    private ProcessBuilder processBuilder(Job job, List<Mount> mounts, Optional<Cgroup> cgroup, OptionsFile options)
            throws IOException {
        // A control group already limits processes, and starting one program less is faster.
        Optional<Path> bounding = cgroup.isPresent() ? Optional.empty() : prlimit;
        BubblewrapCommand command = new BubblewrapCommand(bwrap, system, etc, seccomp, bounding, bounded);
        RootLauncher.Launch launch =
                launcher.isPresent() ? launcher.get().launch(mounts) : new RootLauncher.Launch(List.of(), mounts);
        options.write(command.options(job, launch.mounts()));
        List<String> argv = LaunchScript.wrap(
                seccomp.orElse(Path.of("/dev/null")),
                options.path(),
                Math.max(job.limits().openFiles(), LEAST_OPEN_FILES),
                cgroup.map(Cgroup::joinFiles).orElse(List.of()),
                launch.commandLine(command.commandLine(job)));
        ProcessBuilder builder = new ProcessBuilder(argv).directory(Path.of("/").toFile());
        // The environment of bwrap could be read inside the sandbox, as /proc/1/environ.
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
        return builder;
    }

    /**
     * Kills the init of the pid namespace, which is bwrap's child: the kernel then kills the whole namespace, and bwrap
     * exits. Waits for bwrap rather than for init, because Java polls processes that are not its children only every
     * 300 ms.
     */
    private static void killInit(Process bwrap) throws IOException {
        if (!bwrap.isAlive()) {
            return; // its child died with it: --die-with-parent
        }
        try {
            for (int attempt = 0; attempt < ATTEMPTS_TO_KILL; attempt++) { // bwrap may not have started its child yet
                bwrap.children().forEach(ProcessHandle::destroyForcibly);
                if (bwrap.waitFor(50, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
            throw new IOException("bwrap " + bwrap.pid() + " did not exit after its child was killed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private String version() {
        try {
            return versionOf(bwrap);
        } catch (IOException e) {
            return "of unknown version";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "of unknown version";
        }
    }

    private static String versionOf(Path bwrap) throws IOException, InterruptedException {
        HostCommand command =
                new HostCommand(List.of(bwrap.toString(), "--version"), Map.of(), Path.of("/"), Duration.ofSeconds(10));
        HostCommand.Outcome outcome = command.run();
        Matcher matcher = VERSION.matcher(outcome.stdout());
        if (!matcher.find()) {
            throw new IOException(
                    "unexpected output of " + bwrap + ": " + (outcome.stdout() + outcome.stderr()).strip());
        }
        return matcher.group(1) + "." + matcher.group(2) + matcher.group(3);
    }

    static boolean atLeast(String version, int major, int minor) {
        String[] parts = version.split("\\.", 3);
        int foundMajor = Integer.parseInt(parts[0]);
        int foundMinor = Integer.parseInt(parts[1].replaceAll("\\D.*", ""));
        return foundMajor > major || (foundMajor == major && foundMinor >= minor);
    }
}
