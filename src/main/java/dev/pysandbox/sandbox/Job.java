package dev.pysandbox.sandbox;

import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.egress.EgressPolicy;
import java.util.List;
import java.util.Map;

/**
 * What is to run in a sandbox, and what it may see and use; how is the sandbox's affair.
 *
 * @param environment all the variables that the process sees, beside those that every sandbox gives: HOME, TMPDIR
 * @param egress which hosts can be reached; only asked when the network is {@link Network#INTERNET}
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
