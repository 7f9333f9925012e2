package dev.pysandbox.api;

import java.time.Duration;
import java.util.List;

/**
 * What this machine offers, found by trying.
 *
 * @param probes what a process inside the sandbox found, a line each
 * @param remedies the problems that were found, each with the command that fixes it
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
