package dev.pysandbox.sandbox.docker;

import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.local.Mount;
import dev.pysandbox.support.ByteSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Puts a job into docker's words.
 *
 * @param etc a folder whose files stand for those of the same name in /etc
 * @param labels the arguments by which the container is known as ours
 * @param seccomp a profile in docker's form
 */
record DockerCommand(
        DockerEngine engine,
        DockerVersion version,
        String image,
        Optional<String> runtime,
        DockerUser user,
        DockerUserNamespaces namespaces,
        Path etc,
        List<String> labels,
        Path seccomp) {

    static final String HOME = "/home/user";
    static final String WORK = "/work";
    /** Memory for the supervisor, which the job's limit is not meant for. */
    private static final long OWN_MEMORY = 64 << 20;

    /** The supervisor, and what starts it. */
    private static final int OWN_PROCESSES = 4;

    /** Podman would fill it with what the image has there. */
    private static final String EMPTY = ",notmpcopyup";

    private static final int MOST_FILES = 100_000;

    /** What a field of CSV holds only in quotes. */
    private static final Pattern SPLITS = Pattern.compile("[,\"\r\n]");

    /** @param proxy the mount by which the job sees its proxy's socket, if it has one */
    List<String> build(Job job, String name, Optional<String> proxy) {
        List<String> arguments = new ArrayList<>(walled(name, "sandbox", user));
        runtime.ifPresent(chosen -> arguments.addAll(List.of("--runtime", chosen)));
        arguments.addAll(namespaces.arguments(job));
        arguments.addAll(List.of("--network", job.network() == Network.HOST ? "host" : "none"));
        arguments.addAll(limits(job.limits()));
        for (String folder : List.of("/tmp", HOME, WORK)) {
            arguments.addAll(List.of(
                    "--tmpfs", folder + ":" + scratch(folder, job.limits().scratch())));
        }
        // The kernel's view of the host's hardware; and what an image may have kept of its making.
        for (String hidden : List.of("/sys", "/var")) {
            arguments.addAll(List.of("--tmpfs", hidden + ":ro,size=4k,mode=0555" + (engine.isPodman() ? EMPTY : "")));
        }
        for (Mount mount : mounts(job)) {
            arguments.addAll(List.of("--mount", bind(mount)));
        }
        proxy.ifPresent(mount -> arguments.addAll(List.of("--mount", mount)));
        // What the image and the client's own settings would add to the variables is not wanted: env -i.
        arguments.addAll(List.of("--workdir", WORK, "--entrypoint", "/usr/bin/env", image, "-i"));
        arguments.addAll(DockerVariables.reader());
        arguments.addAll(job.argv());
        return arguments;
    }

    /** What all containers have in common. */
    List<String> walled(String name, String host, DockerUser who) {
        List<String> arguments = new ArrayList<>(List.of("run", "--interactive", "--rm"));
        // The supervisor is init, to which the engine's SIGTERM means nothing.
        arguments.addAll(List.of("--stop-signal", "KILL"));
        arguments.addAll(List.of("--pull", "never", "--name", name, "--hostname", host, "--log-driver", "none"));
        arguments.addAll(labels);
        arguments.addAll(List.of("--read-only", "--cap-drop", "ALL"));
        arguments.addAll(List.of("--security-opt", "no-new-privileges:true"));
        arguments.addAll(List.of("--security-opt", "seccomp=" + seccomp));
        arguments.addAll(List.of("--user", who.toString(), "--ipc", "private", "--shm-size", "64m"));
        if (version.hasCgroupNamespaces()) {
            arguments.addAll(List.of("--cgroupns", "private")); // else /proc/self/cgroup tells the container's id
        }
        return arguments;
    }

    private List<String> limits(Limits limits) {
        String memory = Long.toString(limits.memory().bytes() + OWN_MEMORY);
        List<String> arguments = new ArrayList<>(List.of("--memory", memory, "--memory-swap", memory));
        arguments.addAll(List.of("--pids-limit", Integer.toString(limits.processes() + OWN_PROCESSES)));
        limits.cpus().ifPresent(cpus -> arguments.addAll(List.of("--cpus", String.format(Locale.ROOT, "%.2f", cpus))));
        arguments.addAll(List.of("--ulimit", "nofile=" + limits.openFiles() + ":" + limits.openFiles()));
        arguments.addAll(List.of("--ulimit", "core=0:0", "--ulimit", "msgqueue=0:0"));
        if (engine.isPodman()) {
            // It would raise this one to a million, which root can't do everywhere.
            arguments.addAll(List.of("--ulimit", "nproc=32768:32768"));
        }
        return arguments;
    }

    private String scratch(String folder, ByteSize size) {
        String options = "rw,exec,nosuid,nodev,size=" + size.bytes();
        if (engine.isPodman()) {
            return options + ",mode=1777" + EMPTY; // it knows of no bound on files; the supervisor has one
        }
        return options + ",nr_inodes=" + MOST_FILES
                + (folder.equals("/tmp") ? ",mode=1777" : ",mode=0700,uid=" + user.user() + ",gid=" + user.group());
    }

    private List<Mount> mounts(Job job) {
        List<Mount> mounts = new ArrayList<>();
        mounts.add(Mount.readOnly(etc.resolve("passwd"), "/etc/passwd"));
        mounts.add(Mount.readOnly(etc.resolve("group"), "/etc/group"));
        if (job.network() != Network.HOST) {
            // The engine would show the host's name servers.
            mounts.add(Mount.readOnly(etc.resolve("resolv.conf"), "/etc/resolv.conf"));
            mounts.add(Mount.readOnly(etc.resolve("hosts"), "/etc/hosts"));
        }
        mounts.addAll(Mount.of(job));
        return mounts;
    }

    /** A line of CSV, in which paths may hold commas and quotes. */
    static String bind(Mount mount) {
        return "type=bind," + field("src=" + mount.source()) + "," + field("dst=" + inside(mount.target()))
                + (mount.writable() ? "" : ",readonly");
    }

    private static String field(String text) {
        return SPLITS.matcher(text).find() ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    /** Also where the host writes paths in another way. */
    private static String inside(Path target) {
        return target.toString().replace('\\', '/');
    }

    /** The variables of a job, which are not part of the command line. */
    static Map<String, String> environment(Job job) {
        Map<String, String> environment = new HashMap<>(job.environment());
        environment.put("HOME", HOME);
        environment.put("TMPDIR", "/tmp");
        return environment;
    }
}
