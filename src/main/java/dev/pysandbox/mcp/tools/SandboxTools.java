package dev.pysandbox.mcp.tools;

import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.support.Threads;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** The three tools of a {@link PythonSandbox} that may still be opening. */
public final class SandboxTools {
    private SandboxTools() {}

    /**
     * Creates the tools.
     *
     * @param dataFolders the folders that scripts can open, for the description of the tool
     */
    public static List<SandboxTool> of(Future<PythonSandbox> sandbox, List<String> dataFolders) {
        return List.of(
                new ExecutePythonTool(
                        (request, listener, use) -> opened(sandbox).execute(request, listener, use),
                        notes(dataFolders)),
                new ValidateScriptTool(
                        (script, dependencies, progress) -> opened(sandbox).validate(script, dependencies, progress)),
                new CheckEnvironmentTool(progress -> opened(sandbox).check(progress)));
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

    private static PythonSandbox opened(Future<PythonSandbox> sandbox) {
        try {
            return Threads.await(sandbox);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the sandbox could not be opened: " + e.getCause(), e);
        }
    }
}
