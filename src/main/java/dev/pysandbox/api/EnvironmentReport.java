package dev.pysandbox.api;

import java.time.Duration;
import java.util.List;

/**
 * The result of testing what works on this machine.
 *
 * @param probes one line for each test from inside the sandbox, and for data folders and kept files
 * @param remedies the problems, each with the command that fixes it
 */
public record EnvironmentReport(
        String pythonVersion,
        String uv,
        String platform,
        String sandbox,
        String sandboxStatus,
        Duration defaultTimeout,
        Duration maxTimeout,
        long maxOutputBytes,
        boolean cacheWarming,
        List<String> probes,
        List<String> remedies) {

    public EnvironmentReport {
        probes = List.copyOf(probes);
        remedies = List.copyOf(remedies);
    }
}
