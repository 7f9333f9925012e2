package dev.pysandbox.environment.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.supervisor.TaskResult;
import dev.pysandbox.support.ByteSize;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UvAnswerTest {
    @Test
    void leavesOutWhatUvSaysWhileItWorks() {
        assertEquals(
                "The dependencies can't be installed: it is broken",
                failed("Using Python 3.13\n\n  Downloading x (1.0MiB)\n Downloaded x\nerror: it is broken\n")
                        .explanation());
    }

    @Test
    void findsTheVersionThatDoesNotExist() {
        assertEquals(
                Optional.of(new UvAnswer.MissingVersion("six", "99.0", false)),
                failed("Because there is no version of six==99.0 and you require six==99.0, no.")
                        .missingVersion());
    }

    @Test
    void findsTheVersionWithoutAWheel() {
        assertEquals(
                Optional.of(new UvAnswer.MissingVersion("scipy", "1.7.0", true)),
                failed("Because scipy==1.7.0 has no usable wheels and you require scipy==1.7.0, no.")
                        .missingVersion());
    }

    @Test
    void keepsTheLastLinesOfABuild() {
        String log = "line\n".repeat(100) + "Error: pg_config executable not found.\n";
        String explanation = failed(
                        "error: Failed to build `x==1`\n  cause: it failed\n\n[stdout]\nrunning\n\n[stderr]\n" + log
                                + "\nhint: Build failures usually indicate a problem with the package.\n")
                .explanation();
        assertTrue(explanation.startsWith(
                "The dependencies can't be installed: Failed to build `x==1` cause: it failed\n"));
        assertTrue(explanation.endsWith("\n  line\n  Error: pg_config executable not found."), explanation);
        assertTrue(explanation.length() < 500, explanation);
    }

    @Test
    void findsWhatWouldBeInstalled() {
        assertEquals(
                Optional.of("1.17.0"),
                failed("Would install 1 package\n + six==1.17.0\n").wouldInstall("six"));
    }

    /** Takes minutes with a pattern that is not linear; {@code PatternTable} prints the times. */
    @Test
    void readsLinesOfBlanks() {
        UvAnswer answer =
                failed("\n".repeat(1 << 19) + " ".repeat(1 << 19) + "there is no version of ".repeat(1 << 12));
        assertTrue(answer.explanation().startsWith("The dependencies can't be installed"));
        assertTrue(answer.missingVersion().isEmpty());
        assertTrue(answer.wouldInstall("six").isEmpty());
    }

    private static UvAnswer failed(String said) {
        TaskResult ending = new TaskResult(1, Duration.ZERO, new ByteSize(0), false, false, 0, false);
        return new UvAnswer(ending, said, List.of(), Optional.empty());
    }
}
