package dev.pysandbox.environment.install;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UvProgressTest {
    @Test
    void reportsWhatUvIsDoing() {
        List<String> steps = new ArrayList<>();
        UvProgress progress = new UvProgress(steps::add);
        send(progress, "Using Python 3.13\nResolved 2 packages in 5ms\nDownloading numpy (15.9MiB)\nDownl");
        send(progress, "oading six (512.0KiB)\n Downloaded numpy\nPrepared 2 packages in 1s\n + six==1\n");
        assertEquals(
                List.of(
                        "resolved 2 packages",
                        "downloading numpy (0.0 of 15.9 MiB)",
                        "downloading six (0.0 of 16.4 MiB)",
                        "downloading numpy done (15.9 of 16.4 MiB)",
                        "installing 2 packages"),
                steps);
    }

    @Test
    void ignoresNumbersThatAreNone() {
        List<String> steps = new ArrayList<>();
        send(new UvProgress(steps::add), "Downloading x (1.2.3MiB)\nDownloading x (" + "9".repeat(400) + "MiB)\n");
        assertEquals(List.of(), steps);
    }

    @Test
    void reportsNoMoreThanAPersonCouldRead() {
        List<String> steps = new ArrayList<>();
        send(new UvProgress(steps::add), "Building x\n".repeat(5000));
        assertEquals(1000, steps.size());
    }

    private static void send(UvProgress progress, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        progress.accept(bytes, bytes.length);
    }
}
