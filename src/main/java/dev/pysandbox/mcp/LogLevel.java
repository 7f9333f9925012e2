package dev.pysandbox.mcp;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How much a log message matters, least first. */
enum LogLevel {
    DEBUG,
    INFO,
    NOTICE,
    WARNING,
    ERROR,
    CRITICAL,
    ALERT,
    EMERGENCY;

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<LogLevel> of(@Nullable Object wireName) {
        return Arrays.stream(values())
                .filter(level -> level.wireName().equals(wireName))
                .findFirst();
    }
}
