package dev.pysandbox.cli.terminal;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi.Style;

/** Colours on a terminal; plain text elsewhere. */
public record Colours(boolean wanted) {
    private static final Pattern LABEL = Pattern.compile("^[^:]{1,40}:");

    public static Colours of(Terminal terminal) {
        return new Colours(terminal.colours());
    }

    /** Colours the first line of a validation report green or red. */
    public String verdict(String text) {
        String stripped = text.stripTrailing();
        int end = stripped.indexOf('\n') < 0 ? stripped.length() : stripped.indexOf('\n');
        return paint(stripped.startsWith("VALID") ? Style.fg_green : Style.fg_red, stripped.substring(0, end))
                + stripped.substring(end);
    }

    /** Prints labels at the start of lines in bold, and remedies in yellow. */
    public String labels(String text, List<String> remedies) {
        return text.stripTrailing()
                .lines()
                .map(line -> remedies.contains(line)
                        ? paint(Style.fg_yellow, line)
                        : LABEL.matcher(line).replaceFirst(label -> paint(Style.bold, label.group())))
                .collect(Collectors.joining("\n"));
    }

    private String paint(Style style, String text) {
        return wanted ? style.on() + text + Style.reset.on() : text;
    }
}
