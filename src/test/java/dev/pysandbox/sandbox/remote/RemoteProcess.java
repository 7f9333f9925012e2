package dev.pysandbox.sandbox.remote;

import dev.pysandbox.sandbox.Activity;
import dev.pysandbox.sandbox.JobProxy;
import dev.pysandbox.sandbox.MemoryCount;
import dev.pysandbox.sandbox.ProxyEndpoint;
import dev.pysandbox.sandbox.SandboxedProcess;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.support.ByteSize;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process of a {@link RemoteMachine}. */
final class RemoteProcess implements SandboxedProcess {
    private final Socket connection;
    private final Socket stdin;
    private final Socket stdout;
    private final Socket stderr;
    private final Optional<JobProxy> proxy;
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    private final CompletableFuture<Boolean> dead = new CompletableFuture<>();

    RemoteProcess(
            Socket connection,
            Socket stdin,
            Socket stdout,
            Socket stderr,
            DataInputStream in,
            List<Volume.Workspace> workspaces,
            Optional<JobProxy> proxy) {
        this.connection = connection;
        this.stdin = stdin;
        this.stdout = stdout;
        this.stderr = stderr;
        this.proxy = proxy;
        RemoteMachine.start(() -> receive(in, workspaces));
    }

    /** Receives the results, then completes the exit code. */
    private void receive(DataInputStream in, List<Volume.Workspace> workspaces) {
        try {
            int code = in.readInt();
            for (Volume.Workspace workspace : workspaces) {
                FileStream.receive(in, workspace.source().resolve(workspace.result()));
            }
            exitCode.complete(code);
            dead.complete(in.readBoolean());
        } catch (IOException e) {
            exitCode.complete(137);
            dead.complete(false);
        }
    }

    @Override
    public OutputStream stdin() {
        return stream(stdin::getOutputStream);
    }

    @Override
    public InputStream stdout() {
        return stream(stdout::getInputStream);
    }

    @Override
    public InputStream stderr() {
        return stream(stderr::getInputStream);
    }

    private interface Streams<T> {
        T get() throws IOException;
    }

    private static <T> T stream(Streams<T> streams) {
        try {
            return streams.get();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int waitFor() throws InterruptedException {
        try {
            return exitCode.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean waitFor(Duration limit) throws InterruptedException {
        try {
            exitCode.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Optional<ProxyEndpoint> proxy() {
        return proxy.map(JobProxy::endpoint);
    }

    @Override
    public List<String> refusedConnections() {
        return proxy.map(JobProxy::refused).orElse(List.of());
    }

    @Override
    public void openEgress() {
        proxy.ifPresent(JobProxy::open);
    }

    @Override
    public Optional<Activity> activity() {
        return Optional.empty();
    }

    @Override
    public Optional<ByteSize> memory() {
        return Optional.empty();
    }

    @Override
    public MemoryCount memoryCount() {
        return MemoryCount.NONE;
    }

    @Override
    public void close() {
        try {
            if (!connection.isOutputShutdown()) {
                connection.shutdownOutput();
            }
            dead.get(10, TimeUnit.SECONDS);
        } catch (IOException | InterruptedException | ExecutionException | TimeoutException e) {
            dead.complete(false);
        } finally {
            for (Socket socket : List.of(connection, stdin, stdout, stderr)) {
                stream(() -> {
                    socket.close();
                    return socket;
                });
            }
            proxy.ifPresent(JobProxy::close);
        }
    }

    @Override
    public boolean isDead() {
        return dead.isDone() && dead.getNow(false);
    }
}
