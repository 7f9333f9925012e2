package dev.pysandbox.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows our containers and volumes by their labels, and removes those whose server is dead.
 *
 * <p>A server lives as long as its runtime folder; a dead one's is removed by whoever starts next. Other users, other
 * machines and other containers that share an engine have folders that we can't see: theirs are never touched.
 */
record DockerOrphans(DockerEngine engine, RuntimeFolder runtime) {
    private static final Logger log = LoggerFactory.getLogger(DockerOrphans.class);
    private static final String PLACE = "dev.pysandbox.place";
    private static final String SERVER = "dev.pysandbox.server";

    /** The arguments that make a container or a volume ours. */
    List<String> labels() {
        return List.of("--label", PLACE + "=" + place(), "--label", SERVER + "=" + runtime.path());
    }

    void sweep() throws InterruptedException {
        sweep(List.of("ps", "--all", "--no-trunc"), "ID", List.of("rm", "--force", "--volumes"));
        sweep(List.of("volume", "ls"), "Name", List.of("volume", "rm", "--force"));
    }

    private void sweep(List<String> list, String key, List<String> remove) throws InterruptedException {
        List<String> listing = new ArrayList<>(list);
        listing.addAll(List.of("--filter", "label=" + PLACE + "=" + place()));
        listing.addAll(List.of("--format", "{{." + key + "}} {{.Label \"" + SERVER + "\"}}"));
        try {
            List<String> dead = engine.run(listing)
                    .stdout()
                    .lines()
                    .map(line -> line.split(" ", 2))
                    .filter(parts -> parts.length == 2 && !parts[1].isBlank() && !Files.exists(Path.of(parts[1])))
                    .map(parts -> parts[0])
                    .toList();
            if (!dead.isEmpty()) {
                log.info("removing {} leftovers of servers that are gone", dead.size());
                List<String> command = new ArrayList<>(remove);
                command.addAll(dead);
                engine.run(command);
            }
        } catch (IOException e) {
            log.debug("can't look for leftovers of dead servers: {}", e.toString());
        }
    }

    /** Those who see the same folders: this user, on this machine, in this view of its files. */
    private static String place() {
        StringBuilder place = new StringBuilder(System.getProperty("user.name", ""));
        try {
            place.append('@').append(InetAddress.getLocalHost().getHostName());
            place.append(' ').append(Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")));
        } catch (IOException | UnsupportedOperationException e) {
            // No such thing on other systems.
        }
        return UUID.nameUUIDFromBytes(place.toString().getBytes(StandardCharsets.UTF_8))
                .toString();
    }
}
