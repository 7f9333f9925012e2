package dev.pysandbox.environment.install;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UvProgressTest {
    @Test
    void tellsWhatUvIsDoing() {
        List<String> heard = new ArrayList<>();
        UvProgress progress = new UvProgress(heard::add);
        progress.accept("Using Python 3.13\nResolved 2 packages in 5ms\nDownloading numpy (15.9MiB)\nDownl");
        progress.accept("oading six (512.0KiB)\n Downloaded numpy\nPrepared 2 packages in 1s\n + six==1\n");
        assertEquals(
                List.of(
                        "resolved 2 packages",
                        "downloading numpy (0.0 of 15.9 MiB)",
                        "downloading six (0.0 of 16.4 MiB)",
                        "downloading numpy done (15.9 of 16.4 MiB)",
                        "installing 2 packages"),
                heard);
    }

    @Test
    void ignoresNumbersThatAreNone() {
        List<String> heard = new ArrayList<>();
        new UvProgress(heard::add).accept("Downloading x (1.2.3MiB)\nDownloading x (" + "9".repeat(400) + "MiB)\n");
        assertEquals(List.of(), heard);
    }

    @Test
    void tellsNoMoreThanAPersonCouldRead() {
        List<String> heard = new ArrayList<>();
        new UvProgress(heard::add).accept("Building x\n".repeat(5000));
        assertEquals(1000, heard.size());
    }
}
