package dev.pysandbox.sandbox.docker;

import dev.pysandbox.sandbox.local.RuntimeFolder;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Labels containers and volumes, and removes those of servers that have died.
 *
 * <p>A label names the runtime folder of the server. The server is dead if that folder does not exist: the next server
 * to start deletes the folder of a dead one. Servers of other users, machines and containers that share an engine have
 * folders that this server can't see, so theirs are never removed.
 */
record DockerOrphans(DockerEngine engine, RuntimeFolder runtime) {
    private static final Logger log = LoggerFactory.getLogger(DockerOrphans.class);
    private static final String PLACE = "dev.pysandbox.place";
    private static final String SERVER = "dev.pysandbox.server";

    /** Returns the arguments that label a container or a volume as this server's. */
    List<String> labels() {
        return List.of("--label", PLACE + "=" + place(), "--label", SERVER + "=" + runtime.path());
    }

    void sweep() throws InterruptedException {
        sweep("container", "{{.Id}} {{index .Config.Labels \"" + SERVER + "\"}}", List.of("--all"));
        sweep("volume", "{{.Name}} {{index .Labels \"" + SERVER + "\"}}", List.of());
    }

    private void sweep(String kind, String format, List<String> which) throws InterruptedException {
        try {
            List<String> ours =
                    run(List.of(kind, "ls", "--quiet", "--filter", "label=" + PLACE + "=" + place()), which);
            if (ours.isEmpty()) {
                return;
            }
            // The formats of labels in the output of ls differ between docker and podman; inspect is the same.
            List<String> dead = run(List.of(kind, "inspect", "--format", format), ours).stream()
                    .map(line -> line.split(" ", 2))
                    .filter(parts -> parts.length == 2 && !parts[1].isBlank() && !Files.exists(Path.of(parts[1])))
                    .map(parts -> parts[0])
                    .toList();
            if (!dead.isEmpty()) {
                log.info("removing {} leftovers of servers that have died", dead.size());
                run(List.of(kind, "rm", "--force"), dead);
            }
        } catch (IOException e) {
            log.debug("can't search for leftovers of dead servers: {}", e.toString());
        }
    }

    private List<String> run(List<String> command, List<String> more) throws IOException, InterruptedException {
        List<String> arguments = Stream.concat(command.stream(), more.stream()).toList();
        return engine.run(arguments).stdout().lines().toList();
    }

    /**
     * Returns an id that is the same for all servers of this user, machine and mount namespace, which see the same
     * folders.
     */
    private static String place() {
        StringBuilder place = new StringBuilder(System.getProperty("user.name", ""));
        try {
            place.append('@').append(InetAddress.getLocalHost().getHostName());
            place.append(' ').append(Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")));
        } catch (IOException | UnsupportedOperationException e) {
            // Other systems have no mount namespaces.
        }
        return UUID.nameUUIDFromBytes(place.toString().getBytes(StandardCharsets.UTF_8))
                .toString();
    }
}
