package dev.pysandbox.mcp;

import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The SDK's server with our tools on our transport. */
final class SdkServer {
    private static final Logger LOG = LoggerFactory.getLogger(SdkServer.class);

    private SdkServer() {}

    /** Takes a good part of a second: all of the SDK is loaded. */
    static Connection connect(List<SandboxTool> tools, Optional<KeptResources> resources, LineWriter out) {
        Set<String> names =
                tools.stream().map(tool -> tool.definition().name()).collect(Collectors.toUnmodifiableSet());
        Jackson2Mapper json = new Jackson2Mapper();
        StdioTransport transport = new StdioTransport(json, out, names, resources);
        McpServer.sync(transport)
                .serverInfo(ServerIdentity.NAME, ServerIdentity.VERSION)
                .instructions(ServerIdentity.INSTRUCTIONS)
                .capabilities(capabilities(resources.isPresent()))
                .jsonMapper(json)
                .jsonSchemaValidator(new SchemaValidator())
                // The tools check their arguments themselves, for they also mend some.
                .validateToolInputs(false)
                .immediateExecution(true)
                .tools(tools.stream().map(SdkServer::specification).toList())
                .build();
        return transport.connection();
    }

    private static ServerCapabilities capabilities(boolean resources) {
        ServerCapabilities.Builder capabilities =
                ServerCapabilities.builder().tools(false).logging();
        return (resources ? capabilities.resources(false, false) : capabilities).build();
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
            return failed(String.valueOf(e.getMessage()));
        } catch (CancellationException e) {
            return failed("Cancelled before there was an answer: the server ends, or the call was taken back.");
        } catch (RuntimeException | Error e) {
            // The SDK would pass on the message alone.
            LOG.error("The tool {} failed", request.name(), e);
            throw new McpError(new JSONRPCError(RpcError.INTERNAL_ERROR, "The tool failed"));
        }
    }

    private static CallToolResult failed(String why) {
        return CallToolResult.builder().addTextContent(why).isError(true).build();
    }
}
