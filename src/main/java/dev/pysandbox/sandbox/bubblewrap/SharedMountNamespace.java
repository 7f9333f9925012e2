package dev.pysandbox.sandbox.bubblewrap;

import dev.pysandbox.support.Spawner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A mount namespace that lasts as long as the server, so that not every sandbox needs one made: in it folders that only
 * root can reach stand where others reach them too.
 */
final class SharedMountNamespace implements AutoCloseable {
    private static final int SECONDS_TO_DIE = 5;

    private final Map<Path, Place> places;
    private final Process holder;

    /** Where a folder stands, and which folder it was: another of its name is not there. */
    private record Place(Path path, Object identity) {}

    private SharedMountNamespace(Map<Path, Place> places, Process holder) {
        this.places = places;
        this.holder = holder;
    }

    /**
     * Makes one.
     *
     * @param command what makes a namespace with these pairs of source and place mounted, and runs a command in it
     */
    static SharedMountNamespace make(Spawner spawner, Map<Path, Path> roots, List<String> command) throws IOException {
        Map<Path, Place> places = new LinkedHashMap<>();
        for (Map.Entry<Path, Path> root : roots.entrySet()) {
            places.put(root.getKey(), new Place(root.getValue(), identity(root.getKey())));
        }
        List<String> argv = new ArrayList<>(command);
        // It goes when its input ends, and so with the server, however that goes.
        argv.addAll(List.of("/bin/sh", "-c", "echo; exec cat"));
        ProcessBuilder builder = new ProcessBuilder(argv).directory(Path.of("/").toFile());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
        SharedMountNamespace stage = new SharedMountNamespace(places, spawner.start(builder));
        if (stage.holder.getInputStream().read() < 0) {
            String errorOutput =
                    new String(stage.holder.getErrorStream().readNBytes(1000), StandardCharsets.UTF_8).strip();
            stage.close();
            throw new IOException("no lasting mounts: " + errorOutput);
        }
        return stage;
    }

    private static Object identity(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** Whether these folders stand here, and are still the same. */
    boolean holds(Set<Path> roots) throws IOException {
        for (Path root : roots) {
            Place place = places.get(root);
            if (place == null || !place.identity().equals(identity(root))) {
                return false;
            }
        }
        return holder.isAlive();
    }

    Set<Path> roots() {
        return places.keySet();
    }

    /** Where something in one of the folders is found; in the innermost, for one further out may hold it back. */
    Path placeOf(Path source) {
        Path root = places.keySet().stream()
                .filter(source::startsWith)
                .max(Comparator.comparingInt(Path::getNameCount))
                .orElseThrow();
        Path below = root.relativize(source);
        return Optional.ofNullable(places.get(root)).orElseThrow().path().resolve(below);
    }

    /** The file by which the namespace is entered. */
    Path door() {
        return Path.of("/proc", Long.toString(holder.pid()), "ns/mnt");
    }

    @Override
    public void close() {
        holder.destroyForcibly();
        try {
            holder.waitFor(SECONDS_TO_DIE, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
