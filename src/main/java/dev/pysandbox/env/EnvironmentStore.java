package dev.pysandbox.env;

import dev.pysandbox.process.Folders;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.supervisor.SupervisorProgram;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Keeps one environment for each set of requirements, whatever their order or spelling.
 *
 * <p>An environment is made in a staging folder and moved into place when it is whole, so that one that is there can
 * be used; servers that share the folder take turns by a lock for each.
 */
public final class EnvironmentStore {
    /** Part of each key: raised when environments are made differently. */
    private static final String FORM = "1";

    private final Path folder;
    private final Path locks;
    private final Sandbox sandbox;
    private final Installer installer;
    private final Map<String, ReentrantLock> ours = new ConcurrentHashMap<>();

    public EnvironmentStore(Path cacheDir, Sandbox sandbox, Installer installer) {
        this.folder = cacheDir.resolve("environments");
        this.locks = cacheDir.resolve("locks");
        this.sandbox = sandbox;
        this.installer = installer;
    }

    /**
     * The environment for some requirements, made if it is not there.
     *
     * @param requirements in canonical spelling, sorted
     */
    public Environment prepare(PythonLayout python, List<String> requirements, Consumer<String> progress)
            throws InstallException, InterruptedException {
        String key = key(python, requirements);
        Path place = folder.resolve(key);
        if (isThere(place)) {
            return new Environment(place, python, Optional.empty());
        }
        ReentrantLock lock = ours.computeIfAbsent(key, any -> new ReentrantLock());
        lock.lockInterruptibly();
        try {
            Folders.createPrivate(folder);
            Folders.createPrivate(locks);
            try (FileChannel channel =
                    FileChannel.open(locks.resolve(key), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock(); // until the channel is closed
                if (isThere(place)) { // by somebody else, meanwhile
                    return new Environment(place, python, Optional.empty());
                }
                Instant start = Instant.now();
                make(python, requirements, place, progress);
                Duration taken = Duration.between(start, Instant.now());
                return new Environment(place, python, requirements.isEmpty() ? Optional.empty() : Optional.of(taken));
            }
        } catch (FileLockInterruptionException e) {
            throw new InterruptedException("while waiting for another server's installation");
        } catch (IOException e) {
            throw new InstallException(
                    "The environment can't be kept in " + folder + " (" + reason(e)
                            + "); make room there or choose another folder with --cache-dir.",
                    e);
        } finally {
            lock.unlock();
        }
    }

    private boolean isThere(Path place) {
        if (!Files.isDirectory(place)) {
            return false;
        }
        try {
            Files.setLastModifiedTime(place, FileTime.from(Instant.now())); // the least recently used go first
        } catch (IOException e) {
            // A folder that can't be written to can still be read from.
        }
        return true;
    }

    private void make(PythonLayout python, List<String> requirements, Path place, Consumer<String> progress)
            throws IOException, InstallException, InterruptedException {
        try (Installer.Stage stage = installer.stage(UUID.randomUUID().toString())) {
            writeEmpty(stage.environment(), python);
            if (!requirements.isEmpty()) {
                installer.install(python, requirements, stage, progress);
            }
            Files.move(stage.environment(), place, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** What {@code python -m venv --without-pip} would make, less what nobody here uses. */
    private void writeEmpty(Path environment, PythonLayout python) throws IOException {
        Path executable = python.executable(sandbox);
        Path packages = environment.resolve("lib").resolve(python.libraryName()).resolve("site-packages");
        Files.createDirectories(packages);
        Path programs = Files.createDirectories(environment.resolve("bin"));
        Files.createSymbolicLink(programs.resolve("python"), executable);
        Files.createSymbolicLink(programs.resolve("python3"), Path.of("python"));
        Files.createSymbolicLink(programs.resolve(python.libraryName()), Path.of("python"));
        Files.writeString(
                environment.resolve("pyvenv.cfg"),
                "home = " + executable.getParent() + "\ninclude-system-site-packages = false\nversion = "
                        + python.python().version() + "\n");
        Files.writeString(packages.resolve("python_sandbox.pth"), SupervisorProgram.PTH_LINE);
        for (Path each : List.of(environment, environment.resolve("lib"), programs, packages)) {
            sandbox.allowWriting(each);
        }
        sandbox.allowWriting(environment.resolve("lib").resolve(python.libraryName()));
    }

    private String key(PythonLayout python, List<String> requirements) {
        String content = String.join(
                "\n",
                FORM,
                SupervisorProgram.PTH_LINE,
                python.executable(sandbox).toString(),
                python.python().home() + python.origin(),
                python.python().version(),
                installer.identity(),
                String.join("\n", requirements));
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String reason(IOException e) {
        return e.getClass().getSimpleName().replaceAll("Exception$", "") + ": " + e.getMessage();
    }
}
