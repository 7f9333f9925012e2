package dev.pysandbox.environment;

import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.environment.install.Installer;
import dev.pysandbox.environment.install.Stage;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.supervisor.SupervisorProgram;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.Sha256;
import dev.pysandbox.support.SharedLocks;
import dev.pysandbox.toolchain.PythonLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one environment for each set of requirements.
 *
 * <p>An environment is created in a staging folder and renamed into place when it is complete, so an existing one can
 * be used at once. Servers that share the folder use a lock for each environment. Background tasks compile the packages
 * and delete the least recently used environments if all together are too large.
 */
public final class EnvironmentStore implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EnvironmentStore.class);

    /** Part of each key. Increased when environments are created in another way. */
    private static final String FORM = "4";

    private static final int KEY_LENGTH = 32;

    private static final Duration BEFORE_SWEEPING = Duration.ofSeconds(10);

    /** Gives the script for which the environment was created time to run first. */
    private static final Duration BEFORE_COMPILING = Duration.ofMillis(250);

    /** Scripts compile less than this themselves faster than a sandbox starts. */
    private static final long LEAST_TO_COMPILE = 512 << 10;

    private static final Duration BEFORE_MAKING_ROOM = Duration.ofSeconds(1);
    private static final int TRIES_TO_MAKE_ROOM = 60;

    private static final int MOST_KNOWN_PLACES = 256;

    private final Path cacheDir;
    private final Path folder;
    private final Path locks;
    private final Sandbox sandbox;
    private final Installer installer;
    private final BytecodeCompiler compiler;
    private final CacheEvictor evictor;
    private final DetachableWork installations = new DetachableWork();
    private final BackgroundTasks background = new BackgroundTasks();
    private final RecentUses recent = new RecentUses(background, System::nanoTime);
    private final Set<Path> compiled = ConcurrentHashMap.newKeySet();
    private final Map<Wanted, Path> places = new ConcurrentHashMap<>();

    /** The Python and packages of an environment. */
    private record Wanted(PythonLayout python, List<String> requirements) {
        /** The generated method takes 10 ms when it is first called, because of the records in this one. */
        @Override
        public int hashCode() {
            return requirements.hashCode();
        }
    }

    /** A request for an environment that exists at a path or is created there. */
    private record Request(Wanted wanted, Path place, boolean lowPriority, Consumer<String> progress) {
        PythonEnvironment environment(Optional<Duration> taken) {
            return new PythonEnvironment(place, wanted.python(), taken);
        }
    }

    public EnvironmentStore(
            Path cacheDir, Sandbox sandbox, Installer installer, BytecodeCompiler compiler, ByteSize budget) {
        this.cacheDir = cacheDir;
        this.folder = CacheFolder.ENVIRONMENTS.in(cacheDir);
        this.locks = CacheFolder.LOCKS.in(cacheDir);
        this.sandbox = sandbox;
        this.installer = installer;
        this.compiler = compiler;
        this.evictor = new CacheEvictor(folder, installer.stages(), budget);
        background.later("removing leftovers", BEFORE_SWEEPING, () -> {
            if (Files.isDirectory(folder)) {
                installer.stages().removeLeftovers(SharedLocks.in(locks));
                makeRoom(SharedLocks.in(locks), TRIES_TO_MAKE_ROOM);
            }
        });
    }

    /**
     * Returns the environment for these requirements. Creates it if it does not exist.
     *
     * @param requirements in canonical spelling, sorted
     * @param modules what the script imports first: compiled before this method returns, if the environment is new
     */
    public PythonEnvironment prepare(
            PythonLayout python, List<String> requirements, List<String> modules, Consumer<String> progress)
            throws InstallException, InterruptedException {
        PythonEnvironment environment = findOrCreate(new Wanted(python, requirements), false, progress);
        if (!requirements.isEmpty()
                && (compiled.add(environment.folder())
                        || environment.installed().isPresent())) {
            if (environment.installed().isPresent()) {
                compileBeforeCall(environment, modules);
            }
            background.later("compiling packages", BEFORE_COMPILING, () -> compileAndMakeRoom(environment));
        }
        return environment;
    }

    /**
     * Prepares and compiles an environment in advance, at low priority.
     *
     * @param requirements in canonical spelling, sorted
     */
    PythonEnvironment prepareAtLowPriority(PythonLayout python, List<String> requirements, Consumer<String> progress)
            throws IOException, InstallException, InterruptedException {
        PythonEnvironment environment = findOrCreate(new Wanted(python, requirements), true, progress);
        compile(environment, SharedLocks.in(locks));
        return environment;
    }

    /** Compiles what a script imports. This is faster than if the script did it, because it uses all processors. */
    private void compileBeforeCall(PythonEnvironment environment, List<String> modules) throws InterruptedException {
        try {
            if (modules.isEmpty() || compiler.isDone(environment)) {
                return;
            }
            long size = 0;
            for (Path wheel : wheelBytecode(environment.python())
                    .wheelsOf(packages(environment))
                    .unshared()) {
                size += WheelBytecode.sourceBytes(wheel);
            }
            if (size >= LEAST_TO_COMPILE) {
                compiler.compileFor(environment, modules);
            }
        } catch (IOException e) {
            log.debug("modules can't be compiled before a call: {}", e.toString()); // the script does it
        }
    }

    private WheelBytecode wheelBytecode(PythonLayout python) {
        return WheelBytecode.in(cacheDir, installer.stages().uvCache(), python.libraryName());
    }

    private static Path packages(PythonEnvironment environment) {
        return environment
                .folder()
                .resolve(Skeleton.libraryOf(environment.python()))
                .resolve("site-packages");
    }

    /** Locks an environment so that no server removes it. Running the result releases the lock. */
    public Runnable use(PythonEnvironment environment) {
        try {
            return SharedLocks.in(locks).shared(lockName(environment.folder()))::close;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the next blocking call sees it
        } catch (IOException e) {
            // Nothing is deleted from a folder that is not writable.
        }
        return () -> {};
    }

    /** Returns what environments depend on besides Python and requirements. */
    String identity() {
        return installer.identity();
    }

    /** Stops installations and the work in the background, and releases the locks of environments. */
    @Override
    public void close() {
        installations.close();
        background.close();
        recent.close();
    }

    private PythonEnvironment findOrCreate(Wanted wanted, boolean lowPriority, Consumer<String> progress)
            throws InstallException, InterruptedException {
        Request request = new Request(wanted, place(wanted), lowPriority, progress);
        if (recent.renew(request.place())) {
            return request.environment(Optional.empty());
        }
        try {
            SharedLocks all = SharedLocks.in(locks);
            recent.add(request.place(), all.shared(lockName(request.place())));
            if (Skeleton.isAt(request.place())) {
                recent.renew(request.place());
                return request.environment(Optional.empty());
            }
            return installations.run(() -> createUnlessPresent(request, all));
        } catch (IOException e) {
            if (Skeleton.isAt(request.place())) {
                return request.environment(Optional.empty()); // the folder is read-only
            }
            throw new InstallException(
                    "The environment can't be stored in " + folder + " (" + reason(e)
                            + "); make room there or choose another folder with --cache-dir.",
                    e);
        }
    }

    @SuppressWarnings("try") // the variable only holds the lock
    private PythonEnvironment createUnlessPresent(Request request, SharedLocks all)
            throws IOException, InstallException, InterruptedException {
        try (SharedLocks.Held making = all.exclusive("making " + request.place().getFileName())) {
            if (Skeleton.isAt(request.place())) { // another call has created it meanwhile
                recent.renew(request.place());
                return request.environment(Optional.empty());
            }
            long start = System.nanoTime();
            createEnvironment(request, all);
            Duration taken = Duration.ofNanos(System.nanoTime() - start);
            return request.environment(
                    request.wanted().requirements().isEmpty() ? Optional.empty() : Optional.of(taken));
        }
    }

    @SuppressWarnings("try") // the variable only holds the lock
    private void createEnvironment(Request request, SharedLocks all)
            throws IOException, InstallException, InterruptedException {
        // Mode 711: a sandbox that runs as another user can read an environment, but not list the folder.
        Folders.setPermissions(Folders.createPrivate(folder), "rwx--x--x");
        try (SharedLocks.Held caching = all.shared(CacheEvictor.CACHE)) {
            if (!createInStage(request, installer.stages().forWheels(all))) {
                createInStage(request, installer.stages().forBuilds(all));
            }
        } finally { // also after a failed installation, which leaves its downloads
            if (!request.wanted().requirements().isEmpty()) {
                background.later("making room", BEFORE_MAKING_ROOM, () -> makeRoom(all, TRIES_TO_MAKE_ROOM));
            }
        }
    }

    /**
     * Creates the environment in a stage. Returns false if a package must be built and the stage does not permit it.
     */
    private boolean createInStage(Request request, Stage stage)
            throws IOException, InstallException, InterruptedException {
        PythonLayout python = request.wanted().python();
        List<String> requirements = request.wanted().requirements();
        try (stage) {
            if (Files.exists(request.place(), LinkOption.NOFOLLOW_LINKS)) { // incomplete: parts of it were deleted
                Files.move(request.place(), stage.environment(), StandardCopyOption.ATOMIC_MOVE);
                Folders.delete(stage.environment());
            }
            Skeleton skeleton = Skeleton.of(python, sandbox);
            skeleton.write(stage.environment(), sandbox);
            if (!requirements.isEmpty()) {
                if (!installer.install(python, requirements, stage, request.lowPriority(), request.progress())) {
                    return false;
                }
                evictor.cacheWasUsed();
                EnvironmentInspector.inspect(stage.environment(), skeleton);
            }
            boolean hasBytecode = !requirements.isEmpty() && takeBytecode(python, stage.environment());
            CompiledMark.of(request.place()).remove();
            Files.move(stage.environment(), request.place(), StandardCopyOption.ATOMIC_MOVE);
            if (hasBytecode) {
                CompiledMark.of(request.place()).set();
            }
            return true;
        }
    }

    /** An installation that was stopped leaves what uv had unpacked in its cache, which others may use at that time. */
    private void makeRoom(SharedLocks all, int tries) throws IOException {
        if (evictor.makeRoom(all) && tries > 1) {
            background.later("making room", BEFORE_MAKING_ROOM, () -> makeRoom(all, tries - 1));
        }
    }

    /** Removes bytecode that is not shared from a new environment. Returns whether nothing is left to compile. */
    private boolean takeBytecode(PythonLayout python, Path environment) throws IOException {
        Path packages = environment.resolve(Skeleton.libraryOf(python)).resolve("site-packages");
        WheelBytecode bytecode = wheelBytecode(python);
        return bytecode.keepShared(packages, bytecode.wheelsOf(packages));
    }

    /** Compiles an environment, then deletes others if the bytecode exceeds the size limit. */
    private void compileAndMakeRoom(PythonEnvironment environment) throws IOException, InterruptedException {
        SharedLocks all = SharedLocks.in(locks);
        if (compile(environment, all)) {
            makeRoom(all, TRIES_TO_MAKE_ROOM);
        }
    }

    /** Compiles an environment. Returns false if it is already compiled or another server is compiling it. */
    @SuppressWarnings("try") // the variable only holds the lock
    private boolean compile(PythonEnvironment environment, SharedLocks all) throws IOException, InterruptedException {
        String name = environment.folder().getFileName().toString();
        try (SharedLocks.Held using = all.shared(lockName(environment.folder()))) {
            Optional<SharedLocks.Held> alone = all.tryExclusive("compiling " + name);
            if (alone.isPresent()) {
                try (SharedLocks.Held compiling = alone.get()) {
                    if (Skeleton.isAt(environment.folder()) && !compiler.isDone(environment)) {
                        compiler.compile(environment);
                        share(environment, all);
                        return true;
                    }
                }
            }
            return false;
        }
    }

    /** Makes the bytecode of a compiled environment available to later environments. */
    @SuppressWarnings("try") // the variable only holds the lock
    private void share(PythonEnvironment environment, SharedLocks all) throws IOException, InterruptedException {
        try (SharedLocks.Held caching = all.shared(CacheEvictor.CACHE)) {
            WheelBytecode bytecode = wheelBytecode(environment.python());
            Path packages = packages(environment);
            bytecode.share(packages, bytecode.wheelsOf(packages).unshared());
        }
    }

    /** Returns the name of the lock that protects an environment from being removed. */
    static String lockName(Path place) {
        return "environment " + place.getFileName();
    }

    /**
     * Returns the path of an environment. Cached, because the hash takes longer than all other steps for an existing
     * one.
     */
    private Path place(Wanted wanted) {
        if (places.size() > MOST_KNOWN_PLACES) {
            places.clear();
        }
        return places.computeIfAbsent(wanted, each -> folder.resolve(key(each.python(), each.requirements())));
    }

    private String key(PythonLayout python, List<String> requirements) {
        String content = String.join(
                "\n",
                FORM,
                SupervisorProgram.PTH_NAME + SupervisorProgram.PTH_LINE,
                python.executable(sandbox).toString(),
                python.python().home() + python.origin(),
                python.python().version(),
                installer.identity(),
                String.join("\n", requirements));
        return Sha256.of(content.getBytes(StandardCharsets.UTF_8)).substring(0, KEY_LENGTH);
    }

    private static String reason(IOException e) {
        return e.getClass().getSimpleName().replaceAll("Exception$", "") + ": " + e.getMessage();
    }
}
