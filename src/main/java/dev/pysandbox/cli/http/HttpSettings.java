package dev.pysandbox.cli.http;

import static dev.pysandbox.settings.InvalidSettingException.expect;

import dev.pysandbox.settings.PropertyName;
import dev.pysandbox.settings.SettingGroup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the server is reached by HTTP. Addresses are checked when the server starts, so that no other start loads the
 * classes for it.
 */
public record HttpSettings(
        @PropertyName("http") Optional<String> address, List<String> allowOrigins, boolean httpSse, Duration drain)
        implements SettingGroup {
    public HttpSettings {
        expect(!drain.isNegative(), "drain", "must be at least 0 seconds, got ", drain.toSeconds());
    }

    public static HttpSettings defaults() {
        return new HttpSettings(Optional.empty(), List.of(), false, Duration.ofSeconds(20));
    }
}
