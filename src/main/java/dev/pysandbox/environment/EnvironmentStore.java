package dev.pysandbox.environment;

import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.supervisor.SupervisorProgram;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.Sha256;
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

/**
 * Keeps one environment for each set of requirements, whatever their order or spelling.
 *
 * <p>An environment is made in a staging folder and moved into place when it is whole, so that one that is there can
 * be used; servers that share the folder take turns by a lock for each. Behind the answers its packages are compiled,
 * and the least recently used environments go when all together grow too large.
 */
public final class EnvironmentStore implements AutoCloseable {
    /** Part of each key: raised when environments are made differently. */
    private static final String FORM = "3";

    private static final int KEY_LENGTH = 32;

    private static final Duration BEFORE_SWEEPING = Duration.ofSeconds(10);

    /** The script that an environment was made for goes first. */
    private static final Duration BEFORE_COMPILING = Duration.ofMillis(250);

    private static final Duration BEFORE_MAKING_ROOM = Duration.ofSeconds(1);

    private static final int MOST_KNOWN_PLACES = 256;

    private final Path folder;
    private final Path locks;
    private final Sandbox sandbox;
    private final Installer installer;
    private final BytecodeCompiler compiler;
    private final CacheEvictor room;
    private final DetachableWork installations = new DetachableWork();
    private final BackgroundTasks background = new BackgroundTasks();
    private final RecentUses recent = new RecentUses(background, System::nanoTime);
    private final Set<Path> compiled = ConcurrentHashMap.newKeySet();
    private final Map<Wanted, Path> places = new ConcurrentHashMap<>();

    /** What an environment is asked for with. */
    private record Wanted(PythonLayout python, List<String> requirements) {}

    /** One that is to be found, or made, in its place. */
    private record Order(Wanted wanted, Path place, boolean lowPriority, Consumer<String> progress) {
        PythonEnvironment filled(Optional<Duration> taken) {
            return new PythonEnvironment(place, wanted.python(), taken);
        }
    }

    public EnvironmentStore(
            Path cacheDir, Sandbox sandbox, Installer installer, BytecodeCompiler compiler, ByteSize budget) {
        this.folder = CacheFolder.ENVIRONMENTS.in(cacheDir);
        this.locks = CacheFolder.LOCKS.in(cacheDir);
        this.sandbox = sandbox;
        this.installer = installer;
        this.compiler = compiler;
        this.room = new CacheEvictor(folder, installer, budget);
        background.later("removing leftovers", BEFORE_SWEEPING, () -> {
            if (Files.isDirectory(folder)) {
                installer.sweep(SharedLocks.in(locks));
                room.makeRoom(SharedLocks.in(locks));
            }
        });
    }

    /**
     * The environment for some requirements, made if it is not there.
     *
     * @param requirements in canonical spelling, sorted
     */
    public PythonEnvironment prepare(PythonLayout python, List<String> requirements, Consumer<String> progress)
            throws InstallException, InterruptedException {
        PythonEnvironment environment = prepare(new Wanted(python, requirements), false, progress);
        if (!requirements.isEmpty()
                && (compiled.add(environment.folder())
                        || environment.installed().isPresent())) {
            background.later("compiling packages", BEFORE_COMPILING, () -> compileAndMakeRoom(environment));
        }
        return environment;
    }

    /**
     * Prepares an environment in advance: at low priority and without compiling.
     *
     * @param requirements in canonical spelling, sorted
     */
    PythonEnvironment prepareAtLowPriority(PythonLayout python, List<String> requirements, Consumer<String> progress)
            throws InstallException, InterruptedException {
        return prepare(new Wanted(python, requirements), true, progress);
    }

    /** Keeps an environment, which no server then removes, until what this returns is run. */
    public Runnable use(PythonEnvironment environment) {
        try {
            return SharedLocks.in(locks).shared(lockName(environment.folder()))::close;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the next blocking call will notice
        } catch (IOException e) {
            // A folder that can't be written to is not trimmed either.
        }
        return () -> {};
    }

    /** What environments depend on beside their requirements. */
    String identity() {
        return installer.identity();
    }

    /** Ends what is done in the background. */
    @Override
    public void close() {
        installations.close();
        background.close();
    }

    private PythonEnvironment prepare(Wanted wanted, boolean lowPriority, Consumer<String> progress)
            throws InstallException, InterruptedException {
        Order order = new Order(wanted, place(wanted), lowPriority, progress);
        if (recent.renew(order.place())) {
            return order.filled(Optional.empty());
        }
        try {
            SharedLocks all = SharedLocks.in(locks);
            recent.add(order.place(), all.shared(lockName(order.place())));
            return findOrCreate(order, all);
        } catch (IOException e) {
            if (Skeleton.isAt(order.place())) {
                return order.filled(Optional.empty()); // a folder that can only be read from
            }
            throw new InstallException(
                    "The environment can't be kept in " + folder + " (" + reason(e)
                            + "); make room there or choose another folder with --cache-dir.",
                    e);
        }
    }

    private PythonEnvironment findOrCreate(Order order, SharedLocks all)
            throws IOException, InstallException, InterruptedException {
        if (Skeleton.isAt(order.place())) {
            recent.renew(order.place());
            return order.filled(Optional.empty());
        }
        return installations.run(() -> createOnce(order, all));
    }

    @SuppressWarnings("try") // a lock is held, not looked at
    private PythonEnvironment createOnce(Order order, SharedLocks all)
            throws IOException, InstallException, InterruptedException {
        try (SharedLocks.Held making = all.exclusive("making " + order.place().getFileName())) {
            if (Skeleton.isAt(order.place())) { // another call has made it meanwhile
                recent.renew(order.place());
                return order.filled(Optional.empty());
            }
            long start = System.nanoTime();
            make(order, all);
            Duration taken = Duration.ofNanos(System.nanoTime() - start);
            return order.filled(order.wanted().requirements().isEmpty() ? Optional.empty() : Optional.of(taken));
        }
    }

    @SuppressWarnings("try") // a lock is held, not looked at
    private void make(Order order, SharedLocks all) throws IOException, InstallException, InterruptedException {
        // Not to be looked through, but to be gone through: a sandbox that is another user's reads what is in it.
        Folders.setPermissions(Folders.createPrivate(folder), "rwx--x--x");
        try (SharedLocks.Held caching = all.shared(CacheEvictor.CACHE)) {
            if (!make(order, installer.stageForWheels(all))) {
                make(order, installer.stageForBuilds(all));
            }
        } finally { // an installation that was ended leaves what it downloaded
            if (!order.wanted().requirements().isEmpty()) {
                background.later("making room", BEFORE_MAKING_ROOM, () -> room.makeRoom(all));
            }
        }
    }

    /** Makes it in a stage; false if that is not one to build in and something must be built. */
    private boolean make(Order order, Installer.Stage stage)
            throws IOException, InstallException, InterruptedException {
        PythonLayout python = order.wanted().python();
        List<String> requirements = order.wanted().requirements();
        try (stage) {
            if (Files.exists(order.place(), LinkOption.NOFOLLOW_LINKS)) { // but incomplete: parts of it were deleted
                Files.move(order.place(), stage.environment(), StandardCopyOption.ATOMIC_MOVE);
                Folders.delete(stage.environment());
            }
            Skeleton skeleton = Skeleton.of(python, sandbox);
            skeleton.write(stage.environment(), sandbox);
            if (!requirements.isEmpty()) {
                if (!installer.install(python, requirements, stage, order.lowPriority(), order.progress())) {
                    return false;
                }
                room.cacheWasUsed();
                EnvironmentInspector.inspect(stage.environment(), skeleton);
            }
            CompiledMark.of(order.place()).remove();
            Files.move(stage.environment(), order.place(), StandardCopyOption.ATOMIC_MOVE);
            return true;
        }
    }

    /** Compiles it if need be; bytecode takes room too, so others may have to go. */
    private void compileAndMakeRoom(PythonEnvironment environment) throws IOException, InterruptedException {
        SharedLocks all = SharedLocks.in(locks);
        if (compile(environment, all)) {
            room.makeRoom(all);
        }
    }

    /** Compiles it; false if that is done already, or another server does it. */
    @SuppressWarnings("try") // a lock is held, not looked at
    private boolean compile(PythonEnvironment environment, SharedLocks all) throws IOException, InterruptedException {
        String name = environment.folder().getFileName().toString();
        try (SharedLocks.Held using = all.shared(lockName(environment.folder()))) {
            Optional<SharedLocks.Held> alone = all.tryExclusive("compiling " + name);
            if (alone.isPresent()) {
                try (SharedLocks.Held compiling = alone.get()) {
                    if (Skeleton.isAt(environment.folder()) && !compiler.isDone(environment)) {
                        compiler.compile(environment);
                        return true;
                    }
                }
            }
            return false;
        }
    }

    /** The lock that keeps an environment from being removed. */
    static String lockName(Path place) {
        return "environment " + place.getFileName();
    }

    /** Remembered, for a hash takes longer than all else that is done for an environment that is there. */
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
