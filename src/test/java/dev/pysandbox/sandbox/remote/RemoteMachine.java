package dev.pysandbox.sandbox.remote;

import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxedProcess;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Folders;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Simulates another machine. It has a disk and a sandbox, and communicates with the server only through a socket.
 *
 * <p>Each job has four connections: one for the job, its files, its exit code and its results, and one for each
 * standard stream. A job is killed when its first connection ends.
 */
final class RemoteMachine implements AutoCloseable {
    private final Sandbox local;
    private final Path disk;
    private final ServerSocket listener;
    private final Map<String, SandboxedProcess> processes = new ConcurrentHashMap<>();
    private final Map<String, Path> contents = new ConcurrentHashMap<>();
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicInteger folders = new AtomicInteger();

    RemoteMachine(Sandbox local, Path disk) throws IOException {
        this.local = local;
        this.disk = disk;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    Sandbox local() {
        return local;
    }

    /** Returns how often the files of a {@link Volume.Content} were sent. */
    int contentsReceived() {
        return received.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket connection = listener.accept();
                start(() -> serve(connection));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            connection.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(connection.getInputStream());
            String job = in.readUTF();
            String stream = in.readUTF();
            switch (stream) {
                case "job" -> run(job, in, new DataOutputStream(connection.getOutputStream()));
                case "stdin" -> copy(in, processes.get(job).stdin());
                case "stdout" -> copy(processes.get(job).stdout(), connection.getOutputStream());
                default -> copy(processes.get(job).stderr(), connection.getOutputStream());
            }
        } catch (IOException e) {
            // the server has closed the connection
        }
    }

    private void run(String name, DataInputStream in, DataOutputStream out) throws IOException {
        List<Path> results = new ArrayList<>();
        Job job = receive(in, out, results);
        SandboxedProcess process;
        try {
            process = local.start(job);
        } catch (IOException e) {
            out.writeUTF(String.valueOf(e.getMessage()));
            return;
        }
        processes.put(name, process);
        out.writeUTF("");
        Thread killer = start(() -> {
            awaitEnd(in);
            process.close();
        });
        try {
            out.writeInt(process.waitFor());
            for (Path result : results) {
                FileStream.send(result, out);
            }
            killer.join(); // until the server has read all output
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.close();
            processes.remove(name);
            out.writeBoolean(process.isDead());
        }
    }

    private static void awaitEnd(InputStream in) {
        try {
            while (in.read() >= 0) {
                // the server sends nothing; this waits for the end
            }
        } catch (IOException e) {
            // the connection has ended
        }
    }

    private Job receive(DataInputStream in, DataOutputStream out, List<Path> results) throws IOException {
        List<String> argv = texts(in);
        Map<String, String> environment = new HashMap<>();
        List<String> variables = texts(in);
        for (int i = 0; i < variables.size(); i += 2) {
            environment.put(variables.get(i), variables.get(i + 1));
        }
        Limits limits = new Limits(
                new ByteSize(in.readLong()),
                in.readInt(),
                OptionalDouble.empty(),
                in.readInt(),
                new ByteSize(in.readLong()));
        Network network = Network.valueOf(in.readUTF());
        List<Volume> volumes = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
            Path target = Path.of(in.readUTF());
            if (in.readBoolean()) {
                Path workspace = newPath();
                Path result = workspace.resolve(in.readUTF()).normalize();
                Files.createDirectories(result);
                FileStream.receive(in, result);
                allowWriting(workspace);
                results.add(result);
                volumes.add(new Volume.Workspace(workspace, target, Path.of("")));
            } else {
                volumes.add(new Volume.HostFolder(content(in.readUTF(), in, out), target, false));
            }
        }
        // The job must reach the server's proxy on a port of this host.
        Network reachable = network == Network.INTERNET ? Network.HOST : network;
        return new Job(argv, volumes, environment, limits, reachable, EgressPolicy.only(List.of()));
    }

    private Path content(String key, DataInputStream in, DataOutputStream out) throws IOException {
        out.writeBoolean(!contents.containsKey(key));
        if (!contents.containsKey(key)) {
            Path place = newPath();
            FileStream.receive(in, place);
            received.incrementAndGet();
            contents.put(key, place);
        }
        return contents.get(key);
    }

    private void allowWriting(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            for (Path path : all.filter(Files::isDirectory).toList()) {
                local.allowWriting(path);
            }
        }
    }

    private Path newPath() {
        return disk.resolve("files-" + folders.incrementAndGet());
    }

    private static List<String> texts(DataInputStream in) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
            texts.add(new String(in.readNBytes(in.readInt()), java.nio.charset.StandardCharsets.UTF_8));
        }
        return texts;
    }

    private static void copy(InputStream from, OutputStream to) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (int size = from.read(buffer); size >= 0; size = from.read(buffer)) {
            to.write(buffer, 0, size);
            to.flush();
        }
        to.close();
    }

    static Thread start(Runnable work) {
        Thread thread = new Thread(work, "remote-machine");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public void close() {
        try {
            listener.close();
            processes.values().forEach(SandboxedProcess::close);
            local.close();
            Folders.delete(disk);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
