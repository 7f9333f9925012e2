package dev.pysandbox.sandbox;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.support.ByteSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ActivityTest {
    private static final Path FIRST = Path.of("/proc/1");
    private static final Path SECOND = Path.of("/proc/2");

    private final Activity before = activity(Set.of(FIRST, SECOND), 100, "20m");

    private static Activity activity(Set<Path> processes, int cpuMillis, String resident) {
        return new Activity(processes, Duration.ofMillis(cpuMillis), ByteSize.parse(resident));
    }

    @Test
    void aMomentOfWorkIsRest() {
        assertTrue(activity(Set.of(FIRST, SECOND), 120, "21m").isRestSince(before));
        assertTrue(activity(Set.of(FIRST), 90, "10m").isRestSince(before));
    }

    @Test
    void cpuTimeIsNoRest() {
        assertFalse(activity(Set.of(FIRST, SECOND), 300, "20m").isRestSince(before));
    }

    @Test
    void moreMemoryIsNoRest() {
        assertFalse(activity(Set.of(FIRST, SECOND), 100, "60m").isRestSince(before));
    }
}
