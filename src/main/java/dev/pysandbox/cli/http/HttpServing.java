package dev.pysandbox.cli.http;

import dev.pysandbox.execution.LocalPythonSandbox;
import dev.pysandbox.mcp.McpServer;
import dev.pysandbox.mcp.PreloadCall;
import dev.pysandbox.mcp.http.HttpMcpServer;
import dev.pysandbox.mcp.http.ListenAddress;
import dev.pysandbox.mcp.tools.SandboxTools;
import dev.pysandbox.settings.InvalidSettingException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Serves MCP by HTTP. Only loaded if an address was given, so that other starts do not load the classes for it. */
public final class HttpServing {
    private final HttpSettings settings;
    private final String address;
    private final ListenAddress listen;

    /**
     * Checks the settings.
     *
     * @throws InvalidSettingException if the address or an origin is refused
     */
    public HttpServing(HttpSettings settings, String address) {
        this.settings = settings;
        this.address = address;
        try {
            this.listen = ListenAddress.parse(address);
        } catch (IllegalArgumentException e) {
            throw InvalidSettingException.of("http", String.valueOf(e.getMessage()));
        }
        try {
            settings.allowOrigins().forEach(HttpMcpServer::checkOrigin);
        } catch (IllegalArgumentException e) {
            throw InvalidSettingException.of("allowOrigins", String.valueOf(e.getMessage()));
        }
    }

    /**
     * Serves until the end of the program.
     *
     * @param dataFolders the folders that scripts can open, for the description of the tool
     * @param closeAtEnd gets what must be closed at the end of the program, in place of the sandbox
     */
    public void serve(
            LocalPythonSandbox sandbox,
            List<String> dataFolders,
            boolean keepsFiles,
            PrintStream err,
            Consumer<AutoCloseable> closeAtEnd) {
        McpServer server =
                new McpServer(SandboxTools.of(CompletableFuture.completedFuture(sandbox), dataFolders), keepsFiles);
        HttpMcpServer http = start(server);
        closeAtEnd.accept(() -> {
            http.close();
            sandbox.close();
        });
        err.println("python-sandbox: serving MCP at " + http.url());
        try {
            sandbox.awaitWarm();
            PreloadCall.run(server);
            http.awaitClosed();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpMcpServer start(McpServer server) {
        try {
            return new HttpMcpServer(server, listen, settings.allowOrigins(), settings.httpSse(), settings.drain());
        } catch (IOException e) {
            throw InvalidSettingException.of("http", address + ": can't listen there: " + e.getMessage());
        }
    }
}
