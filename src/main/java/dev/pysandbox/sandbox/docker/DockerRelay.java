package dev.pysandbox.sandbox.docker;

import dev.pysandbox.sandbox.JobProxy;
import dev.pysandbox.support.BundledFile;
import dev.pysandbox.support.HostCommand;
import dev.pysandbox.support.Spawner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects containers to the proxies of this server if the engine runs in a virtual machine and can't mount the host's
 * sockets. It is one more container, which creates a socket for each job in a volume that the job's container mounts.
 *
 * <p>It starts on first use and ends when its input is closed.
 */
final class DockerRelay implements JobProxy.Tunnels, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DockerRelay.class);
    private static final String FOLDER = "/run/relay";

    private static final int SECONDS_TO_ANSWER = 30;

    private final DockerCommand command;
    private final Spawner spawner;
    private final Route route;
    private final Path python;
    private final String name;
    private Optional<Process> client = Optional.empty();

    /**
     * How the relay reaches this server.
     *
     * @param network the network of the container
     * @param host the name of the host's loopback address in that network
     */
    record Route(String network, String host) {
        /** For engines in a virtual machine: Docker Desktop, Colima, podman machine. */
        static final Route FROM_A_MACHINE = new Route("bridge", "host.docker.internal");
    }

    /** @param python the Python of the image */
    DockerRelay(DockerCommand command, Spawner spawner, Route route, Path python, String name) {
        this.command = command;
        this.spawner = spawner;
        this.route = route;
        this.python = python;
        this.name = name;
    }

    /** A tunnel to a port. Its name is random, so that other containers can't guess it. */
    private final class RelayTunnel implements JobProxy.Tunnel {
        private final String socket = UUID.randomUUID().toString();

        @Override
        public Path socket() {
            return Path.of(FOLDER, socket);
        }

        @Override
        public void close() {
            try {
                send("- " + socket);
            } catch (IOException e) {
                log.debug("can't close a tunnel of the relay: {}", e.toString());
            }
        }
    }

    /** Returns the {@code --mount} option of containers that use the tunnels. */
    String mountOption() {
        return "type=volume,src=" + name + ",dst=" + FOLDER + ",readonly,volume-nocopy";
    }

    @Override
    public JobProxy.Tunnel open(int port, String secret) throws IOException {
        RelayTunnel tunnel = new RelayTunnel();
        send("+ " + tunnel.socket + " " + port + " " + secret);
        return tunnel;
    }

    private synchronized void send(String line) throws IOException {
        Process relay = running();
        String answer;
        // If the engine does not respond, killing the client ends the blocked write or read.
        CompletableFuture<Void> guard = CompletableFuture.runAsync(
                relay::destroyForcibly, CompletableFuture.delayedExecutor(SECONDS_TO_ANSWER, TimeUnit.SECONDS));
        try {
            relay.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            relay.getOutputStream().flush();
            answer = readLine(relay.getInputStream());
        } finally {
            guard.cancel(false);
        }
        if (!answer.equals("ok")) {
            client = Optional.empty();
            relay.getOutputStream().close();
            throw new IOException("the relay to the proxy does not work: " + answer + errorOutput(relay));
        }
    }

    private Process running() throws IOException {
        if (client.filter(Process::isAlive).isEmpty()) {
            List<String> volume = new ArrayList<>(List.of("volume", "create"));
            volume.addAll(command.labels());
            volume.add(name);
            run(volume);
            client = Optional.of(command.engine().start(spawner, arguments()));
        }
        return client.get();
    }

    private List<String> arguments() throws IOException {
        // Runs as root, which owns new volumes, but without capabilities. No script runs in this container.
        List<String> arguments = new ArrayList<>(command.isolated(name, "relay", DockerUser.ROOT));
        arguments.addAll(List.of("--memory", "256m", "--memory-swap", "256m", "--pids-limit", "2048"));
        arguments.addAll(List.of("--network", route.network()));
        if (!route.network().equals("host")) {
            arguments.addAll(List.of("--add-host", route.host() + ":host-gateway"));
        }
        arguments.addAll(List.of("--mount", "type=volume,src=" + name + ",dst=" + FOLDER));
        arguments.addAll(List.of("--entrypoint", python.toString(), command.image()));
        arguments.addAll(List.of("-I", "-c", BundledFile.text(DockerRelay.class, "relay.py"), route.host(), FOLDER));
        return arguments;
    }

    /** Reads a short line byte by byte, because a buffer would read beyond it. */
    private static String readLine(InputStream stream) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = stream.read(); c >= 0 && c != '\n' && line.length() < 100; c = stream.read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    private static String errorOutput(Process relay) throws IOException {
        try (BufferedReader output = relay.errorReader(StandardCharsets.UTF_8)) {
            return output.lines().reduce("", (all, line) -> line);
        }
    }

    private HostCommand.Outcome run(List<String> arguments) throws IOException {
        try {
            return command.engine().run(arguments);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Ends the relay. All containers that mount the volume must have ended. */
    @Override
    public synchronized void close() {
        if (client.isEmpty()) {
            return;
        }
        try {
            client.get().getOutputStream().close();
            client = Optional.empty();
            run(List.of("rm", "--force", name));
            run(List.of("volume", "rm", "--force", name));
        } catch (IOException e) {
            log.debug("can't remove the relay's volume, the next start removes it: {}", e.toString());
        }
    }
}
