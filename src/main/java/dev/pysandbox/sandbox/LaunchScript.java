package dev.pysandbox.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Does what a Java program can't do for its child: joins control groups and opens a file, then becomes the command. */
final class LaunchScript {
    /** The file to open, groups to join up to "--", then the command. */
    private static final String SCRIPT = "file=$1; shift; {"
            // When the whole machine runs out of memory, scripts go first; root's word can't be taken back inside.
            + " echo 500 >/proc/self/oom_score_adj;"
            + " while [ \"$1\" != -- ]; do echo 0 >\"$1\"; shift; done; } 2>/dev/null; shift;"
            + " exec \"$@\" " + BubblewrapCommand.SECCOMP_DESCRIPTOR + "<\"$file\"";

    private LaunchScript() {}

    static List<String> wrap(Path opened, List<Path> doors, List<String> command) {
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "sh", opened.toString()));
        doors.forEach(door -> argv.add(door.toString()));
        argv.add("--");
        argv.addAll(command);
        return argv;
    }
}
