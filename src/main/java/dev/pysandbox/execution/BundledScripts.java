package dev.pysandbox.execution;

import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.InputFile;
import dev.pysandbox.api.Status;
import dev.pysandbox.support.BundledFile;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/** Runs the server's bundled scripts in the same way as a caller's script. */
final class BundledScripts {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Executor executor;

    private final Consumer<String> progress;

    /** @param progress receives each slow step */
    BundledScripts(Executor executor, Consumer<String> progress) {
        this.executor = executor;
        this.progress = progress;
    }

    /** @throws CancellationException if the thread is interrupted or the sandbox is closed */
    ExecutionResult run(String resource, List<InputFile> files) {
        ExecutionResult result = executor.executeOwn(
                ExecutionRequest.of(BundledFile.text(BundledScripts.class, resource))
                        .withFiles(files)
                        .withTimeout(TIMEOUT),
                new ExecutionListener() {
                    @Override
                    public void progress(String message) {
                        progress.accept(message);
                    }
                });
        if (result.status() == Status.CANCELLED) {
            throw new CancellationException(resource + " was cancelled");
        }
        return result;
    }
}
