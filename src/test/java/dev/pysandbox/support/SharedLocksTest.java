package dev.pysandbox.support;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedLocksTest {
    @TempDir
    Path folder;

    private SharedLocks locks;

    @BeforeEach
    void open() throws IOException {
        locks = SharedLocks.in(folder.resolve("locks"));
    }

    @Test
    void oneIsAloneUntilItLeaves() throws IOException {
        SharedLocks.Held first = locks.tryExclusive("thing").orElseThrow();
        assertTrue(locks.tryExclusive("thing").isEmpty());
        assertTrue(locks.tryExclusive("other").isPresent());
        first.close();
        assertTrue(locks.tryExclusive("thing").isPresent());
    }

    @Test
    void manyShareUntilTheLastLeaves() throws Exception {
        SharedLocks.Held first = locks.shared("thing");
        SharedLocks.Held second = locks.shared("thing");
        first.close();
        first.close(); // the second call has no effect
        assertFalse(locks.tryExclusive("thing").isPresent());
        second.close();
        assertTrue(locks.tryExclusive("thing").isPresent());
    }

    @Test
    void anInterruptDoesNotCostTheOtherLocks() throws Exception {
        SharedLocks.Held held = locks.tryExclusive("thing").orElseThrow();
        Thread.currentThread().interrupt();
        assertTrue(locks.tryExclusive("other").isPresent());
        assertTrue(Thread.interrupted());
        assertTrue(locks.tryExclusive("thing").isEmpty());
        held.close();
    }

    @Test
    void aFolderHasOneSetOfLocksUntilItIsEmptied() throws IOException {
        assertSame(locks, SharedLocks.in(folder.resolve("locks")));
        Folders.delete(folder.resolve("locks"));
        assertNotSame(locks, SharedLocks.in(folder.resolve("locks")));
    }
}
