package dev.pysandbox.sandbox;

import dev.pysandbox.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Starts bwrap as an ordinary user where the server is root.
 *
 * <p>A user namespace made by root maps to root: what runs inside would still be user 0 to the kernel, owner of
 * /proc/sys and exempt from limits. So root is given up first. Folders that only root can reach (a Python under /root)
 * are made visible to that user by bind mounts in a mount namespace that nobody else sees and that ends with the job.
 */
final class RootLauncher {
    /** Outside all ranges that distributions and systemd hand out. */
    static final String USER = "60700";

    /** Pairs of source and place up to "--", then the command. */
    private static final String SCRIPT =
            "while [ \"$1\" != -- ]; do mount --bind \"$1\" \"$2\" || exit 125; shift 2; done;" + " shift; exec \"$@\"";

    private final RuntimeFolder runtime;
    private final List<String> giveUpRoot;
    private final Path unshare;

    private RootLauncher(RuntimeFolder runtime, Path setpriv, Path unshare) {
        this.runtime = runtime;
        this.giveUpRoot = List.of(
                setpriv.toString(), "--reuid", USER, "--regid", USER, "--clear-groups", "--inh-caps=-all", "--");
        this.unshare = unshare;
    }

    static RootLauncher create(RuntimeFolder runtime) throws IOException {
        Folders.setPermissions(runtime.path(), "rwx--x--x");
        return new RootLauncher(runtime, required("setpriv"), required("unshare"));
    }

    private static Path required(String program) throws IOException {
        return HostSystem.program(program, Optional.empty())
                .orElseThrow(() -> new IOException(program + " is not installed (package util-linux)"));
    }

    static void giveAway(Path folder) throws IOException {
        Files.setAttribute(folder, "unix:uid", Integer.valueOf(USER));
        Files.setAttribute(folder, "unix:gid", Integer.valueOf(USER));
    }

    /** The whole command line, given the one that has the mounts from where that user can reach them. */
    List<String> wrap(List<Mount> mounts, Function<List<Mount>, List<String>> command) throws IOException {
        List<String> pairs = new ArrayList<>();
        List<Mount> reachable = new ArrayList<>();
        for (Mount mount : mounts) {
            if (HostSystem.isOpenToAll(mount.source())) {
                reachable.add(mount);
                continue;
            }
            Path place = place(pairs.size() / 2, Files.isDirectory(mount.source()));
            pairs.addAll(List.of(mount.source().toString(), place.toString()));
            reachable.add(new Mount(place, mount.target(), mount.writable()));
        }
        List<String> argv = new ArrayList<>();
        if (!pairs.isEmpty()) {
            argv.addAll(List.of(unshare.toString(), "--mount", "--propagation", "private", "--"));
            argv.addAll(List.of("/bin/sh", "-c", SCRIPT, "sh"));
            argv.addAll(pairs);
            argv.add("--");
        }
        argv.addAll(giveUpRoot);
        argv.addAll(command.apply(reachable));
        return argv;
    }

    /** Each job has mounts of its own, so the same empty places serve all. */
    private synchronized Path place(int index, boolean folder) throws IOException {
        Path stage = runtime.path().resolve("stage");
        Path place = stage.resolve((folder ? "folder-" : "file-") + index);
        if (!Files.exists(place)) {
            Folders.setPermissions(Files.createDirectories(stage), "rwx--x--x");
            if (folder) {
                Files.createDirectory(place);
            } else {
                Files.createFile(place);
            }
        }
        return place;
    }
}
