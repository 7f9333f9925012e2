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
                Optional.of(new UvAnswer.MissingVersion("six", "99.0")),
                failed("Because there is no version of six==99.0 and you require six==99.0, no.")
                        .missingVersion());
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
