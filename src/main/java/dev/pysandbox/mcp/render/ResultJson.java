package dev.pysandbox.mcp.render;

import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.ProducedFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Converts the result of a call to the members of a JSON object. Absent is what is unknown, empty, false or zero, except
 * for the members that the output schema requires.
 */
public final class ResultJson {
    private ResultJson() {}

    public static Map<String, Object> of(ExecutionResult result, List<FileView> files) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("status", result.status().wireName());
        hint(result).ifPresent(hint -> json.put("hint", VisibleText.of(hint)));
        json.put("stdout", VisibleText.stream(result.stdout().text()));
        json.put("stderr", VisibleText.stream(result.stderr().text()));
        result.exitCode().ifPresent(code -> json.put("exit_code", code));
        json.put("duration_ms", result.duration().toMillis());
        Map<String, Object> more = new LinkedHashMap<>();
        result.install().ifPresent(time -> more.put("install_ms", time.toMillis()));
        more.put("timed_out", result.timedOut());
        more.put("stdout_bytes", result.stdout().bytes());
        more.put("stderr_bytes", result.stderr().bytes());
        more.put("stdout_truncated", result.stdout().truncated());
        more.put("stderr_truncated", result.stderr().truncated());
        result.value().ifPresent(value -> more.put("value", VisibleText.of(value)));
        more.put("variables", VisibleText.json(result.variables()));
        more.put("files", files.stream().map(ResultJson::file).toList());
        more.put("python_version", result.pythonVersion());
        more.put("sandbox", result.sandbox());
        more.put("network", result.network());
        more.put(
                "warnings",
                Remarks.warnings(result, files).stream().map(VisibleText::of).toList());
        result.cpu().ifPresent(time -> more.put("cpu_ms", time.toMillis()));
        result.peakMemory().ifPresent(memory -> more.put("peak_memory_bytes", memory.bytes()));
        more.values().removeIf(ResultJson::saysNothing);
        json.putAll(more);
        return json;
    }

    private static boolean saysNothing(Object value) {
        return value.equals(false)
                || value.equals("")
                || value.equals(0L)
                || value.equals(List.of())
                || value.equals(Map.of());
    }

    /** Returns the error and the hint, for clients that do not show the text. */
    private static Optional<String> hint(ExecutionResult result) {
        return Stream.of(LongTraceback.sentence(result), result.message(), Remarks.hint(result))
                .flatMap(Optional::stream)
                .reduce((message, hint) -> message + "\n" + hint);
    }

    private static Map<String, Object> file(FileView view) {
        ProducedFile file = view.file();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", view.name());
        json.put("size", file.size());
        json.put("type", file.mimeType());
        file.kept().flatMap(path -> file.sha256()).ifPresent(digest -> json.put("sha256", digest));
        view.text().ifPresent(text -> json.put("text", text));
        view.remark().ifPresent(note -> json.put("note", note));
        view.uri().ifPresent(uri -> json.put("uri", uri));
        return json;
    }
}
