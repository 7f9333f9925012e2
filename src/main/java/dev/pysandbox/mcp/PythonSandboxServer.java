package dev.pysandbox.mcp;

import dev.pysandbox.run.PythonSandbox;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The MCP server: the three tools of a {@link PythonSandbox} for one client on a pair of streams. */
public final class PythonSandboxServer {
    private static final Logger LOG = LoggerFactory.getLogger(PythonSandboxServer.class);

    private final Supplier<List<SandboxTool>> tools;
    private final InputStream in;
    private final OutputStream out;
    private final AtomicReference<@Nullable StdioTransport> transport = new AtomicReference<>();

    /** Costs next to nothing: what takes time to load is loaded by {@link #run}. */
    public PythonSandboxServer(PythonSandbox sandbox, InputStream in, OutputStream out) {
        this(
                () -> List.of(
                        new ExecutePythonTool(sandbox::execute, List.of()),
                        new ValidateScriptTool(sandbox::validate),
                        new CheckEnvironmentTool(sandbox::check)),
                in,
                out);
    }

    PythonSandboxServer(Supplier<List<SandboxTool>> tools, InputStream in, OutputStream out) {
        this.tools = tools;
        this.in = in;
        this.out = out;
    }

    /**
     * Serves until the end of the input, or until the output breaks. Calls that still run then get a moment to end and
     * are interrupted after it. The sandbox stays open.
     */
    public void run() {
        List<SandboxTool> offered = tools.get();
        Set<String> names =
                offered.stream().map(tool -> tool.definition().name()).collect(Collectors.toUnmodifiableSet());
        Jackson2Mapper json = new Jackson2Mapper();
        StdioTransport connected = new StdioTransport(json, in, out, names);
        build(offered, json, connected);
        transport.set(connected);
        connected.run();
    }

    /** Makes {@link #run} return as at the end of the input. */
    public void stop() {
        Optional.ofNullable(transport.get()).ifPresent(StdioTransport::stop);
    }

    /** The SDK's server on a transport; from then on the transport knows it. */
    static McpSyncServer build(List<SandboxTool> tools, Jackson2Mapper json, StdioTransport transport) {
        return McpServer.sync(transport)
                .serverInfo(ServerIdentity.NAME, ServerIdentity.VERSION)
                .instructions(ServerIdentity.INSTRUCTIONS)
                .capabilities(
                        ServerCapabilities.builder().tools(false).logging().build())
                .jsonMapper(json)
                .jsonSchemaValidator(new SchemaValidator())
                // The tools check their arguments themselves, for they also mend some.
                .validateToolInputs(false)
                .immediateExecution(true)
                .tools(tools.stream().map(PythonSandboxServer::specification).toList())
                .build();
    }

    private static SyncToolSpecification specification(SandboxTool tool) {
        return SyncToolSpecification.builder()
                .tool(tool.definition())
                .callHandler(
                        (exchange, request) -> call(tool, request, StdioTransport.caller(exchange.transportContext())))
                .build();
    }

    private static CallToolResult call(SandboxTool tool, CallToolRequest request, Caller caller) {
        try {
            return tool.call(Optional.ofNullable(request.arguments()).orElse(Map.of()), caller);
        } catch (BadArgumentException e) {
            return CallToolResult.builder()
                    .addTextContent(e.getMessage())
                    .isError(true)
                    .build();
        } catch (RuntimeException | Error e) {
            // The SDK would pass on the message alone.
            LOG.error("The tool {} failed", request.name(), e);
            throw new McpError(new JSONRPCError(RpcError.INTERNAL_ERROR, "The tool failed"));
        }
    }
}
