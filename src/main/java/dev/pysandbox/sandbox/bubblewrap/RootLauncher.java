package dev.pysandbox.sandbox.bubblewrap;

import dev.pysandbox.sandbox.local.HostSystem;
import dev.pysandbox.sandbox.local.Mount;
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
 * Starts bwrap as an ordinary user where the server is root.
 *
 * <p>A user namespace made by root maps to root: what runs inside would still be user 0 to the kernel, owner of
 * /proc/sys and exempt from limits. So root is given up first. Folders that only root can reach (a Python under /root)
 * are made visible to that user by bind mounts in a separate mount namespace: the server's, where they
 * are only read, else one that ends with the job.
 */
final class RootLauncher implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RootLauncher.class);

    private static final String USER = Integer.toString(UnprivilegedUser.ID);

    /** Beyond this number of changes of the folders, each job has a separate namespace. */
    private static final int MOST_STAGES = 8;

    /** Pairs of source and place up to "--", then the command. */
    private static final String SCRIPT =
            "while [ \"$1\" != -- ]; do mount --bind \"$1\" \"$2\" || exit 125; shift 2; done;" + " shift; exec \"$@\"";

    private final Spawner spawner;
    private final RuntimeFolder runtime;
    private final Path setpriv;
    private final Path unshare;
    private final Path nsenter;
    private final List<SharedMountNamespace> stages = new ArrayList<>(); // the last one has all that the others have

    private RootLauncher(Spawner spawner, RuntimeFolder runtime, Path setpriv, Path unshare, Path nsenter) {
        this.spawner = spawner;
        this.runtime = runtime;
        this.setpriv = setpriv;
        this.unshare = unshare;
        this.nsenter = nsenter;
    }

    static RootLauncher create(Spawner spawner, RuntimeFolder runtime) throws IOException {
        // Proxy sockets and the supervisor's files are in it: local users must not reach it, only jobs may.
        Files.setAttribute(runtime.path(), "unix:gid", UnprivilegedUser.ID);
        Folders.setPermissions(runtime.path(), "rwx--x---");
        return new RootLauncher(spawner, runtime, required("setpriv"), required("unshare"), required("nsenter"));
    }

    private static Path required(String program) throws IOException {
        return HostSystem.program(program, Optional.empty())
                .orElseThrow(() -> new IOException(program + " is not installed (package util-linux)"));
    }

    /**
     * How a command is started as the unprivileged user.
     *
     * @param prefix what stands before the command on its command line
     * @param mounts the mounts, from where that user can reach them
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
            return new Launch(giveUpRoot(), mounts);
        }
        Set<Path> sources = new LinkedHashSet<>(closed.values());
        if (closed.keySet().stream().noneMatch(Mount::writable)) {
            Optional<SharedMountNamespace> stage = stageWith(sources);
            if (stage.isPresent()) {
                return new Launch(enter(stage.get().door()), moved(mounts, closed, stage.get()::placeOf));
            }
        }
        Map<Path, Path> places = places(sources);
        List<Mount> reachable = moved(mounts, closed, source -> places.getOrDefault(source, source));
        return new Launch(concat(ownNamespace("private", places), giveUpRoot()), reachable);
    }

    private static List<Mount> moved(List<Mount> mounts, Map<Mount, Path> closed, UnaryOperator<Path> place) {
        List<Mount> moved = new ArrayList<>();
        for (Mount mount : mounts) {
            Path source = closed.get(mount);
            moved.add(source == null ? mount : new Mount(place.apply(source), mount.target(), mount.writable()));
        }
        return moved;
    }

    private List<String> giveUpRoot() {
        return List.of(setpriv.toString(), "--reuid", USER, "--regid", USER, "--clear-groups", "--inh-caps=-all", "--");
    }

    private List<String> enter(Path door) {
        return List.of(nsenter.toString(), "--mount=" + door, "--setuid", USER, "--setgid", USER, "--");
    }

    private List<String> ownNamespace(String propagation, Map<Path, Path> places) {
        List<String> argv = new ArrayList<>(List.of(unshare.toString(), "--mount", "--propagation", propagation, "--"));
        argv.addAll(List.of("/bin/sh", "-c", SCRIPT, "sh"));
        places.forEach((source, place) -> argv.addAll(List.of(source.toString(), place.toString())));
        argv.add("--");
        return argv;
    }

    /** The server's own namespace in which these are reached; what is mounted on the host later is seen there too. */
    private synchronized Optional<SharedMountNamespace> stageWith(Set<Path> sources) {
        try {
            Set<Path> roots = new LinkedHashSet<>();
            for (Path source : sources) {
                roots.add(HostSystem.openRoot(source));
            }
            Set<Path> all = new LinkedHashSet<>(roots);
            if (!stages.isEmpty()) {
                SharedMountNamespace last = stages.get(stages.size() - 1);
                if (last.holds(roots)) {
                    return Optional.of(last);
                }
                last.roots().stream().filter(Files::exists).forEach(all::add);
            }
            if (stages.size() == MOST_STAGES) {
                return Optional.empty();
            }
            Map<Path, Path> places = places(all);
            stages.add(SharedMountNamespace.make(spawner, places, ownNamespace("slave", places)));
            return Optional.of(stages.get(stages.size() - 1));
        } catch (IOException e) {
            log.debug("each sandbox gets separate mounts: {}", e.toString());
            return Optional.empty();
        }
    }

    /** Each namespace has separate mounts, so all can use the same mount points. */
    private synchronized Map<Path, Path> places(Set<Path> sources) throws IOException {
        Path stage = runtime.path().resolve("stage");
        Folders.setPermissions(Files.createDirectories(stage), "rwx--x--x");
        Map<Path, Path> places = new LinkedHashMap<>();
        for (Path source : sources) {
            boolean folder = Files.isDirectory(source);
            Path place = stage.resolve((folder ? "folder-" : "file-") + places.size());
            if (!Files.exists(place)) {
                if (folder) {
                    Files.createDirectory(place);
                } else {
                    Files.createFile(place);
                }
            }
            places.put(source, place);
        }
        return places;
    }

    private static List<String> concat(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    @Override
    public synchronized void close() {
        stages.forEach(SharedMountNamespace::close);
    }
}
