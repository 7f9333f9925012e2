package dev.pysandbox.mcp.tools;

import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.support.Threads;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The three tools of a {@link PythonSandbox} that may still be opening. */
public final class SandboxTools {
    private SandboxTools() {}

    /**
     * Creates the tools.
     *
     * @param dataFolders the folders that scripts can open, for the description of the tool
     */
    public static List<SandboxTool> of(Future<? extends PythonSandbox> opening, List<String> dataFolders) {
        Supplier<PythonSandbox> sandbox = () -> opened(opening);
        return List.of(
                new ExecutePythonTool(sandbox, notes(dataFolders)),
                new ValidateScriptTool(sandbox),
                new CheckEnvironmentTool(sandbox));
    }

    /** Returns the names, descriptions and schemas of the same tools, without loading the SDK. */
    public static List<ToolText> texts(List<String> dataFolders) {
        return List.of(
                new ToolText(ToolText.EXECUTE, notes(dataFolders)),
                new ToolText(ToolText.VALIDATE, List.of()),
                new ToolText(ToolText.CHECK, List.of()));
    }

    private static List<String> notes(List<String> folders) {
        return folders.isEmpty() ? List.of() : List.of("Data that scripts can open: " + String.join(", ", folders));
    }

    private static PythonSandbox opened(Future<? extends PythonSandbox> opening) {
        try {
            return Threads.await(opening);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    /** A wrong variable or folder of the host is reported to the model; anything else is a bug. */
    private static RuntimeException failure(@Nullable Throwable cause) {
        if (cause instanceof IllegalArgumentException || cause instanceof IOException) {
            // The message of an IOException is often only a path.
            String reason = cause instanceof IOException ? cause.toString() : String.valueOf(cause.getMessage());
            return new ToolException(
                    "The sandbox could not be opened: " + reason
                            + ". Tell the user: fix this where the MCP server runs, then restart the server.",
                    cause);
        }
        return new IllegalStateException("the sandbox could not be opened", cause);
    }
}
