package dev.pysandbox.toolchain;

import dev.pysandbox.index.IndexSettings;
import dev.pysandbox.support.Host;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Gives the uv of this host, looked for when it is first needed and fetched only when it must be. */
public final class UvSource {
    private final String uvPath;
    private final Host host;
    private final IndexSettings settings;
    private final ReentrantLock finding = new ReentrantLock();
    private Optional<Uv> found = Optional.empty();

    public UvSource(String uvPath, Host host, IndexSettings settings) {
        this.uvPath = uvPath;
        this.host = host;
        this.settings = settings;
    }

    /** The one that is there already, if any. */
    public Optional<Uv> present() throws MissingToolException, InterruptedException {
        finding.lockInterruptibly();
        try {
            if (found.isEmpty()) {
                found = Uv.find(uvPath, host);
            }
            return found;
        } finally {
            finding.unlock();
        }
    }

    /** The one that is there, or else the pinned release, fetched now. */
    public Uv get(Consumer<String> progress) throws MissingToolException, InterruptedException {
        finding.lockInterruptibly(); // one caller may fetch it while others wait
        try {
            if (found.isEmpty()) {
                found = Optional.of(Uv.findOrFetch(uvPath, host, settings, progress));
            }
            return found.get();
        } finally {
            finding.unlock();
        }
    }
}
