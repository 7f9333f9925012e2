package dev.pysandbox.mcp;

import dev.pysandbox.api.CapturedText;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.ProducedFile;
import dev.pysandbox.api.Status;
import dev.pysandbox.support.ByteSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Builds results. The default is a success without output that took 12 ms. */
public final class ResultBuilder {
    private Status status = Status.OK;
    private Optional<String> message = Optional.empty();
    private CapturedText stdout = CapturedText.EMPTY;
    private CapturedText stderr = CapturedText.EMPTY;
    private OptionalInt exitCode = OptionalInt.of(0);
    private Optional<Duration> install = Optional.empty();
    private Optional<String> value = Optional.empty();
    private final Map<String, Object> variables = new LinkedHashMap<>();
    private final List<ProducedFile> files = new ArrayList<>();
    private Optional<String> hint = Optional.empty();
    private final List<String> warnings = new ArrayList<>();

    public ResultBuilder status(Status status, String message) {
        this.status = status;
        this.message = Optional.of(message);
        if (status.preventedRun()) {
            exitCode = OptionalInt.empty();
        }
        return this;
    }

    public ResultBuilder exitCode(int code) {
        exitCode = OptionalInt.of(code);
        status = code == 0 ? Status.OK : Status.SCRIPT_ERROR;
        return this;
    }

    ResultBuilder noExitCode() {
        exitCode = OptionalInt.empty();
        return this;
    }

    public ResultBuilder stdout(String text) {
        stdout = new CapturedText(text, text.length(), false);
        return this;
    }

    public ResultBuilder stdout(CapturedText captured) {
        stdout = captured;
        return this;
    }

    public ResultBuilder stderr(String text) {
        stderr = new CapturedText(text, text.length(), false);
        return this;
    }

    public ResultBuilder install(Duration time) {
        install = Optional.of(time);
        return this;
    }

    public ResultBuilder value(String repr) {
        value = Optional.of(repr);
        return this;
    }

    public ResultBuilder variable(String name, Object value) {
        variables.put(name, value);
        return this;
    }

    public ResultBuilder file(String name, String type, byte[] content) {
        files.add(new ProducedFile(name, type, content.length, Optional.of("0".repeat(64)), content, Optional.empty()));
        return this;
    }

    /** Adds a file of which a copy is kept. */
    public ResultBuilder kept(String name, String type, byte[] content) {
        Optional<Path> path = Optional.of(Path.of("/kept", name));
        files.add(new ProducedFile(name, type, content.length, Optional.of("0".repeat(64)), content, path));
        return this;
    }

    public ResultBuilder hint(String hint) {
        this.hint = Optional.of(hint);
        return this;
    }

    public ResultBuilder warning(String warning) {
        warnings.add(warning);
        return this;
    }

    public ExecutionResult build() {
        return new ExecutionResult(
                status,
                message,
                stdout,
                stderr,
                exitCode,
                Duration.ofMillis(status.preventedRun() ? 0 : 12),
                install,
                value,
                variables,
                files,
                "3.13.5",
                "native",
                "internet",
                hint,
                warnings,
                Optional.of(Duration.ofMillis(9)),
                Optional.of(new ByteSize(1024)));
    }
}
