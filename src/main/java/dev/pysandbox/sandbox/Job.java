package dev.pysandbox.sandbox;

import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.egress.EgressPolicy;
import java.util.List;
import java.util.Map;

/**
 * A command to run in a sandbox, with the files, variables, limits and network that it gets.
 *
 * @param environment all environment variables of the process except HOME and TMPDIR, which every sandbox sets
 * @param egress which hosts can be reached; used only if the network is {@link Network#INTERNET}
 */
public record Job(
        List<String> argv,
        List<Volume> volumes,
        Map<String, String> environment,
        Limits limits,
        Network network,
        EgressPolicy egress) {

    public Job {
        argv = List.copyOf(argv);
        volumes = List.copyOf(volumes);
        environment = Map.copyOf(environment);
    }
}
