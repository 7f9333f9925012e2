package dev.pysandbox.mcp;

import dev.pysandbox.mcp.LineReader.Line;
import dev.pysandbox.run.PythonSandbox;
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
 * The MCP server: the three tools of a {@link PythonSandbox} for one client on a pair of streams.
 *
 * <p>The first questions of a client are answered by an {@link EarlyHandshake}; the SDK is loaded behind it. On the way
 * there lambdas are avoided: the first one costs 30 ms.
 */
public final class PythonSandboxServer {
    private static final Duration GRACE = Duration.ofMillis(500);
    private static final String REHEARSAL =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" + ToolText.EXECUTE
                    + "\",\"arguments\":{\"script\":\"print()\"}}}";

    private final InputStream in;
    private final LineWriter out;
    private final Optional<EarlyHandshake> early;
    private final Optional<Future<PythonSandbox>> sandbox;
    private final FutureTask<Connection> loading;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean broken;
    private volatile boolean handedOver;

    /** Costs next to nothing: what takes time to load is loaded when it is needed, and the sandbox opened then. */
    public PythonSandboxServer(Callable<PythonSandbox> opening, InputStream in, OutputStream out) {
        this(opening, List.of(), false, in, out);
    }

    /**
     * @param dataFolders what the model is told that scripts can open
     * @param keepsFiles whether the files that scripts make are kept, and so offered as resources
     */
    public PythonSandboxServer(
            Callable<PythonSandbox> opening,
            List<String> dataFolders,
            boolean keepsFiles,
            InputStream in,
            OutputStream out) {
        this(
                new FutureTask<>(opening),
                dataFolders,
                keepsFiles ? Optional.of(new KeptResources()) : Optional.empty(),
                in,
                out);
    }

    private PythonSandboxServer(
            FutureTask<PythonSandbox> sandbox,
            List<String> dataFolders,
            Optional<KeptResources> resources,
            InputStream in,
            OutputStream out) {
        this(
                new Supplier<>() {
                    @Override
                    public List<SandboxTool> get() {
                        return tools(sandbox, notes(dataFolders), resources);
                    }
                },
                resources,
                Optional.of(new EarlyHandshake(
                        List.of(
                                new ToolText(ToolText.EXECUTE, notes(dataFolders)),
                                new ToolText(ToolText.VALIDATE, List.of()),
                                new ToolText(ToolText.CHECK, List.of())),
                        resources.isPresent())),
                Optional.of(sandbox),
                in,
                out);
    }

    private static List<SandboxTool> tools(
            FutureTask<PythonSandbox> sandbox, List<String> notes, Optional<KeptResources> resources) {
        // What it finds out on its own thread is ready when the SDK is.
        startDaemon("sandbox-opener", sandbox);
        return List.of(
                new ExecutePythonTool(
                        (request, listener, use) -> opened(sandbox).execute(request, listener, use), notes, resources),
                new ValidateScriptTool(
                        (script, dependencies, progress) -> opened(sandbox).validate(script, dependencies, progress)),
                new CheckEnvironmentTool(progress -> opened(sandbox).check(progress)));
    }

    private static PythonSandbox opened(Future<PythonSandbox> sandbox) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return sandbox.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the sandbox could not be opened: " + e.getCause(), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static List<String> notes(List<String> folders) {
        return folders.isEmpty() ? List.of() : List.of("Data that scripts can open: " + String.join(", ", folders));
    }

    /** @param sandbox what the tools work with, if it is a real one */
    PythonSandboxServer(
            Supplier<List<SandboxTool>> tools,
            Optional<KeptResources> resources,
            Optional<EarlyHandshake> early,
            Optional<Future<PythonSandbox>> sandbox,
            InputStream in,
            OutputStream out) {
        this.in = in;
        this.out = new LineWriter(out, new Runnable() {
            @Override
            public void run() {
                outputBroke();
            }
        });
        this.early = early;
        this.sandbox = sandbox;
        this.loading = new FutureTask<>(new Callable<>() {
            @Override
            public Connection call() {
                return SdkServer.connect(tools.get(), resources, PythonSandboxServer.this.out);
            }
        });
    }

    /**
     * Serves until the end of the input, or until the output breaks. Calls that still run then get a moment to end and
     * are interrupted after it. The sandbox stays open.
     */
    public void run() {
        // Reading can't be interrupted, so it has a thread of its own that nobody waits for.
        startDaemon("mcp-reader", new Runnable() {
            @Override
            public void run() {
                readAll();
            }
        });
        try {
            ended.await();
            if (loading.isDone()) {
                loading.get().finish(broken ? Duration.ZERO : GRACE);
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
            LineReader lines = new LineReader(in, LineReader.MAX_BYTES);
            Optional<Line> line = lines.next();
            while (line.isPresent()) {
                receive(line.get());
                line = lines.next();
            }
        } catch (IOException e) {
            // The client has gone: the same as the end of its input.
        } catch (InterruptedException | ExecutionException e) {
            // Told by run().
        } finally {
            stop();
        }
    }

    private void receive(Line line) throws InterruptedException, ExecutionException {
        if (early.isPresent() && !loading.isDone() && early.get().answer(line, out)) {
            if (early.get().listed()) {
                // A client that knows the tools will soon call one.
                startDaemon("mcp-loader", new Runnable() {
                    @Override
                    public void run() {
                        loading.run();
                        rehearse();
                    }
                });
            }
            return;
        }
        loading.run();
        Connection connection = loading.get();
        if (!handedOver) {
            handedOver = true;
            early.ifPresent(handshake ->
                    handshake.version().ifPresent(version -> connection.initialized(version, handshake.client())));
        }
        connection.receive(line);
    }

    /** Does what the first call would have to do, unless that has come. */
    private void rehearse() {
        if (sandbox.isEmpty()) {
            return;
        }
        try {
            sandbox.get().get().awaitWarm();
            if (!handedOver) {
                loading.get().rehearse(REHEARSAL);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            // The first call will say why.
        }
    }

    private static void startDaemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
