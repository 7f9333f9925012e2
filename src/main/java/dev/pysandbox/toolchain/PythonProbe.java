package dev.pysandbox.toolchain;

import dev.pysandbox.support.BundledFile;
import dev.pysandbox.support.Host;
import dev.pysandbox.support.HostCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs interpreters to get their version and paths. */
record PythonProbe(Host host) {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int FACTS = 6;

    /** A working interpreter; second best are pre-releases, free-threaded builds, debug builds and those of conda. */
    record Answer(Python python, boolean secondBest) {}

    /**
     * Returns the interpreter if it is a CPython of the wanted version; for a virtual environment, its base
     * interpreter.
     */
    Optional<Answer> probe(Path executable, PythonVersion wanted) throws InterruptedException {
        HostCommand command = new HostCommand(
                List.of(
                        executable.toString(),
                        "-I",
                        "-S",
                        "-c",
                        BundledFile.text(PythonProbe.class, "python_facts.py")),
                host.toolEnvironment(),
                executable.toAbsolutePath().resolveSibling(""),
                TIMEOUT);
        try {
            HostCommand.Outcome outcome = command.run();
            return outcome.succeeded() ? read(outcome.stdout(), wanted) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<Answer> read(String output, PythonVersion wanted) throws IOException {
        String[] facts = output.split("\0", -1);
        if (facts.length != FACTS + 1 || !facts[0].equals("cpython")) {
            return Optional.empty();
        }
        PythonVersion version = PythonVersion.parse(facts[1]);
        if (!version.mayBe(wanted)) {
            return Optional.empty();
        }
        Python python = new Python(
                facts[1], Path.of(facts[3]).toRealPath(), Path.of(facts[4]).toRealPath(), !facts[5].isEmpty());
        boolean unwantedPreRelease =
                version.preRelease().isPresent() && wanted.preRelease().isEmpty();
        return Optional.of(new Answer(python, unwantedPreRelease || !facts[2].isEmpty()));
    }
}
