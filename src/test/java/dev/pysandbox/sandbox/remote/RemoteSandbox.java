package dev.pysandbox.sandbox.remote;

import dev.pysandbox.api.Network;
import dev.pysandbox.sandbox.Capabilities;
import dev.pysandbox.sandbox.ImagePython;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.JobProxy;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxedProcess;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Runs jobs on a {@link RemoteMachine}. The two share no files. */
public final class RemoteSandbox implements Sandbox {
    private final RemoteMachine machine;
    private final Optional<ImagePython> python;

    RemoteSandbox(RemoteMachine machine, Optional<ImagePython> python) {
        this.machine = machine;
        this.python = python;
    }

    /** Starts a machine, with a disk below the runtime folder, and connects to it. */
    public static RemoteSandbox open(Sandbox local, RuntimeFolder runtime, Optional<ImagePython> python)
            throws IOException {
        return new RemoteSandbox(new RemoteMachine(local, Files.createDirectory(runtime.fresh("disk"))), python);
    }

    @Override
    public String name() {
        return "remote";
    }

    @Override
    public String description() {
        return "another machine";
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, false, false, false, false);
    }

    @Override
    public Optional<ImagePython> ownPython() {
        return python;
    }

    @Override
    public SandboxedProcess start(Job job) throws IOException {
        if (job.volumes().stream().anyMatch(Volume.HostFolder.class::isInstance)) {
            throw new IOException("a folder of this machine can't be mounted on another one");
        }
        Optional<JobProxy> proxy = job.network() == Network.INTERNET
                ? Optional.of(JobProxy.onPort(InetAddress.getLoopbackAddress(), job.egress()))
                : Optional.empty();
        String name = UUID.randomUUID().toString();
        Socket connection = connect(name, "job");
        DataOutputStream out = new DataOutputStream(connection.getOutputStream());
        DataInputStream in = new DataInputStream(connection.getInputStream());
        send(job, out, in);
        String failure = in.readUTF();
        if (!failure.isEmpty()) {
            connection.close();
            throw new IOException(failure);
        }
        List<Volume.Workspace> workspaces = job.volumes().stream()
                .filter(Volume.Workspace.class::isInstance)
                .map(Volume.Workspace.class::cast)
                .toList();
        return new RemoteProcess(
                connection,
                connect(name, "stdin"),
                connect(name, "stdout"),
                connect(name, "stderr"),
                in,
                workspaces,
                proxy);
    }

    private Socket connect(String job, String stream) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), machine.port());
        socket.setTcpNoDelay(true);
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeUTF(job);
        out.writeUTF(stream);
        return socket;
    }

    private static void send(Job job, DataOutputStream out, DataInputStream in) throws IOException {
        send(job.argv(), out);
        send(
                job.environment().entrySet().stream()
                        .flatMap(each -> Stream.of(each.getKey(), each.getValue()))
                        .toList(),
                out);
        out.writeLong(job.limits().memory().bytes());
        out.writeInt(job.limits().processes());
        out.writeInt(job.limits().openFiles());
        out.writeLong(job.limits().scratch().bytes());
        out.writeUTF(job.network().name());
        out.writeInt(job.volumes().size());
        for (Volume volume : job.volumes()) {
            out.writeUTF(volume.target().toString());
            out.writeBoolean(volume instanceof Volume.Workspace);
            if (volume instanceof Volume.Workspace workspace) {
                out.writeUTF(workspace.result().toString());
                FileStream.send(workspace.source().resolve(workspace.result()), out);
            } else if (volume instanceof Volume.Content content) {
                out.writeUTF(content.key());
                if (in.readBoolean()) {
                    FileStream.send(content.source(), out);
                }
            }
        }
    }

    private static void send(List<String> texts, DataOutputStream out) throws IOException {
        out.writeInt(texts.size());
        for (String text : texts) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }

    @Override
    public void close() {
        machine.close();
    }
}
