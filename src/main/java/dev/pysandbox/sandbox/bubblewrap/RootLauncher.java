package dev.pysandbox.sandbox.bubblewrap;

import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.local.HostSystem;
import dev.pysandbox.sandbox.local.Mount;
import dev.pysandbox.sandbox.local.PackageManager;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.sandbox.local.UnprivilegedUser;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.Spawner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts bwrap as an unprivileged user if the server runs as root.
 *
 * <p>A user namespace that root creates maps to root: for the kernel, its processes are user 0, own /proc/sys and are
 * exempt from limits. So the launcher first drops root. It bind-mounts folders that only root can reach, such as a
 * Python under /root, in a separate mount namespace: one shared by all jobs if the mounts are read-only, else one for
 * each job.
 */
final class RootLauncher implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RootLauncher.class);

    private static final String USER = Integer.toString(UnprivilegedUser.ID);

    /**
     * The most shared namespaces, one for each change of the set of folders. After that each job gets a separate one.
     */
    private static final int MOST_SHARED = 8;

    /** Arguments: pairs of source and mount point, "--", the command. */
    private static final String SCRIPT =
            "while [ \"$1\" != -- ]; do mount --bind \"$1\" \"$2\" || exit 125; shift 2; done;" + " shift; exec \"$@\"";

    private final Spawner spawner;
    private final RuntimeFolder runtime;
    private final Path setpriv;
    private final Path unshare;
    private final Path nsenter;
    private final List<SharedMountNamespace> shared = new ArrayList<>(); // the last one has the folders of all others

    private RootLauncher(Spawner spawner, RuntimeFolder runtime, Path setpriv, Path unshare, Path nsenter) {
        this.spawner = spawner;
        this.runtime = runtime;
        this.setpriv = setpriv;
        this.unshare = unshare;
        this.nsenter = nsenter;
    }

    static RootLauncher create(Spawner spawner, RuntimeFolder runtime) throws IOException, RefusedException {
        // It contains proxy sockets and the supervisor's files: jobs may reach it, other local users must not.
        Files.setAttribute(runtime.path(), "unix:gid", UnprivilegedUser.ID);
        Folders.setPermissions(runtime.path(), "rwx--x---");
        return new RootLauncher(spawner, runtime, required("setpriv"), required("unshare"), required("nsenter"));
    }

    private static Path required(String program) throws RefusedException {
        return HostSystem.program(program, Optional.empty())
                .orElseThrow(() -> BubblewrapDiagnosis.missing(program, "util-linux", PackageManager.current()));
    }

    /**
     * How to start a command as the unprivileged user.
     *
     * @param prefix the arguments before the command
     * @param mounts the mounts, with sources that this user can reach
     */
    record Launch(List<String> prefix, List<Mount> mounts) {
        List<String> commandLine(List<String> command) {
            return concat(prefix, command);
        }
    }

    Launch launch(List<Mount> mounts) throws IOException {
        Map<Mount, Path> closed = new LinkedHashMap<>();
        for (Mount mount : mounts) {
            if (!HostSystem.isOpenTo(UnprivilegedUser.ID, mount.source())) {
                closed.put(mount, mount.source().toRealPath());
            }
        }
        if (closed.isEmpty()) {
            return new Launch(dropRoot(), mounts);
        }
        Set<Path> sources = new LinkedHashSet<>(closed.values());
        if (closed.keySet().stream().noneMatch(Mount::writable)) {
            Optional<SharedMountNamespace> namespace = sharedWith(sources);
            if (namespace.isPresent()) {
                return new Launch(enter(namespace.get().file()), moved(mounts, closed, namespace.get()::mountPointOf));
            }
        }
        Map<Path, Path> mountPoints = mountPoints(sources);
        List<Mount> reachable = moved(mounts, closed, source -> mountPoints.getOrDefault(source, source));
        return new Launch(concat(ownNamespace("private", mountPoints), dropRoot()), reachable);
    }

    private static List<Mount> moved(List<Mount> mounts, Map<Mount, Path> closed, UnaryOperator<Path> mountPoint) {
        List<Mount> moved = new ArrayList<>();
        for (Mount mount : mounts) {
            Path source = closed.get(mount);
            moved.add(source == null ? mount : new Mount(mountPoint.apply(source), mount.target(), mount.writable()));
        }
        return moved;
    }

    private List<String> dropRoot() {
        return List.of(setpriv.toString(), "--reuid", USER, "--regid", USER, "--clear-groups", "--inh-caps=-all", "--");
    }

    private List<String> enter(Path namespaceFile) {
        return List.of(nsenter.toString(), "--mount=" + namespaceFile, "--setuid", USER, "--setgid", USER, "--");
    }

    private List<String> ownNamespace(String propagation, Map<Path, Path> mountPoints) {
        List<String> argv = new ArrayList<>(List.of(unshare.toString(), "--mount", "--propagation", propagation, "--"));
        argv.addAll(List.of("/bin/sh", "-c", SCRIPT, "sh"));
        mountPoints.forEach((source, mountPoint) -> argv.addAll(List.of(source.toString(), mountPoint.toString())));
        argv.add("--");
        return argv;
    }

    /**
     * Finds or creates a shared namespace with these folders. File systems that the host mounts later appear in it too.
     */
    private synchronized Optional<SharedMountNamespace> sharedWith(Set<Path> sources) {
        try {
            Set<Path> roots = new LinkedHashSet<>();
            for (Path source : sources) {
                roots.add(HostSystem.openRoot(source));
            }
            Set<Path> all = new LinkedHashSet<>(roots);
            if (!shared.isEmpty()) {
                SharedMountNamespace last = shared.get(shared.size() - 1);
                if (last.contains(roots)) {
                    return Optional.of(last);
                }
                last.roots().stream().filter(Files::exists).forEach(all::add);
            }
            if (shared.size() == MOST_SHARED) {
                return Optional.empty();
            }
            Map<Path, Path> mountPoints = mountPoints(all);
            shared.add(SharedMountNamespace.create(spawner, mountPoints, ownNamespace("slave", mountPoints)));
            return Optional.of(shared.get(shared.size() - 1));
        } catch (IOException e) {
            log.debug("no shared mount namespace, each sandbox gets its own: {}", e.toString());
            return Optional.empty();
        }
    }

    /** Creates a mount point for each source. Namespaces have separate mounts, so all use the same mount points. */
    private synchronized Map<Path, Path> mountPoints(Set<Path> sources) throws IOException {
        Path parent = runtime.path().resolve("mounts");
        Folders.setPermissions(Files.createDirectories(parent), "rwx--x--x");
        Map<Path, Path> mountPoints = new LinkedHashMap<>();
        for (Path source : sources) {
            boolean folder = Files.isDirectory(source);
            Path mountPoint = parent.resolve((folder ? "folder-" : "file-") + mountPoints.size());
            if (!Files.exists(mountPoint)) {
                if (folder) {
                    Files.createDirectory(mountPoint);
                } else {
                    Files.createFile(mountPoint);
                }
            }
            mountPoints.put(source, mountPoint);
        }
        return mountPoints;
    }

    private static List<String> concat(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    @Override
    public synchronized void close() {
        shared.forEach(SharedMountNamespace::close);
    }
}
