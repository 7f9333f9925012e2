package dev.pysandbox.environment;

import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.support.BundledFile;
import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.DiskCacheEntry;
import dev.pysandbox.support.Host;
import dev.pysandbox.support.SharedLocks;
import dev.pysandbox.toolchain.MissingToolException;
import dev.pysandbox.toolchain.PythonLayout;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Downloads packages that scripts often use in advance.
 *
 * <p>It installs all of them into one environment. Later environments with some of them are linked from uv's cache.
 */
public final class CacheWarmer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CacheWarmer.class);
    private static final String LIST = "/dev/pysandbox/profiles/warmup_packages.txt";
    private static final Duration BEFORE_START = Duration.ofSeconds(5);
    private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(2);
    private static final Duration STAYS_WARM = Duration.ofDays(7);

    private final Host host;
    private final Supplier<EnvironmentStore> store;
    private final BackgroundTasks background = new BackgroundTasks();

    public CacheWarmer(Host host, Supplier<EnvironmentStore> store) {
        this.host = host;
        this.store = store;
    }

    /** Finds the interpreter to warm for. */
    public interface PythonFinder {
        PythonLayout find(Consumer<String> progress) throws MissingToolException, InterruptedException;
    }

    /** Warms the cache a few seconds later, when no call is running, unless it was done in the last seven days. */
    public void warmInBackground(PythonFinder pythons, BooleanSupplier idle) {
        background.later("warming the cache", BEFORE_START, () -> warmWhenIdle(pythons, idle));
    }

    private void warmWhenIdle(PythonFinder pythons, BooleanSupplier idle) throws IOException, InterruptedException {
        if (!idle.getAsBoolean()) {
            background.later("warming the cache", BETWEEN_CHECKS, () -> warmWhenIdle(pythons, idle));
            return;
        }
        try {
            PythonLayout python = pythons.find(step -> {});
            Optional<SharedLocks.Held> alone =
                    SharedLocks.in(CacheFolder.LOCKS.in(host.cacheDir())).tryExclusive("warming");
            if (alone.isEmpty()) {
                return; // another server is doing it
            }
            try {
                if (lastWarming(python).recall().isEmpty()) {
                    warmTogether(python, step -> log.debug("{}", step));
                }
            } finally {
                alone.get().close();
            }
        } catch (InstallException | MissingToolException e) {
            log.info("can't warm the cache: {}", e.getMessage());
        }
    }

    /**
     * Warms the cache now, even if it was done before: installs each package alone, then all together.
     *
     * @param progress receives steps such as {@code 3/16 numpy}
     */
    public void warm(PythonLayout python, Consumer<String> progress)
            throws IOException, InstallException, InterruptedException {
        List<String> packages = packages();
        for (int i = 0; i < packages.size(); i++) {
            progress.accept(i + 1 + "/" + packages.size() + " " + packages.get(i));
            store.get().prepareAtLowPriority(python, List.of(packages.get(i)), step -> {});
        }
        warmTogether(python, progress);
    }

    private void warmTogether(PythonLayout python, Consumer<String> progress)
            throws IOException, InstallException, InterruptedException {
        List<String> packages = packages();
        store.get().prepareAtLowPriority(python, packages, progress);
        lastWarming(python).remember(Map.of("packages", String.join(" ", packages)), STAYS_WARM);
        progress.accept(packages.size() + " packages are ready");
    }

    private DiskCacheEntry lastWarming(PythonLayout python) {
        String subject = String.join("\n", packages()) + "\n" + python.python() + "\n"
                + store.get().identity();
        return DiskCacheEntry.about("warmed", subject, host);
    }

    /** Returns the sorted requirements of the list, for {@link EnvironmentStore#prepare}. */
    static List<String> packages() {
        return BundledFile.text(CacheWarmer.class, LIST)
                .lines()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .sorted()
                .toList();
    }

    /** Stops the work in the background. */
    @Override
    public void close() {
        background.close();
    }
}
