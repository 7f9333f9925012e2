package dev.pysandbox.cli;

import java.util.ArrayList;
import java.util.List;

/** The values that shell completion offers for options, spelled as in the help. */
final class OptionCandidates {
    private OptionCandidates() {}

    static final class Backends extends ArrayList<String> {
        Backends() {
            super(List.of("native", "docker", "none"));
        }
    }

    static final class Networks extends ArrayList<String> {
        Networks() {
            super(List.of("none", "internet", "host"));
        }
    }

    static final class Policies extends ArrayList<String> {
        Policies() {
            super(List.of("open", "restricted"));
        }
    }

    static final class LogLevels extends ArrayList<String> {
        LogLevels() {
            super(List.of("error", "warn", "info", "debug"));
        }
    }
}
