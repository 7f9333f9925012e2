package dev.pysandbox.support;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs a program of the host without a shell, with exactly the given environment and a timeout. */
public record HostCommand(List<String> arguments, Map<String, String> environment, Path directory, Duration timeout) {
    private static final int KEPT_BYTES = 1 << 20;
    /** How long to read output after the program has ended: a process that it left may keep the pipe open. */
    private static final Duration LAST_OUTPUT = Duration.ofSeconds(2);

    public HostCommand {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        if (arguments.isEmpty()) {
            throw new IllegalArgumentException("a command needs a program");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("a command needs a positive timeout, got " + timeout);
        }
    }

    /** The result of the program, with the first MiB of each stream. */
    public record Outcome(int exitCode, String stdout, String stderr, boolean timedOut) {
        public boolean succeeded() {
            return exitCode == 0 && !timedOut;
        }
    }

    /** Runs the program to its end; kills it and all its descendants on timeout or interrupt. */
    public Outcome run() throws IOException, InterruptedException {
        return run(line -> {});
    }

    /** Like {@link #run()}; passes each line of stderr to a consumer. */
    public Outcome run(Consumer<String> errorLines) throws IOException, InterruptedException {
        return run(line -> {}, errorLines);
    }

    /** Like {@link #run()}; passes each line of both streams to a consumer, on one thread for each stream. */
    public Outcome run(Consumer<String> outputLines, Consumer<String> errorLines)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(arguments).directory(directory.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            Drain stdout = Drain.of(process.getInputStream(), outputLines);
            Drain stderr = Drain.of(process.getErrorStream(), errorLines);
            boolean ended = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                killTree(process.toHandle());
            }
            int exitCode = process.waitFor();
            long deadline = System.nanoTime() + LAST_OUTPUT.toNanos();
            return new Outcome(exitCode, stdout.text(deadline), stderr.text(deadline), !ended);
        } finally {
            if (process.isAlive()) {
                killTree(process.toHandle());
            }
        }
    }

    /** Lists the descendants before killing: those of a dead process can't be found. */
    private static void killTree(ProcessHandle root) {
        List<ProcessHandle> descendants = root.descendants().toList();
        root.destroyForcibly();
        for (ProcessHandle descendant : descendants) {
            descendant.descendants().forEach(ProcessHandle::destroyForcibly);
            descendant.destroyForcibly();
        }
    }

    /** Reads a stream to its end on a separate thread and keeps the beginning. */
    private static final class Drain {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private final StringBuilder line = new StringBuilder();
        private final Consumer<String> lines;
        private final Thread thread;

        private Drain(InputStream stream, Consumer<String> lines) {
            this.lines = lines;
            this.thread = Threads.daemon("command-output", () -> read(stream));
        }

        static Drain of(InputStream stream, Consumer<String> lines) {
            Drain drain = new Drain(stream, lines);
            drain.thread.start();
            return drain;
        }

        String text(long deadlineNanos) throws InterruptedException {
            long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            thread.join(Math.max(1, left));
            synchronized (kept) {
                return kept.toString(StandardCharsets.UTF_8);
            }
        }

        private void read(InputStream stream) {
            byte[] buffer = new byte[8192];
            try (stream) {
                for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
                    synchronized (kept) {
                        kept.write(buffer, 0, Math.min(n, KEPT_BYTES - kept.size()));
                    }
                    emit(new String(buffer, 0, n, StandardCharsets.UTF_8));
                }
            } catch (IOException e) {
                // The pipe broke because the process was killed; keeps what was read.
            }
        }

        private void emit(String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c != '\n' && c != '\r') {
                    if (line.length() < 8192) {
                        line.append(c);
                    }
                } else if (!line.isEmpty()) {
                    lines.accept(line.toString());
                    line.setLength(0);
                }
            }
        }
    }
}
