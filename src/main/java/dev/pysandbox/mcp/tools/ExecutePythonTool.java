package dev.pysandbox.mcp.tools;

import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.InputFile;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.mcp.jsonrpc.Incoming;
import dev.pysandbox.mcp.render.FileView;
import dev.pysandbox.mcp.render.FileViews;
import dev.pysandbox.mcp.render.ResultJson;
import dev.pysandbox.mcp.render.ResultText;
import dev.pysandbox.mcp.render.VisibleText;
import dev.pysandbox.mcp.tools.Arguments.Argument;
import dev.pysandbox.mcp.tools.Arguments.ValueType;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The tool that runs a script. */
final class ExecutePythonTool implements SandboxTool {
    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

    private static final double MAX_SECONDS = 1e9;

    private final Supplier<PythonSandbox> sandbox;
    private final List<String> notes;
    private final ToolResource resource = new ToolResource(
            ToolText.EXECUTE,
            Argument.required("script", ValueType.TEXT),
            Argument.optional("dependencies", ValueType.TEXTS),
            Argument.optional("timeout_seconds", ValueType.NUMBER),
            Argument.optional("files", ValueType.FILES),
            Argument.optional("variables", ValueType.TEXTS));

    /** @param notes lines that are added to the description, depending on the settings */
    ExecutePythonTool(Supplier<PythonSandbox> sandbox, List<String> notes) {
        this.sandbox = sandbox;
        this.notes = List.copyOf(notes);
    }

    @Override
    public Tool definition() {
        return resource.tool(notes);
    }

    @Override
    public CallToolResult call(Map<String, Object> arguments, CallContext caller) {
        ExecutionRequest request = request(resource.arguments(arguments));
        caller.progress("preparing");
        return sandbox.get().execute(request, new LiveReport(caller), result -> toolResult(result, caller));
    }

    private static CallToolResult toolResult(ExecutionResult result, CallContext caller) {
        caller.log(
                LogLevel.INFO,
                result.status().wireName() + " after " + result.duration().toMillis() + " ms");
        result.warnings().forEach(warning -> caller.log(LogLevel.WARNING, VisibleText.of(warning)));
        caller.offer(result.files());
        return toolResult(result, caller.takesLinks(), caller.takesAttachments());
    }

    private static ExecutionRequest request(Arguments arguments) {
        return new ExecutionRequest(
                arguments.text("script"),
                arguments.texts("dependencies"),
                arguments.number("timeout_seconds").map(ExecutePythonTool::seconds),
                arguments.object("files").entrySet().stream()
                        .map(file -> inputFile(file.getKey(), file.getValue()))
                        .toList(),
                arguments.texts("variables"));
    }

    /** Converts any number; the sandbox clamps the timeout and warns. */
    private static Duration seconds(double seconds) {
        double bounded = Math.max(-MAX_SECONDS, Math.min(MAX_SECONDS, seconds));
        return Duration.ofMillis(Math.round(bounded * 1000));
    }

    private static InputFile inputFile(String name, Object content) {
        Optional<Object> base64 = Incoming.object(content).map(object -> object.get("base64"));
        if (base64.isEmpty()) {
            return new InputFile(name, String.valueOf(content).getBytes(StandardCharsets.UTF_8));
        }
        try {
            return new InputFile(
                    name,
                    Base64.getDecoder()
                            .decode(WHITE_SPACE.matcher(base64.get().toString()).replaceAll("")));
        } catch (IllegalArgumentException e) {
            throw new ToolException("Argument 'files." + name + ".base64' must be Base64: " + e.getMessage());
        }
    }

    private static CallToolResult toolResult(ExecutionResult result, boolean links, boolean attachments) {
        List<FileView> files = FileViews.of(result.files(), attachments);
        CallToolResult.Builder builder = CallToolResult.builder()
                .addTextContent(ResultText.of(result, files))
                .structuredContent(ResultJson.of(result, files))
                .isError(result.status().preventedRun());
        FileViews.pictures(files)
                .forEach(image -> builder.addContent(
                        ImageContent.builder(Base64.getEncoder().encodeToString(image.content()), image.mimeType())
                                .build()));
        files.stream().filter(FileView::attached).forEach(file -> builder.addContent(attachment(file)));
        if (links) {
            files.forEach(file -> file.link().ifPresent(uri -> builder.addContent(link(file, uri))));
        }
        return builder.build();
    }

    private static EmbeddedResource attachment(FileView view) {
        String uri = view.sandboxUri();
        String type = view.file().mimeType();
        ResourceContents contents = view.attachedText()
                .<ResourceContents>map(text ->
                        TextResourceContents.builder(uri, text).mimeType(type).build())
                .orElseGet(() -> BlobResourceContents.builder(
                                uri,
                                Base64.getEncoder().encodeToString(view.file().content()))
                        .mimeType(type)
                        .build());
        return EmbeddedResource.builder(contents).build();
    }

    private static ResourceLink link(FileView view, String uri) {
        return ResourceLink.builder()
                .uri(uri)
                .name(view.name())
                .mimeType(view.file().mimeType())
                .size(view.file().size())
                .build();
    }
}
