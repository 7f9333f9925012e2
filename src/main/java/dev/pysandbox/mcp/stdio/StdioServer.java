package dev.pysandbox.mcp.stdio;

import dev.pysandbox.execution.LocalPythonSandbox;
import dev.pysandbox.mcp.McpServer;
import dev.pysandbox.mcp.PreloadCall;
import dev.pysandbox.mcp.jsonrpc.Incoming;
import dev.pysandbox.mcp.stdio.LineReader.Line;
import dev.pysandbox.mcp.tools.SandboxTool;
import dev.pysandbox.mcp.tools.SandboxTools;
import dev.pysandbox.mcp.tools.ToolText;
import dev.pysandbox.support.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * The stdio transport: serves one client on a pair of streams.
 *
 * <p>An {@link EarlyHandshake} responds to the first requests while the SDK loads. Until then no lambda is used,
 * because the first lambda costs 30 ms.
 */
public final class StdioServer {
    private static final Duration GRACE = Duration.ofMillis(500);

    private final InputStream in;
    private final LineWriter out;
    private final Optional<EarlyHandshake> early;
    private final Optional<Future<LocalPythonSandbox>> sandbox;
    private final FutureTask<McpServer> loading;
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean loaderStarted;
    private volatile boolean broken;
    private volatile Optional<LineConnection> connection = Optional.empty();

    /**
     * Creates a server without loading the SDK.
     *
     * @param dataFolders the folders that scripts can open, for the description of the tool
     * @param keepsFiles whether the files that scripts write are kept, and offered as resources
     */
    public StdioServer(
            Callable<LocalPythonSandbox> opening,
            List<String> dataFolders,
            boolean keepsFiles,
            InputStream in,
            OutputStream out) {
        this(new FutureTask<>(opening), dataFolders, keepsFiles, in, out);
    }

    private StdioServer(
            FutureTask<LocalPythonSandbox> sandbox,
            List<String> dataFolders,
            boolean keepsFiles,
            InputStream in,
            OutputStream out) {
        this(
                new Supplier<>() {
                    @Override
                    public List<SandboxTool> get() {
                        // On another thread: it is open when the SDK is loaded.
                        Threads.startDaemon("sandbox-opener", sandbox);
                        return SandboxTools.of(sandbox, dataFolders);
                    }
                },
                keepsFiles,
                Optional.of(SandboxTools.texts(dataFolders)),
                Optional.of(sandbox),
                in,
                out);
    }

    /**
     * Serves other tools.
     *
     * @param texts the texts of the tools, if the first requests are to be answered before the SDK is loaded
     * @param sandbox the sandbox of the tools, if they have one
     */
    public StdioServer(
            Supplier<List<SandboxTool>> tools,
            boolean keepsFiles,
            Optional<List<ToolText>> texts,
            Optional<Future<LocalPythonSandbox>> sandbox,
            InputStream in,
            OutputStream out) {
        this.in = in;
        this.out = new LineWriter(out, new Runnable() {
            @Override
            public void run() {
                outputBroke();
            }
        });
        this.early = texts.isPresent() ? Optional.of(new EarlyHandshake(texts.get(), keepsFiles)) : Optional.empty();
        this.sandbox = sandbox;
        this.loading = new FutureTask<>(new Callable<>() {
            @Override
            public McpServer call() {
                return new McpServer(tools.get(), keepsFiles);
            }
        });
    }

    /**
     * Serves until the input ends or the output breaks. Then it waits briefly for running calls and interrupts the
     * others. The sandbox stays open.
     */
    public void run() {
        // Reading can't be interrupted, so it has a daemon thread.
        Threads.startDaemon("mcp-reader", new Runnable() {
            @Override
            public void run() {
                readAll();
            }
        });
        try {
            ended.await();
            if (loading.isDone()) {
                loading.get().stop(broken ? Duration.ZERO : GRACE);
                if (connection.isPresent()) {
                    loading.get().close(connection.get().session());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the server could not be loaded", e.getCause());
        }
    }

    /** Makes {@link #run} return as at the end of the input. */
    public void stop() {
        ended.countDown();
    }

    private void outputBroke() {
        broken = true;
        stop();
    }

    private void readAll() {
        try {
            LineReader lines = new LineReader(in, Incoming.MAX_BYTES);
            Optional<Line> line = lines.next();
            while (line.isPresent()) {
                receive(line.get());
                line = lines.next();
            }
        } catch (IOException e) {
            // The client is gone: treated as the end of input.
        } catch (InterruptedException | ExecutionException e) {
            // run() reports it.
        } finally {
            stop();
        }
    }

    private void receive(Line line) throws InterruptedException, ExecutionException {
        if (early.isPresent() && !loading.isDone() && early.get().respond(line, out)) {
            if (early.get().listed() && !loaderStarted) {
                loaderStarted = true;
                // A client that knows the tools will soon call one.
                Threads.startDaemon("mcp-loader", new Runnable() {
                    @Override
                    public void run() {
                        loading.run();
                        runPreloadCall();
                    }
                });
            }
            return;
        }
        if (connection.isEmpty()) {
            loading.run();
            LineConnection opened = new LineConnection(loading.get(), out);
            early.ifPresent(handshake -> handshake
                    .version()
                    .ifPresent(version -> opened.session().initialized(version, handshake.client())));
            connection = Optional.of(opened);
        }
        connection.get().receive(line);
    }

    /** Makes a trial call, unless the client calls first. */
    private void runPreloadCall() {
        if (sandbox.isEmpty()) {
            return;
        }
        try {
            sandbox.get().get().awaitWarm();
            if (connection.isEmpty()) {
                PreloadCall.run(loading.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            // The first call will report it.
        }
    }
}
