package dev.pysandbox.mcp;

import dev.pysandbox.mcp.jsonrpc.Incoming.Request;
import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import dev.pysandbox.mcp.jsonrpc.RpcError;
import dev.pysandbox.mcp.jsonrpc.RpcException;
import dev.pysandbox.mcp.tools.CallContext;
import dev.pysandbox.mcp.tools.SandboxTool;
import dev.pysandbox.mcp.tools.ToolException;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** The SDK's stateless server with our tools; handles a request on the calling thread. */
final class SdkDispatcher {
    private static final Logger log = LoggerFactory.getLogger(SdkDispatcher.class);
    private static final String CALL_CONTEXT = "call-context";

    /**
     * Replaces the client's id, which may be larger than the SDK accepts; {@link #dispatch} gets the response directly.
     */
    private static final int ANY_ID = 1;

    private final McpStatelessServerHandler handler;

    private SdkDispatcher(McpStatelessServerHandler handler) {
        this.handler = handler;
    }

    static SdkDispatcher create(List<SandboxTool> tools, boolean resources, Jackson2Mapper json) {
        Transport transport = new Transport();
        io.modelcontextprotocol.server.McpServer.sync(transport)
                .serverInfo(ServerIdentity.NAME, ServerIdentity.VERSION)
                .instructions(ServerIdentity.INSTRUCTIONS)
                .capabilities(capabilities(resources))
                .jsonMapper(json)
                // The tools check their arguments themselves: they also correct some. Tests check the results.
                .validateToolInputs(false)
                .jsonSchemaValidator((schema, value) -> ValidationResponse.asValid(""))
                .immediateExecution(true)
                .tools(tools.stream().map(SdkDispatcher::specification).toList())
                .build();
        return new SdkDispatcher(transport.handler());
    }

    private static ServerCapabilities capabilities(boolean resources) {
        ServerCapabilities.Builder capabilities =
                ServerCapabilities.builder().tools(false).logging();
        return (resources ? capabilities.resources(false, false) : capabilities).build();
    }

    private static SyncToolSpecification specification(SandboxTool tool) {
        return SyncToolSpecification.builder()
                .tool(tool.definition())
                .callHandler((context, request) -> call(tool, request, callContext(context)))
                .build();
    }

    private static CallContext callContext(McpTransportContext context) {
        return context.get(CALL_CONTEXT) instanceof CallContext found ? found : CallContext.SILENT;
    }

    private static CallToolResult call(SandboxTool tool, CallToolRequest request, CallContext context) {
        try {
            return tool.call(Optional.ofNullable(request.arguments()).orElse(Map.of()), context);
        } catch (ToolException e) {
            return failed(String.valueOf(e.getMessage()));
        } catch (CancellationException e) {
            return failed("Cancelled: the server is shutting down or the client cancelled the request.");
        } catch (RuntimeException | Error e) {
            // The SDK would keep only the message.
            log.error("The tool {} failed", request.name(), e);
            throw new McpError(new JSONRPCError(RpcError.INTERNAL_ERROR, "The tool failed"));
        }
    }

    private static CallToolResult failed(String why) {
        return CallToolResult.builder().addTextContent(why).isError(true).build();
    }

    /** Returns the result of a request; the SDK runs it on this thread because of immediateExecution. */
    Object dispatch(Request request, CallContext context) throws RpcException {
        AtomicReference<JSONRPCResponse> received = new AtomicReference<>();
        handler.handleRequest(
                        McpTransportContext.create(Map.of(CALL_CONTEXT, context)),
                        new JSONRPCRequest(request.method(), ANY_ID, params(request)))
                // Not block(): it fails on an interrupted thread.
                .subscribe(received::set, error -> log.error("{} failed in the SDK", request.method(), error));
        JSONRPCResponse response = received.get();
        if (response == null) {
            throw new RpcException(RpcError.internal());
        }
        if (response.error() != null) {
            throw failure(request, response.error());
        }
        return response.result();
    }

    private static RpcException failure(Request request, JSONRPCError error) {
        if (error.code() == RpcError.METHOD_NOT_FOUND) {
            return new RpcException(RpcError.methodNotFound(request.method()));
        }
        // The parameters were checked before, so any other refusal of the SDK is a bug here.
        log.error("{}: {} {}", request.method(), error.message(), error.data());
        return new RpcException(RpcError.internal());
    }

    /** Replaces the parameters of a handshake by ones without any text of the client, because the SDK logs them. */
    static Map<String, Object> params(Request request) {
        if (!request.method().equals(McpSchema.METHOD_INITIALIZE)) {
            return request.params();
        }
        Map<String, Object> params = new HashMap<>();
        params.put(
                "protocolVersion",
                ServerIdentity.agreed(String.valueOf(request.params().get("protocolVersion"))));
        params.put("capabilities", Map.of());
        params.put("clientInfo", Map.of("name", "client", "version", "unknown"));
        return params;
    }

    /** Receives the handler from the SDK. */
    private static final class Transport implements McpStatelessServerTransport {
        private Optional<McpStatelessServerHandler> handler = Optional.empty();

        McpStatelessServerHandler handler() {
            return handler.orElseThrow(() -> new IllegalStateException("the SDK set no handler"));
        }

        @Override
        public void setMcpHandler(McpStatelessServerHandler created) {
            handler = Optional.of(created);
        }

        @Override
        public List<String> protocolVersions() {
            return ServerIdentity.HANDSHAKE_VERSIONS;
        }

        @Override
        public Mono<Void> closeGracefully() {
            return Mono.empty();
        }
    }
}
