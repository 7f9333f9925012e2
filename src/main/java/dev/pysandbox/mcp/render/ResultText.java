package dev.pysandbox.mcp.render;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.pysandbox.api.CapturedText;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.ProducedFile;
import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import java.util.List;
import java.util.Map;

/** Writes the result of a call as text; empty sections are absent. */
public final class ResultText {
    private static final Jackson2Mapper JSON = new Jackson2Mapper();

    private final StringBuilder text = new StringBuilder();

    private ResultText() {}

    public static String of(ExecutionResult result, List<FileView> files) {
        ResultText writer = new ResultText();
        writer.write(result, files);
        return writer.text.toString().stripTrailing();
    }

    private void write(ExecutionResult result, List<FileView> files) {
        boolean ran = !result.status().preventedRun();
        if (!ran) {
            block(result.message()
                    .orElse("The script could not be run: " + result.status().wireName()));
        }
        stream("stdout", result.stdout());
        stream("stderr", result.stderr());
        result.exitCode().ifPresent(code -> section("exit_code: " + code));
        if (ran) {
            section("duration_ms: " + result.duration().toMillis());
        }
        if (result.timedOut()) {
            section("timed_out: true");
        }
        result.install().ifPresent(time -> section("install_ms: " + time.toMillis()));
        variables(result.variables());
        files(files);
        if (ran) {
            result.message().ifPresent(this::hint);
        }
        result.hint().ifPresent(this::hint);
        result.warnings().forEach(warning -> section("warning: " + VisibleText.line(warning)));
    }

    private void stream(String name, CapturedText captured) {
        if (!captured.text().isEmpty()) {
            section(name);
            block(captured.text());
        }
    }

    private void variables(Map<String, Object> variables) {
        if (!variables.isEmpty()) {
            section("variables");
            lines(variables).forEach(this::block);
        }
    }

    public static List<String> lines(Map<String, Object> variables) {
        return variables.entrySet().stream()
                .map(variable ->
                        VisibleText.of(VisibleText.line(variable.getKey()) + " = " + json(variable.getValue())))
                .toList();
    }

    private void files(List<FileView> files) {
        if (!files.isEmpty()) {
            section("files");
            files.forEach(this::file);
        }
    }

    private void file(FileView view) {
        ProducedFile file = view.file();
        String note = view.note().map(words -> ", " + words).orElse("");
        String uri = view.uri().map(where -> " " + where).orElse("");
        block(view.name() + " (" + file.size() + " bytes, " + file.mimeType() + note + ")" + uri);
        view.text().ifPresent(content -> block(content.stripTrailing().indent(4)));
    }

    private void hint(String hint) {
        section("hint: " + VisibleText.line(hint));
    }

    private void section(String heading) {
        text.append("--- ").append(heading).append(" ---\n");
    }

    private void block(String content) {
        text.append(VisibleText.of(content));
        if (!content.endsWith("\n")) {
            text.append('\n');
        }
    }

    private static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a variable is not JSON", e);
        }
    }
}
