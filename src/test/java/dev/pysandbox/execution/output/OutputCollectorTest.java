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
    void hasAValueOnlyIfNothingWasPrinted() {
        OutputCollector silent = recorder();
        silent.output(ExecutionListener.Stream.STDERR, new byte[] {'e'}, 1);
        silent.value("42");
        assertEquals(Optional.of("42"), silent.value());
        silent.output(ExecutionListener.Stream.STDOUT, new byte[] {'o'}, 1);
        assertEquals(Optional.empty(), silent.value());
    }

    @Test
    void documentsHaveATypeWithoutAFileOfTheSystem() {
        try (OutputCollector collector = recorder()) {
            for (String name : List.of("a.docx", "b.XLSX", "c.pptx", "d.sqlite", "e.parquet", "f.pdf")) {
                collector.fileNotSent(name, 1);
            }
            assertTrue(
                    collector.files().stream().noneMatch(file -> file.mimeType().equals("application/octet-stream")));
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
