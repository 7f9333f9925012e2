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
 * A mount namespace that all sandboxes share until the server ends. In it, folders that only root can reach are
 * bind-mounted where the unprivileged user can reach them.
 */
final class SharedMountNamespace implements AutoCloseable {
    private static final int SECONDS_TO_DIE = 5;

    private final Map<Path, MountPoint> mountPoints;
    private final Process holder;

    /** The mount point of a folder, and the folder's file key, which tells whether another folder has replaced it. */
    private record MountPoint(Path path, Object identity) {}

    private SharedMountNamespace(Map<Path, MountPoint> mountPoints, Process holder) {
        this.mountPoints = mountPoints;
        this.holder = holder;
    }

    /**
     * Creates a namespace.
     *
     * @param command creates a namespace, mounts each root at its mount point, and executes the arguments after it
     */
    static SharedMountNamespace create(Spawner spawner, Map<Path, Path> roots, List<String> command)
            throws IOException {
        Map<Path, MountPoint> mountPoints = new LinkedHashMap<>();
        for (Map.Entry<Path, Path> root : roots.entrySet()) {
            mountPoints.put(root.getKey(), new MountPoint(root.getValue(), identity(root.getKey())));
        }
        List<String> argv = new ArrayList<>(command);
        // cat exits when its input ends, also if the server is killed.
        argv.addAll(List.of("/bin/sh", "-c", "echo; exec cat"));
        ProcessBuilder builder = new ProcessBuilder(argv).directory(Path.of("/").toFile());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
        SharedMountNamespace namespace = new SharedMountNamespace(mountPoints, spawner.start(builder));
        if (namespace.holder.getInputStream().read() < 0) {
            String errorOutput =
                    new String(namespace.holder.getErrorStream().readNBytes(1000), StandardCharsets.UTF_8).strip();
            namespace.close();
            throw new IOException("can't create a shared mount namespace: " + errorOutput);
        }
        return namespace;
    }

    private static Object identity(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** Returns whether these folders are mounted here and have not been replaced. */
    boolean contains(Set<Path> roots) throws IOException {
        for (Path root : roots) {
            MountPoint point = mountPoints.get(root);
            if (point == null || !point.identity().equals(identity(root))) {
                return false;
            }
        }
        return holder.isAlive();
    }

    Set<Path> roots() {
        return mountPoints.keySet();
    }

    /**
     * Returns where a path below one of the folders is mounted. Uses the innermost folder, because the path may be
     * unreachable from the outer ones.
     */
    Path mountPointOf(Path source) {
        Path root = mountPoints.keySet().stream()
                .filter(source::startsWith)
                .max(Comparator.comparingInt(Path::getNameCount))
                .orElseThrow();
        Path below = root.relativize(source);
        return Optional.ofNullable(mountPoints.get(root)).orElseThrow().path().resolve(below);
    }

    /** Returns the file with which nsenter enters the namespace. */
    Path file() {
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
