package dev.pysandbox.sandbox.docker;

import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.local.Mount;
import dev.pysandbox.sandbox.local.PrivateFolders;
import dev.pysandbox.support.ByteSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Builds the docker or podman command line of a job.
 *
 * @param etc a folder whose files are mounted in /etc
 * @param labels the arguments that label the container as this server's
 * @param seccomp a docker seccomp profile
 */
record DockerCommand(
        DockerEngine engine,
        DockerFeatures features,
        String image,
        Optional<String> runtime,
        DockerUser user,
        Path etc,
        List<String> labels,
        Path seccomp) {

    /** Added to the memory limit of the job for the supervisor. */
    private static final long OWN_MEMORY = 64 << 20;

    /** Added for the supervisor and the programs that start it. */
    private static final int OWN_PROCESSES = 4;

    /** Without this option podman copies the image's files into the tmpfs. */
    private static final String EMPTY = ",notmpcopyup";

    /** The characters for which a CSV field must be quoted. */
    private static final Pattern SPLITS = Pattern.compile("[,\"\r\n]");

    /** @param proxy the {@code --mount} option for the socket of the job's proxy, if it has one */
    List<String> build(Job job, String name, Optional<String> proxy) {
        List<String> arguments = new ArrayList<>(isolated(name, "sandbox", user));
        runtime.ifPresent(chosen -> arguments.addAll(List.of("--runtime", chosen)));
        if (features.mustKeepUsers(job)) {
            arguments.addAll(List.of("--userns", "host"));
        }
        arguments.addAll(List.of("--network", job.network() == Network.HOST ? "host" : "none"));
        arguments.addAll(limits(job));
        for (String folder : List.of(PrivateFolders.TEMPORARY, PrivateFolders.HOME, PrivateFolders.WORK)) {
            arguments.addAll(List.of(
                    "--tmpfs", folder + ":" + scratch(folder, job.limits().scratch())));
        }
        // /sys describes the host's hardware; /var may contain logs and caches of the image's build.
        for (String hidden : List.of("/sys", "/var")) {
            arguments.addAll(List.of("--tmpfs", hidden + ":ro,size=4k,mode=0555" + (engine.isPodman() ? EMPTY : "")));
        }
        for (Mount mount : mounts(job)) {
            arguments.addAll(List.of("--mount", bind(mount)));
        }
        proxy.ifPresent(mount -> arguments.addAll(List.of("--mount", mount)));
        // env -i removes the variables that the image and the client's settings add.
        arguments.addAll(List.of("--workdir", PrivateFolders.WORK, "--entrypoint", "/usr/bin/env", image, "-i"));
        arguments.addAll(DockerVariables.reader());
        arguments.addAll(job.argv());
        return arguments;
    }

    /** Returns the arguments that all containers have in common. */
    List<String> isolated(String name, String host, DockerUser who) {
        List<String> arguments = new ArrayList<>(List.of("run", "--interactive", "--rm"));
        // The supervisor is PID 1, which ignores SIGTERM.
        arguments.addAll(List.of("--stop-signal", "KILL"));
        arguments.addAll(List.of("--pull", "never", "--name", name, "--hostname", host, "--log-driver", "none"));
        arguments.addAll(labels);
        arguments.addAll(List.of("--read-only", "--cap-drop", "ALL"));
        arguments.addAll(List.of("--security-opt", "no-new-privileges:true"));
        arguments.addAll(List.of("--security-opt", "seccomp=" + seccomp));
        arguments.addAll(List.of("--user", who.toString(), "--ipc", "private", "--shm-size", "64m"));
        if (features.hasCgroupNamespaces()) {
            arguments.addAll(List.of("--cgroupns", "private")); // else /proc/self/cgroup shows the container's id
        }
        return arguments;
    }

    private List<String> limits(Job job) {
        Limits limits = job.limits();
        String memory = Long.toString(limits.memory().bytes() + OWN_MEMORY);
        List<String> arguments = new ArrayList<>(List.of("--memory", memory, "--memory-swap", memory));
        arguments.addAll(List.of("--pids-limit", Integer.toString(limits.processes() + OWN_PROCESSES)));
        if (job.priority() == Job.Priority.LOW) {
            arguments.addAll(List.of("--cpu-shares", "256"));
        }
        limits.cpus().ifPresent(cpus -> arguments.addAll(List.of("--cpus", String.format(Locale.ROOT, "%.2f", cpus))));
        arguments.addAll(List.of("--ulimit", "nofile=" + limits.openFiles() + ":" + limits.openFiles()));
        arguments.addAll(List.of("--ulimit", "core=0:0", "--ulimit", "msgqueue=0:0"));
        if (engine.isPodman()) {
            // Podman's default is a million, which even root can't set everywhere.
            arguments.addAll(List.of("--ulimit", "nproc=32768:32768"));
        }
        return arguments;
    }

    private String scratch(String folder, ByteSize size) {
        String options = "rw,exec,nosuid,nodev,size=" + size.bytes();
        if (engine.isPodman()) {
            return options + ",mode=1777" + EMPTY; // podman knows no nr_inodes; the supervisor limits it
        }
        return options + ",nr_inodes=" + Job.MOST_FILES
                + (folder.equals(PrivateFolders.TEMPORARY)
                        ? ",mode=1777"
                        : ",mode=0700,uid=" + user.user() + ",gid=" + user.group());
    }

    private List<Mount> mounts(Job job) {
        List<Mount> mounts = new ArrayList<>();
        mounts.add(Mount.readOnly(etc.resolve("passwd"), "/etc/passwd"));
        mounts.add(Mount.readOnly(etc.resolve("group"), "/etc/group"));
        if (job.network() != Network.HOST) {
            // Otherwise the engine adds the host's name servers.
            mounts.add(Mount.readOnly(etc.resolve("resolv.conf"), "/etc/resolv.conf"));
            mounts.add(Mount.readOnly(etc.resolve("hosts"), "/etc/hosts"));
        }
        mounts.addAll(Mount.of(job));
        return mounts;
    }

    /** Returns a {@code --mount} option. It is a line of CSV, because paths can contain commas and quotes. */
    static String bind(Mount mount) {
        return "type=bind," + field("src=" + mount.source()) + "," + field("dst=" + inside(mount.target()))
                + (mount.writable() ? "" : ",readonly");
    }

    private static String field(String text) {
        return SPLITS.matcher(text).find() ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    /** Converts a path that the host may print with backslashes (Windows). */
    private static String inside(Path target) {
        return target.toString().replace('\\', '/');
    }
}
