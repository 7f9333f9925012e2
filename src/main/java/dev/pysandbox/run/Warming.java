package dev.pysandbox.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** Makes an environment for each of the common packages, as a script that names it would. */
final class Warming {
    private final Executor executor;

    Warming(Executor executor) {
        this.executor = executor;
    }

    ExecutionResult warm(Consumer<String> progress) {
        progress.accept("looking for uv and Python");
        ExecutionResult result = prepare(List.of(), progress);
        List<String> packages = packages();
        for (int i = 0; i < packages.size() && result.status() == Status.OK; i++) {
            progress.accept(i + 1 + "/" + packages.size() + " " + packages.get(i));
            result = prepare(List.of(packages.get(i)), step -> {});
        }
        return result;
    }

    private ExecutionResult prepare(List<String> dependencies, Consumer<String> progress) {
        ExecutionListener listener = new ExecutionListener() {
            @Override
            public void progress(String message) {
                progress.accept(message);
            }
        };
        return executor.execute(
                ExecutionRequest.of("pass").withDependencies(dependencies), listener, Config.Policy.OPEN);
    }

    private static List<String> packages() {
        try (InputStream stream = Warming.class.getResourceAsStream("warmup_packages.txt")) {
            if (stream == null) {
                throw new IllegalStateException("the resource warmup_packages.txt is missing");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
