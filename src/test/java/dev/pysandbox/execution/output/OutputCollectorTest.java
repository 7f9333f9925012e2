package dev.pysandbox.execution.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.ExecutionListener;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class OutputCollectorTest {
    private final HeldBytes held = new HeldBytes(100);

    private OutputCollector recorder() {
        return new OutputCollector(1000, ExecutionListener.NONE, () -> {}, Optional.empty(), held);
    }

    @Test
    void allCallsTogetherHoldNoMoreThanTheBound() {
        try (OutputCollector first = recorder();
                OutputCollector second = recorder()) {
            first.file("a.bin", new byte[60]);
            second.file("b.bin", new byte[60]);
            second.file("c.bin", new byte[30]);
            assertEquals(List.of(), first.failures());
            assertEquals(
                    List.of(0, 30),
                    second.files().stream().map(file -> file.content().length).toList());
            assertEquals(60, second.files().get(0).size());
            assertTrue(second.failures().get(0).startsWith("the content of 1 file is not returned"));
        }
    }

    @Test
    void whatComesAfterTheEndIsNotHeld() {
        OutputCollector first = recorder();
        first.close();
        first.file("a.bin", new byte[100]);
        try (OutputCollector second = recorder()) {
            second.file("b.bin", new byte[100]);
            assertEquals(List.of(), second.failures());
        }
    }

    @Test
    void aClosedCallGivesItsShareBack() {
        try (OutputCollector first = recorder()) {
            first.file("a.bin", new byte[100]);
        }
        try (OutputCollector second = recorder()) {
            second.file("b.bin", new byte[100]);
            assertEquals(List.of(), second.failures());
        }
    }
}
