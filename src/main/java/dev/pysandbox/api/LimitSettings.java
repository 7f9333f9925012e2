package dev.pysandbox.api;

import static dev.pysandbox.settings.InvalidSettingException.expect;
import static dev.pysandbox.settings.InvalidSettingException.property;

import dev.pysandbox.api.Config.Policy;
import dev.pysandbox.settings.Settable;
import dev.pysandbox.settings.SettingGroup;
import dev.pysandbox.support.ByteSize;
import java.time.Duration;
import java.util.OptionalDouble;

/** The settings that limit scripts. */
public record LimitSettings(
        Policy policy,
        Duration defaultTimeout,
        Duration maxTimeout,
        long maxOutputBytes,
        ByteSize maxMemory,
        int maxProcesses,
        OptionalDouble maxCpus,
        ByteSize tmpSize)
        implements SettingGroup {

    static LimitSettings defaults(Policy policy) {
        return new LimitSettings(
                policy,
                Duration.ofSeconds(30),
                policy.maxTimeout(),
                policy.outputBytes(),
                policy.memory(),
                128,
                OptionalDouble.empty(),
                ByteSize.parse("512m"));
    }

    public LimitSettings {
        expect(maxTimeout.toSeconds() >= 1, "maxTimeout", "must be at least 1 second, got ", maxTimeout.toSeconds());
        expect(
                defaultTimeout.toSeconds() >= 1 && defaultTimeout.compareTo(maxTimeout) <= 0,
                "defaultTimeout",
                "must be between 1 and ",
                property("maxTimeout"),
                " (" + maxTimeout.toSeconds() + " seconds), got ",
                defaultTimeout.toSeconds());
        expect(maxOutputBytes >= 1024, "maxOutputBytes", "must be at least 1024, got ", maxOutputBytes);
        expect(maxMemory.bytes() >= 32 << 20, "maxMemory", "must be at least 32m, got ", maxMemory);
        expect(maxProcesses >= 1, "maxProcesses", "must be at least 1, got ", maxProcesses);
        expect(
                maxCpus.isEmpty() || maxCpus.getAsDouble() > 0,
                "maxCpus",
                "must be more than 0, got ",
                maxCpus.orElse(0));
        expect(tmpSize.bytes() >= 1 << 20, "tmpSize", "must be at least 1m, got ", tmpSize);
        policy.check(maxMemory, maxTimeout, maxOutputBytes);
    }

    /** Returns the limits of one script's sandbox. */
    public Limits perScript() {
        return new Limits(maxMemory, maxProcesses, maxCpus, policy.openFiles(), tmpSize);
    }

    /** The methods of the builder for these settings. */
    public interface Setters extends Settable<PythonSandboxBuilder> {
        /** Sets which scripts are accepted. The restricted policy also has lower limits. */
        default PythonSandboxBuilder policy(Policy policy) {
            return set("policy", policy);
        }

        /** Sets the timeout of requests without one. */
        default PythonSandboxBuilder defaultTimeout(Duration timeout) {
            return set("defaultTimeout", timeout);
        }

        /** Sets the longest timeout of a request. */
        default PythonSandboxBuilder maxTimeout(Duration timeout) {
            return set("maxTimeout", timeout);
        }

        /** Sets how many bytes are kept of each stream. */
        default PythonSandboxBuilder maxOutputBytes(long bytes) {
            return set("maxOutputBytes", bytes);
        }

        /** Sets the memory limit of a script and all its processes. */
        default PythonSandboxBuilder maxMemory(ByteSize memory) {
            return set("maxMemory", memory);
        }

        /** Sets the limit of processes and threads of a script. */
        default PythonSandboxBuilder maxProcesses(int processes) {
            return set("maxProcesses", processes);
        }

        /** Sets how many processors a script may use. */
        default PythonSandboxBuilder maxCpus(double cpus) {
            return set("maxCpus", cpus);
        }

        /** Sets the size of each folder that a script can write to. */
        default PythonSandboxBuilder tmpSize(ByteSize size) {
            return set("tmpSize", size);
        }
    }
}
