package dev.pysandbox.run;

import dev.pysandbox.env.BytecodeCompiler;
import dev.pysandbox.env.CacheWarmer;
import dev.pysandbox.env.Environment;
import dev.pysandbox.env.EnvironmentStore;
import dev.pysandbox.env.Host;
import dev.pysandbox.env.IndexSettings;
import dev.pysandbox.env.InstallException;
import dev.pysandbox.env.Installer;
import dev.pysandbox.env.MissingToolException;
import dev.pysandbox.env.PythonLayout;
import dev.pysandbox.env.Pythons;
import dev.pysandbox.env.Uv;
import dev.pysandbox.env.UvSource;
import dev.pysandbox.process.ByteSize;
import dev.pysandbox.process.Folders;
import dev.pysandbox.process.Spawner;
import dev.pysandbox.sandbox.Activity;
import dev.pysandbox.sandbox.DockerSettings;
import dev.pysandbox.sandbox.Network;
import dev.pysandbox.sandbox.RuntimeFolder;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxFactory;
import dev.pysandbox.supervisor.Supervisor;
import dev.pysandbox.supervisor.SupervisorException;
import dev.pysandbox.supervisor.SupervisorProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts that every call needs, each found or made when it is first asked for, and kept. */
final class Workbench implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Workbench.class);
    private static final int MOST_WAITING = 6;
    private static final int MOST_WAITING_FOR_CROWD = 16;
    private static final ByteSize MEMORY_WAITING = ByteSize.parse("512m");
    private static final Duration IDLE = Duration.ofMinutes(5);

    /** The first look finds all processes; one more may find those that were missed. */
    private static final int MOST_SUSPICIONS = 2;

    private final Config config;
    private final Host host;
    private final IndexSettings index;
    private final UvSource uv;
    private final RuntimeFolder runtime;
    private final SupervisorProgram supervisor;
    private final SandboxSource sandboxes;
    private Optional<PythonLayout> python = Optional.empty();
    private Optional<EnvironmentStore> store = Optional.empty();
    private final CacheWarmer warmer;

    private final WarmPool<WarmKind, Supervisor> pool;
    private final Thread warmUp;

    private final ScriptSandboxes scripts;
    private volatile boolean closing;

    /** Whether the activity of sandboxes can be measured: only then may they import packages while they wait. */
    private volatile boolean watchable = true;

    private final HeapBound heap = new HeapBound();
    private final HeldBytes heldBytes = HeldBytes.ofHeap();

    private final ReentrantLock findingPython = new ReentrantLock();

    Workbench(Config config) throws IOException {
        this(config, Optional.empty());
    }

    /** @param given the sandbox to use instead of choosing one */
    Workbench(Config config, Optional<Sandbox> given) throws IOException {
        this.config = config;
        makePrivate(config.cacheDir());
        this.host = Host.current(config.cacheDir());
        this.index = IndexSettings.fromEnvironment(host.environment());
        this.uv = new UvSource(config.uvPath(), host, index);
        this.runtime = RuntimeFolder.create();
        this.supervisor = SupervisorProgram.extract(runtime.path().resolve("supervisor"));
        DockerSettings docker =
                new DockerSettings(config.dockerImage(), config.dockerRuntime(), config.pythonVersion());
        SandboxFactory factory = new SandboxFactory(new Spawner(), runtime, host.environment(), docker);
        this.sandboxes =
                new SandboxSource(progress -> given.map(sandbox -> new SandboxFactory.Choice(sandbox, List.of()))
                        .orElseGet(() -> factory.choose(config.backend(), progress)));
        DataMounts data = DataMounts.of(config.mounts(), runtime.path().resolve("empty"), System::nanoTime);
        this.scripts = new ScriptSandboxes(config, host, index, supervisor, data);
        this.warmer = new CacheWarmer(host, this::store);
        this.pool = new WarmPool<>(new Waiting(), bounds(config.warmPool()), System::nanoTime, Threads::startDaemon);
        this.warmUp = new Thread(this::warmUp, "warm-up");
        warmUp.setDaemon(true);
    }

    /** Whoever needs the folder and can't have it says so with more to the point. */
    private static void makePrivate(Path cacheDir) {
        try {
            Folders.createPrivate(cacheDir);
        } catch (IOException e) {
            log.debug("can't make {}: {}", cacheDir, e.toString());
        }
    }

    /** Whether scripts can reach no public host, because names do not resolve here. */
    boolean lacksPublicNames() {
        return config.network() == Network.INTERNET && scripts.lacksPublicNames();
    }

    Config config() {
        return config;
    }

    /** Waits for the choice of a sandbox, and hears what is done for it meanwhile. */
    SandboxFactory.Choice choice(Consumer<String> progress) throws InterruptedException {
        return sandboxes.get(progress);
    }

    /** The same for those who have nothing to say about an interrupt. */
    SandboxFactory.Choice sureChoice(Consumer<String> progress) {
        try {
            return choice(progress);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("while waiting for the sandbox");
        }
    }

    Sandbox sandbox() {
        return sureChoice(progress -> {}).sandbox();
    }

    PythonLayout python(Consumer<String> progress) throws MissingToolException, InterruptedException {
        findingPython.lockInterruptibly(); // one call may download it while others wait
        try {
            if (python.isEmpty()) {
                python = choice(progress).sandbox().ownPython().map(PythonLayout::of);
            }
            if (python.isEmpty()) {
                Pythons pythons = new Pythons(host, uv, index, progress);
                python = Optional.of(new PythonLayout(pythons.find(config.pythonVersion())));
            }
            return python.get();
        } finally {
            findingPython.unlock();
        }
    }

    /** The uv that is there already, if any. */
    Optional<Uv> presentUv() throws MissingToolException, InterruptedException {
        return uv.present();
    }

    EnvironmentStore store() {
        Sandbox sandbox = sandbox();
        synchronized (this) {
            if (store.isEmpty()) {
                Installer installer =
                        new Installer(host, sandbox, supervisor, index, uv, config.packageAge(), config.maxCacheSize());
                BytecodeCompiler compiler = new BytecodeCompiler(sandbox, supervisor);
                store = Optional.of(
                        new EnvironmentStore(host.cacheDir(), sandbox, installer, compiler, config.maxCacheSize()));
            }
            return store.get();
        }
    }

    HeapBound heap() {
        return heap;
    }

    HeldBytes heldBytes() {
        return heldBytes;
    }

    CacheWarmer warmer() {
        return warmer;
    }

    WarmPool<WarmKind, Supervisor> pool() {
        return pool;
    }

    /** Does behind the back of the first call what that would have to do, and keeps sandboxes waiting from then on. */
    void keepWarm() {
        warmUp.start();
    }

    /** Waits until that is done, or can't be. */
    void awaitWarm() throws InterruptedException {
        warmUp.join();
    }

    private void warmUp() {
        pool.open();
        try {
            PythonLayout found = python(progress -> {});
            pool.want(WarmKind.of(store().prepare(found, List.of(), progress -> {}), List.of()));
            new BytecodeCompiler(sandbox(), supervisor).compileSupervisor(found);
        } catch (IOException | InstallException | MissingToolException e) {
            log.debug("not warmed up: {}", e.toString()); // the first call will say why
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A sandbox whose interpreter waits for a script that begins with these imports: new, or kept waiting. */
    Supervisor take(Environment environment, List<String> imports) throws IOException {
        Optional<Supervisor> waiting = pool.take(WarmKind.of(environment, watchable ? imports : List.of()));
        return waiting.isPresent() ? waiting.get() : start(environment);
    }

    /** A new sandbox for a script that is there. */
    Supervisor start(Environment environment) throws IOException {
        return scripts.start(sandbox(), environment, Map.of(), false, store().use(environment));
    }

    private static WarmPool.Bounds bounds(int perEnvironment) {
        return new WarmPool.Bounds(
                perEnvironment, Math.max(MOST_WAITING, perEnvironment), MOST_WAITING_FOR_CROWD, MEMORY_WAITING, IDLE);
    }

    /** Sandboxes that wait for a script. */
    private final class Waiting implements WarmPool.Source<WarmKind, Supervisor> {
        private final Map<Supervisor, Activity> whenReady = Collections.synchronizedMap(new WeakHashMap<>());
        private final Map<Supervisor, Set<Path>> seen = new WeakHashMap<>(); // of the pool's thread alone
        private final Map<Supervisor, Integer> suspicions = new WeakHashMap<>();

        @Override
        public Supervisor start(WarmKind kind) throws IOException {
            Environment environment = kind.environment();
            Map<String, String> more = Map.ofEntries(supervisor.beforehand(kind.imports()));
            boolean importsFirst = !kind.imports().isEmpty();
            return scripts.start(sandbox(), environment, more, importsFirst, store().use(environment));
        }

        @Override
        public ByteSize settle(Supervisor started) throws IOException, InterruptedException {
            try {
                ByteSize said = started.awaitReady();
                Optional<Activity> activity = started.activity();
                activity.ifPresent(found -> whenReady.put(started, found));
                if (activity.isEmpty() && started.isAlive()) {
                    watchable = false;
                    throw new IOException("the activity of a waiting sandbox can't be measured");
                }
                return new ByteSize(Math.max(
                        said.bytes(), started.memory().map(ByteSize::bytes).orElse(0L)));
            } catch (SupervisorException e) {
                log.debug("a waiting sandbox did not come up: {}", e.getMessage());
                throw new IOException(e);
            }
        }

        @Override
        public boolean isUsable(Supervisor waiting) {
            return waiting.isAlive();
        }

        @Override
        public boolean isResting(Supervisor waiting) {
            Optional<Activity> before = Optional.ofNullable(whenReady.get(waiting));
            Optional<Activity> now = before.isEmpty() ? Optional.empty() : waiting.activity();
            boolean resting =
                    now.isEmpty() || (now.get().isRestSince(before.get()) && !startsProcesses(waiting, now.get()));
            if (!resting) {
                log.info("a package works while its sandbox waits for a script: such sandboxes are not kept waiting");
            }
            return resting;
        }

        /** One look that finds new processes proves nothing: the kernel's list may have lacked them before. */
        private boolean startsProcesses(Supervisor waiting, Activity now) {
            boolean found =
                    seen.computeIfAbsent(waiting, any -> new HashSet<>()).addAll(now.processes());
            return found && suspicions.merge(waiting, 1, Integer::sum) > MOST_SUSPICIONS;
        }

        @Override
        public void discard(Supervisor waiting) {
            waiting.close();
            heap.afterCall(); // what it held is garbage, as after a call
        }
    }

    /** Whether it is being closed, or is closed, so that failures from now on mean nothing. */
    boolean isClosing() {
        return closing;
    }

    /** Kills what still runs, then removes what was temporary. */
    @Override
    public void close() {
        closing = true;
        warmUp.interrupt();
        sandboxes.giveUp();
        pool.close();
        scripts.close();
        Threads.awaitEnd(warmUp);
        warmer.close();
        Optional<EnvironmentStore> opened;
        synchronized (this) {
            opened = store;
        }
        opened.ifPresent(EnvironmentStore::close);
        sandboxes.close();
        runtime.close();
    }
}
