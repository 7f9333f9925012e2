package dev.pysandbox.toolchain;

import dev.pysandbox.index.IndexClient;
import dev.pysandbox.index.IndexSettings;
import dev.pysandbox.index.IndexUrl;
import dev.pysandbox.support.DiskCacheEntry;
import dev.pysandbox.support.Host;
import dev.pysandbox.support.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Downloads a release of uv from the configured index to the cache folder and verifies its hash. */
record UvFetcher(UvRelease release, Host host, IndexSettings settings, Consumer<String> progress) {
    private static final String PARTIAL = ".part";

    /** Downloads under a lock: other servers that start at the same time wait. */
    Uv fetch() throws MissingToolException, InterruptedException {
        Path target = Uv.privateCopy(release.version(), host);
        try {
            Path folder = Files.createDirectories(target.getParent());
            try (FileChannel channel = FileChannel.open(
                            folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = lock(channel)) {
                Optional<Uv> ready = lock.isValid() ? Uv.fetchedBefore(release.version(), host) : Optional.empty();
                if (ready.isPresent()) {
                    return ready.get();
                }
                removePartials(folder);
                try {
                    install(folder, target);
                } catch (RememberedFailureException e) {
                    throw e;
                } catch (IOException e) {
                    // An interrupted channel reports an IOException too.
                    if (!settings.offline() && !Thread.currentThread().isInterrupted()) {
                        failed().remember(reason(e));
                    }
                    throw e;
                } finally {
                    removePartials(folder);
                }
            }
            return Uv.fetchedBefore(release.version(), host)
                    .orElseThrow(() -> new IOException("'" + target + "' was fetched but does not run here"));
        } catch (IOException e) {
            throw new MissingToolException(
                    "no uv was found, and uv " + release.version() + " could not be fetched from "
                            + IndexUrl.redacted(settings.index()) + ": " + reason(e)
                            + "; install uv or name it with --uv-path",
                    e);
        }
    }

    private FileLock lock(FileChannel channel) throws IOException, InterruptedException {
        boolean reported = false;
        while (true) {
            try {
                FileLock lock = channel.tryLock();
                if (lock != null) {
                    return lock;
                }
            } catch (OverlappingFileLockException e) {
                // Another thread of this process has the lock: treated like another process.
            }
            if (!reported) {
                progress.accept("Waiting for another server that fetches uv");
                reported = true;
            }
            Thread.sleep(100);
        }
    }

    private void install(Path folder, Path target) throws IOException, InterruptedException {
        Path wheel = folder.resolve("wheel" + PARTIAL);
        String actual = obtain(wheel);
        if (Files.size(wheel) != release.size()) {
            throw new IOException("the download ended after " + Files.size(wheel) + " of " + release.size() + " bytes");
        }
        if (!actual.equals(release.sha256())) {
            throw new IOException("the file's sha256 is " + actual + ", expected " + release.sha256());
        }
        Path program = folder.resolve(target.getFileName() + PARTIAL);
        extract(wheel, program);
        if (!host.platform().windows() && !program.toFile().setExecutable(true, false)) {
            throw new IOException("'" + program + "' can't be made executable");
        }
        Files.move(program, target, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Writes the wheel from a local folder, else from the index, and returns its sha256. */
    private String obtain(Path wheel) throws IOException, InterruptedException {
        MessageDigest digest = Sha256.digest();
        try (OutputStream file = new DigestOutputStream(Files.newOutputStream(wheel), digest)) {
            Optional<Path> local = settings.localFindLinks().stream()
                    .map(folder -> folder.resolve(release.wheel()))
                    .filter(Files::isRegularFile)
                    .findFirst();
            if (local.isPresent()) {
                Files.copy(local.get(), file);
            } else {
                download(file);
            }
        }
        return Sha256.hex(digest.digest());
    }

    private void download(OutputStream file) throws IOException, InterruptedException {
        if (settings.offline()) {
            throw new IOException("UV_OFFLINE is set");
        }
        Optional<String> known = failed().recall();
        if (known.isPresent()) {
            throw new RememberedFailureException(known.get());
        }
        progress.accept("Fetching uv " + release.version());
        IndexClient client = settings.client();
        URI address = client.page(settings.index(), "uv")
                .flatMap(page -> page.file(release.wheel()))
                .orElseThrow(() -> new IOException("it has no file " + release.wheel()));
        client.download(address, file, release.size(), new ProgressLines()::update);
    }

    private FailedDownload failed() {
        Map<String, String> attempt = new HashMap<>(settings.uvEnvironment());
        attempt.putAll(settings.proxies().environment());
        attempt.put("release", release.toString());
        settings.caBundle().ifPresent(bundle -> attempt.put("certificates", DiskCacheEntry.stamp(bundle)));
        return FailedDownload.of("uv", attempt, host);
    }

    private void extract(Path wheel, Path program) throws IOException {
        String name =
                "uv-" + release.version() + ".data/scripts/" + host.platform().program("uv");
        try (ZipFile zip = new ZipFile(wheel.toFile())) {
            ZipEntry entry = zip.getEntry(name);
            if (entry == null) {
                throw new IOException("the wheel contains no " + name);
            }
            try (InputStream content = zip.getInputStream(entry)) {
                Files.copy(content, program);
            }
        }
    }

    private static void removePartials(Path folder) throws IOException {
        try (DirectoryStream<Path> partials = Files.newDirectoryStream(folder, "*" + PARTIAL)) {
            for (Path partial : partials) {
                Files.deleteIfExists(partial);
            }
        }
    }

    /** Returns the message of an exception or of its cause; exceptions of the network stack often have none. */
    private String reason(IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && !cause.getMessage().isBlank()) {
                String line = cause.getMessage().lines().findFirst().orElse("");
                return line.contains("No space left") ? line + " in " + host.cacheDir() + " (--cache-dir)" : line;
            }
        }
        return e.getClass().getSimpleName();
    }

    /** The last download failed a short time ago and is not tried now. */
    private static final class RememberedFailureException extends IOException {
        private static final long serialVersionUID = 1;

        RememberedFailureException(String message) {
            super(message);
        }
    }

    /** Reports each tenth of the download once. */
    private final class ProgressLines {
        private long reported;

        void update(long bytes) {
            long tenth = bytes * 10 / release.size();
            if (tenth > reported) {
                reported = tenth;
                progress.accept("Fetching uv " + release.version() + ": " + bytes + " of " + release.size() + " bytes");
            }
        }
    }
}
