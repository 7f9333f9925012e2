package dev.pysandbox.environment.install;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Derives progress messages from the lines that uv prints without a terminal. */
final class UvProgress {
    private static final Pattern RESOLVED = Pattern.compile("Resolved (\\d+ packages?) in .*");
    private static final Pattern DOWNLOADING =
            Pattern.compile("\\s*+Downloading (\\S+) \\((\\d{1,9}(?:\\.\\d{1,9})?)([KMG])iB\\)");
    private static final Pattern DOWNLOADED = Pattern.compile("\\s*+Downloaded (\\S+)");
    private static final Pattern BUILDING = Pattern.compile("\\s*+Building (\\S+)");
    private static final Pattern PREPARED = Pattern.compile("Prepared (\\d+ packages?) in .*");
    private static final int LONGEST_LINE = 1000;

    /** The most messages, because a build can print lines like uv's for minutes. */
    private static final int MOST_STEPS = 1000;

    private final Consumer<String> progress;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final Map<String, Double> sizes = new HashMap<>();
    private double wanted;
    private double arrived;
    private int steps;

    UvProgress(Consumer<String> progress) {
        this.progress = progress;
    }

    /** Receives output. Decodes whole lines, because a character may be split between two pieces. */
    void accept(byte[] bytes, int length) {
        for (int at = 0; at < length; at++) {
            if (bytes[at] == '\n') {
                if (steps < MOST_STEPS) {
                    read(line.toString(StandardCharsets.UTF_8));
                }
                line.reset();
            } else if (line.size() < LONGEST_LINE) {
                line.write(bytes[at]);
            }
        }
    }

    private void report(String step) {
        steps++;
        progress.accept(step);
    }

    private void read(String output) {
        Matcher matcher = RESOLVED.matcher(output);
        if (matcher.matches()) {
            report("resolved " + matcher.group(1));
        } else if (matcher.usePattern(DOWNLOADING).matches()) {
            double size = mebibytes(matcher.group(2), matcher.group(3));
            sizes.put(matcher.group(1), size);
            wanted += size;
            report(downloading(matcher.group(1)));
        } else if (matcher.usePattern(DOWNLOADED).matches()) {
            arrived += sizes.getOrDefault(matcher.group(1), 0.0);
            report(downloading(matcher.group(1) + " done"));
        } else if (matcher.usePattern(BUILDING).matches()) {
            report("building " + matcher.group(1));
        } else if (matcher.usePattern(PREPARED).matches()) {
            report("installing " + matcher.group(1));
        }
    }

    private String downloading(String what) {
        return String.format(Locale.ROOT, "downloading %s (%.1f of %.1f MiB)", what, arrived, wanted);
    }

    private static double mebibytes(String number, String unit) {
        double value = Double.parseDouble(number);
        return switch (unit) {
            case "K" -> value / 1024;
            case "G" -> value * 1024;
            default -> value;
        };
    }
}
