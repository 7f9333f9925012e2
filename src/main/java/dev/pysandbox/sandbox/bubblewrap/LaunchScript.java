package dev.pysandbox.sandbox.bubblewrap;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Does what a Java program can't do for its child: joins control groups, sets limits and opens files, then becomes the
 * command.
 */
final class LaunchScript {
    /** The files to open, how many the command may open itself, groups to join up to "--", then the command. */
    private static final String SCRIPT = "filter=$1 options=$2 most=$3; shift 3;"
            // When the whole machine runs out of memory, scripts go first; root's word can't be taken back inside.
            + " { echo 500 >/proc/self/oom_score_adj; ulimit -c 0; ulimit -n \"$most\"; } 2>/dev/null;"
            // A process outside the group is not limited.
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
