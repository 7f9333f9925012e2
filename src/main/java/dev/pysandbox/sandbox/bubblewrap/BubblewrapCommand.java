package dev.pysandbox.sandbox.bubblewrap;

import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.local.Mount;
import dev.pysandbox.sandbox.local.PrivateFolders;
import dev.pysandbox.sandbox.local.SyntheticEtc;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds the bwrap arguments of a job: a command line, which every local user can read, and options, which contain the
 * values of variables and which bwrap therefore reads from a file descriptor.
 *
 * @param system arguments that mount the system's programs and libraries
 * @param etc what is mounted at /etc
 * @param seccomp the filter file that the launcher opens; empty if there is no filter for this architecture
 * @param prlimit the program that limits the number of processes before the supervisor does; empty if a control group
 *     limits them
 * @param bounded whether this bwrap can limit the size of a tmpfs and forbid further user namespaces (since 0.8.0)
 */
record BubblewrapCommand(
        Path bwrap,
        List<String> system,
        SyntheticEtc etc,
        Optional<Path> seccomp,
        Optional<Path> prlimit,
        boolean bounded) {

    /** The descriptor on which the launcher opens the seccomp filter. */
    static final String SECCOMP_DESCRIPTOR = "9";

    /** The descriptor on which the launcher opens the options. */
    static final String OPTIONS_DESCRIPTOR = "8";

    /** Added for the supervisor and the programs that start it. Old kernels also count other processes of the user. */
    private static final int OWN_PROCESSES = 64;

    private static final List<String> HOMES = List.of("/root", "/home", "/opt");

    private static final String PROCESSORS = "/sys/devices/system/cpu";

    List<String> commandLine(Job job) {
        List<String> arguments = new ArrayList<>(List.of(bwrap.toString(), "--args", OPTIONS_DESCRIPTOR, "--"));
        prlimit.ifPresent(program -> arguments.addAll(limited(program, job.limits())));
        arguments.addAll(job.argv());
        return arguments;
    }

    List<String> options(Job job, List<Mount> mounts) {
        List<String> arguments = new ArrayList<>(namespaces(job.network()));
        arguments.addAll(system);
        arguments.addAll(etc(job.network()));
        arguments.addAll(kernelFolders());
        arguments.addAll(scratch(job.limits(), "1777", PrivateFolders.TEMPORARY));
        arguments.addAll(scratch(job.limits(), "0700", PrivateFolders.HOME));
        arguments.addAll(scratch(job.limits(), "0700", PrivateFolders.WORK));
        for (Mount mount : mounts) {
            arguments.addAll(unlistedParents(mount.target()));
            arguments.addAll(List.of(
                    mount.writable() ? "--bind" : "--ro-bind",
                    mount.source().toString(),
                    mount.target().toString()));
        }
        // Otherwise the root is a writable tmpfs of half the machine's memory.
        arguments.addAll(List.of("--remount-ro", "/", "--chdir", PrivateFolders.WORK));
        job.environment(PrivateFolders.HOME, PrivateFolders.TEMPORARY)
                .forEach((name, value) -> arguments.addAll(List.of("--setenv", name, value)));
        seccomp.ifPresent(filter -> arguments.addAll(List.of("--seccomp", SECCOMP_DESCRIPTOR)));
        return arguments;
    }

    private List<String> namespaces(Network network) {
        List<String> arguments = new ArrayList<>(List.of("--unshare-all", "--unshare-user"));
        if (network == Network.HOST) {
            arguments.add("--share-net");
        }
        if (bounded) {
            arguments.add("--disable-userns");
        }
        // --new-session: CVE-2017-5226. --as-pid-1: the supervisor is init, so nothing inside can signal it.
        arguments.addAll(List.of("--new-session", "--die-with-parent", "--as-pid-1", "--cap-drop", "ALL"));
        arguments.addAll(List.of("--clearenv", "--hostname", "sandbox", "--uid", "1000", "--gid", "1000"));
        return arguments;
    }

    private List<String> etc(Network network) {
        List<String> arguments =
                new ArrayList<>(List.of("--ro-bind", etc.folder().toString(), "/etc"));
        for (String name : etc.shared()) {
            arguments.addAll(List.of("--ro-bind-try", "/etc/" + name, "/etc/" + name));
        }
        if (network == Network.HOST) {
            arguments.addAll(List.of("--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf"));
            arguments.addAll(List.of("--ro-bind-try", "/etc/hosts", "/etc/hosts"));
        }
        return arguments;
    }

    private List<String> kernelFolders() {
        List<String> arguments = new ArrayList<>(List.of("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"));
        // Hides the supervisor's memory and descriptors.
        arguments.addAll(tmpfs(4096, "0555", "/proc/1"));
        arguments.addAll(List.of("--remount-ro", "/proc/1"));
        // Numeric libraries read the number of processors here; /proc/cpuinfo shows it too.
        arguments.addAll(List.of("--ro-bind-try", PROCESSORS, PROCESSORS));
        arguments.addAll(List.of("--dev", "/dev"));
        arguments.addAll(tmpfs(64 << 20, "1777", "/dev/shm"));
        arguments.addAll(List.of("--remount-ro", "/dev"));
        return arguments;
    }

    /** Creates the folders above a mount in a home folder so that a script can pass through them, but not list them. */
    private static List<String> unlistedParents(Path target) {
        List<String> arguments = new ArrayList<>();
        if (HOMES.stream().anyMatch(target::startsWith)) {
            for (int names = 1; names < target.getNameCount(); names++) {
                arguments.addAll(List.of("--perms", "0111", "--dir", "/" + target.subpath(0, names)));
            }
        }
        return arguments;
    }

    private List<String> scratch(Limits limits, String permissions, String path) {
        return tmpfs(limits.scratch().bytes(), permissions, path);
    }

    private List<String> tmpfs(long size, String permissions, String path) {
        return bounded
                ? List.of("--size", Long.toString(size), "--perms", permissions, "--tmpfs", path)
                : List.of("--perms", permissions, "--tmpfs", path);
    }

    /** Returns a prlimit command that runs inside the sandbox. The supervisor sets a lower limit for the script. */
    private static List<String> limited(Path program, Limits limits) {
        return List.of(program.toString(), "--nproc=" + (limits.processes() + OWN_PROCESSES), "--msgqueue=0", "--");
    }
}
