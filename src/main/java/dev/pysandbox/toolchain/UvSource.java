package dev.pysandbox.toolchain;

import dev.pysandbox.index.IndexSettings;
import dev.pysandbox.support.Host;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Finds uv when it is first needed, and downloads it only if necessary. */
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

    /** Makes the next call try downloads again that failed a short time ago. */
    public void forgetFailedDownloads() {
        FailedDownload.forgetAll(host);
    }

    /** Returns the installed uv, if there is one. */
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

    /** Returns the installed uv, or downloads the pinned release. */
    public Uv get(Consumer<String> progress) throws MissingToolException, InterruptedException {
        finding.lockInterruptibly(); // one caller may download it while others wait
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
