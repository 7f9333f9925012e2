package dev.pysandbox.mcp.tools;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The levels of log messages, lowest first. */
public enum LogLevel {
    DEBUG,
    INFO,
    NOTICE,
    WARNING,
    ERROR,
    CRITICAL,
    ALERT,
    EMERGENCY;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<LogLevel> of(@Nullable Object wireName) {
        return Arrays.stream(values())
                .filter(level -> level.wireName().equals(wireName))
                .findFirst();
    }
}
