package dev.pysandbox.sandbox;

import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.egress.EgressPolicy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A command to run in a sandbox, with the files, variables, limits and network that it gets.
 *
 * @param environment all environment variables of the process except HOME and TMPDIR, which every sandbox sets
 * @param egress which hosts can be reached; used only if the network is {@link Network#INTERNET}
 * @param priority the share of the processors, compared with other jobs and the host's processes
 */
public record Job(
        List<String> argv,
        List<Volume> volumes,
        Map<String, String> environment,
        Limits limits,
        Network network,
        EgressPolicy egress,
        Priority priority) {

    /** The most files in each of its writable folders. */
    public static final int MOST_FILES = 100_000;

    /** A share of the processors. */
    public enum Priority {
        NORMAL,
        /** A quarter of the normal share, if the backend supports it. */
        LOW
    }

    public Job {
        argv = List.copyOf(argv);
        volumes = List.copyOf(volumes);
        environment = Map.copyOf(environment);
    }

    /** A job with normal priority. */
    public Job(
            List<String> argv,
            List<Volume> volumes,
            Map<String, String> environment,
            Limits limits,
            Network network,
            EgressPolicy egress) {
        this(argv, volumes, environment, limits, network, egress, Priority.NORMAL);
    }

    public Job withPriority(Priority changed) {
        return new Job(argv, volumes, environment, limits, network, egress, changed);
    }

    /** Returns the variables with HOME and TMPDIR, sorted by name. */
    public Map<String, String> environment(String home, String temporary) {
        Map<String, String> all = new TreeMap<>(environment);
        all.put("HOME", home);
        all.put("TMPDIR", temporary);
        return all;
    }
}
