package dev.pysandbox.execution;

import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.InputFile;
import dev.pysandbox.api.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/** Runs scripts of our own, kept as resources, the way a caller's script would be run. */
final class BundledScripts {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Executor executor;

    private final Consumer<String> progress;

    /** @param progress receives each slow step */
    BundledScripts(Executor executor, Consumer<String> progress) {
        this.executor = executor;
        this.progress = progress;
    }

    /** @throws CancellationException where that was cut off, by an interrupt or by the end of the sandbox */
    ExecutionResult run(String resource, List<InputFile> files) {
        ExecutionResult result = executor.executeOwn(
                ExecutionRequest.of(text(resource)).withFiles(files).withTimeout(TIMEOUT), new ExecutionListener() {
                    @Override
                    public void progress(String message) {
                        progress.accept(message);
                    }
                });
        if (result.status() == Status.CANCELLED) {
            throw new CancellationException(resource + " was cut off");
        }
        return result;
    }

    private static String text(String resource) {
        try (InputStream stream = BundledScripts.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException("the resource " + resource + " is missing");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
