package dev.pysandbox.mcp.render;

import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.ProducedFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Converts the result of a call to the members of a JSON object; unknown values are absent. */
public final class ResultJson {
    private ResultJson() {}

    public static Map<String, Object> of(ExecutionResult result, List<FileView> files) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("status", result.status().wireName());
        json.put("stdout", VisibleText.of(result.stdout().text()));
        json.put("stderr", VisibleText.of(result.stderr().text()));
        result.exitCode().ifPresent(code -> json.put("exit_code", code));
        json.put("duration_ms", result.duration().toMillis());
        result.install().ifPresent(time -> json.put("install_ms", time.toMillis()));
        json.put("timed_out", result.timedOut());
        json.put("stdout_bytes", result.stdout().bytes());
        json.put("stderr_bytes", result.stderr().bytes());
        json.put("stdout_truncated", result.stdout().truncated());
        json.put("stderr_truncated", result.stderr().truncated());
        json.put("variables", VisibleText.json(result.variables()));
        json.put("files", files.stream().map(ResultJson::file).toList());
        json.put("python_version", result.pythonVersion());
        json.put("sandbox", result.sandbox());
        json.put("network", result.network());
        hint(result).ifPresent(hint -> json.put("hint", VisibleText.of(hint)));
        json.put("warnings", result.warnings().stream().map(VisibleText::of).toList());
        result.cpu().ifPresent(time -> json.put("cpu_ms", time.toMillis()));
        result.peakMemory().ifPresent(memory -> json.put("peak_memory_bytes", memory.bytes()));
        return json;
    }

    /** Returns the error and the hint, for clients that do not show the text. */
    private static Optional<String> hint(ExecutionResult result) {
        return Stream.of(result.message(), result.hint())
                .flatMap(Optional::stream)
                .reduce((message, hint) -> message + "\n" + hint);
    }

    private static Map<String, Object> file(FileView view) {
        ProducedFile file = view.file();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", view.name());
        json.put("size", file.size());
        json.put("type", file.mimeType());
        file.sha256().ifPresent(digest -> json.put("sha256", digest));
        view.text().ifPresent(text -> json.put("text", text));
        view.note().ifPresent(note -> json.put("note", note));
        view.uri().ifPresent(uri -> json.put("uri", uri));
        return json;
    }
}
