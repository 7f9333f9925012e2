package dev.pysandbox.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.support.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailedDownloadTest {
    private static final Map<String, String> SETTINGS = Map.of("HTTPS_PROXY", "http://me:secret@proxy");

    @TempDir
    Path temp;

    private Host host;

    @BeforeEach
    void here() {
        host = Host.current(temp);
    }

    @Test
    void saysWhyAndUntilWhenAndHowToTryAtOnce() {
        Instant before = Instant.now();
        FailedDownload.of("python-3.99", SETTINGS, host).remember("no route");
        String message =
                FailedDownload.of("python-3.99", SETTINGS, host).recall().orElseThrow();
        assertTrue(message.startsWith("no route; "), message);
        assertTrue(message.endsWith("run: java -jar sandbox.jar warm"), message);
        Matcher until = Pattern.compile("tried again after (\\S+Z)").matcher(message);
        assertTrue(until.find(), message);
        Duration left = Duration.between(before, Instant.parse(until.group(1)));
        assertTrue(left.compareTo(FailedDownload.RETRY_AFTER.minusSeconds(2)) > 0, message);
        assertTrue(left.compareTo(FailedDownload.RETRY_AFTER.plusSeconds(60)) < 0, message);
    }

    @Test
    void otherSettingsAndOtherVersionsAreTriedAtOnce() {
        FailedDownload.of("python-3.99", SETTINGS, host).remember("no route");
        Map<String, String> changed = Map.of("HTTPS_PROXY", "http://other");
        assertEquals(
                Optional.empty(),
                FailedDownload.of("python-3.99", changed, host).recall());
        assertEquals(
                Optional.empty(),
                FailedDownload.of("python-3.98", SETTINGS, host).recall());
    }

    @Test
    void isForgotten() {
        FailedDownload failed = FailedDownload.of("python-3.99", SETTINGS, host);
        failed.remember("no route");
        assertTrue(failed.recall().isPresent());
        FailedDownload.forgetAll(host);
        assertEquals(Optional.empty(), failed.recall());
    }

    @Test
    void expires() throws IOException {
        FailedDownload failed = FailedDownload.of("python-3.99", SETTINGS, host);
        failed.remember("no route");
        Path file = failed.entry().file();
        Files.writeString(file, Files.readString(file).replaceAll("(?m)^(written|expires)=.*$", "$1=1000"));
        assertEquals(Optional.empty(), failed.recall());
    }

    @Test
    void writesNoCredentials() throws IOException {
        FailedDownload failed = FailedDownload.of("python-3.99", SETTINGS, host);
        failed.remember("no route");
        assertFalse(Files.readString(failed.entry().file()).contains("secret"));
    }
}
