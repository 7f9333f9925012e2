package dev.pysandbox.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.environment.install.InstallException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DetachableWorkTest {
    private final DetachableWork work = new DetachableWork();

    @Test
    void passesOnResultsAndFailures() throws Exception {
        assertEquals(3, work.run(() -> 3));
        assertEquals(
                "full",
                assertThrows(
                                IOException.class,
                                () -> work.run(() -> {
                                    throw new IOException("full");
                                }))
                        .getMessage());
        assertThrows(
                InstallException.class,
                () -> work.run(() -> {
                    throw new InstallException("none");
                }));
        assertThrows(
                IllegalArgumentException.class,
                () -> work.run(() -> {
                    throw new IllegalArgumentException("wrong");
                }));
    }

    @Test
    void anInterruptFreesTheCallerWhileTheWorkCleansUp() throws Exception {
        CountDownLatch cleaned = new CountDownLatch(1);
        CountDownLatch mayClean = new CountDownLatch(1);
        Thread.currentThread().interrupt();
        assertThrows(
                InterruptedException.class,
                () -> work.run(() -> {
                    try {
                        new CountDownLatch(1).await();
                        return 0;
                    } catch (InterruptedException e) {
                        mayClean.await();
                        cleaned.countDown();
                        throw e;
                    }
                }));
        assertEquals(1, cleaned.getCount(), "the caller did not wait");
        mayClean.countDown();
        assertTrue(cleaned.await(30, TimeUnit.SECONDS));
        work.close();
    }
}
