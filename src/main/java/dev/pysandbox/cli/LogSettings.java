package dev.pysandbox.cli;

import dev.pysandbox.settings.SettingGroup;
import java.util.Locale;

/** What the program writes to stderr. */
record LogSettings(Level logLevel) implements SettingGroup {
    /** How much is logged. */
    enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG
    }

    static LogSettings defaults() {
        return new LogSettings(Level.WARN);
    }

    /** Configures the logger, which reads this when it is first used. */
    void apply() {
        System.setProperty(
                "org.slf4j.simpleLogger.defaultLogLevel", logLevel.name().toLowerCase(Locale.ROOT));
    }
}
