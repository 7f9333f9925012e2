package dev.pysandbox.mcp.render;

import dev.pysandbox.api.CapturedText;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.ProducedFile;
import java.util.List;
import java.util.Map;

/** Writes the result of a call as text; empty sections are absent. */
public final class ResultText {
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
        LongTraceback.sentence(result).ifPresent(this::block);
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
        result.value().ifPresent(value -> {
            section("value");
            block(value);
        });
        variables(result.variables());
        files(files);
        if (ran) {
            result.message().ifPresent(this::hint);
        }
        Remarks.hint(result).ifPresent(this::hint);
        Remarks.warnings(result, files).forEach(warning -> section("warning: " + VisibleText.line(warning)));
    }

    private void stream(String name, CapturedText captured) {
        if (!captured.text().isEmpty()) {
            section(name);
            block(VisibleText.stream(captured.text()));
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
                        VisibleText.of(VisibleText.line(variable.getKey()) + PythonForm.afterName(variable.getValue())))
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
        String note = view.remark().map(words -> ", " + words).orElse("");
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
}
