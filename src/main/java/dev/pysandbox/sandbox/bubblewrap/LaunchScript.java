package dev.pysandbox.sandbox.bubblewrap;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A shell script that joins control groups, sets limits, opens files and then executes the command. Java can't do this
 * for a child process.
 */
final class LaunchScript {
    /** Arguments: filter file, options file, limit of open files, files of the groups to join, "--", the command. */
    private static final String SCRIPT = "filter=$1 options=$2 most=$3; shift 3;"
            // If the machine runs out of memory, the kernel kills scripts first. A score set by root can't be lowered
            // inside.
            + " { echo 500 >/proc/self/oom_score_adj; ulimit -c 0; ulimit -n \"$most\"; } 2>/dev/null;"
            // Fails if it can't join: the process would not be limited.
            + " while [ \"$1\" != -- ]; do echo 0 >\"$1\" || exit 125; shift; done; shift;"
            + " exec \"$@\" " + BubblewrapCommand.SECCOMP_DESCRIPTOR + "<\"$filter\" "
            + BubblewrapCommand.OPTIONS_DESCRIPTOR + "<\"$options\"";

    private LaunchScript() {}

    /** @param groups the files of control groups to which a process writes 0 to join */
    static List<String> wrap(Path filter, Path options, int openFiles, List<Path> groups, List<String> command) {
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "sh"));
        argv.addAll(List.of(filter.toString(), options.toString(), Integer.toString(openFiles)));
        groups.forEach(file -> argv.add(file.toString()));
        argv.add("--");
        argv.addAll(command);
        return argv;
    }
}
