package dev.pysandbox.hints;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parses Python tracebacks. */
final class Traceback {
    private static final Pattern OWN_LINE = Pattern.compile("script\\.py\", line \\d.*+\\n {4}(.++)\\n");

    private static final Pattern FROM = Pattern.compile("\\bfrom ([\\w.]++) import (\\w++)|\\bimport ([\\w.]++)");

    private Traceback() {}

    /** Returns the last line of the script in the traceback, or an empty string. */
    static String lastLine(String stderr) {
        return OWN_LINE.matcher(stderr)
                .results()
                .reduce((first, second) -> second)
                .map(match -> match.group(1).strip())
                .orElse("");
    }

    /** Returns the modules that this line imports, as dotted names, longest first. */
    static Stream<String> imported(String stderr) {
        return FROM.matcher(lastLine(stderr))
                .results()
                .flatMap(match -> match.group(1) == null
                        ? Stream.of(match.group(3))
                        : Stream.of(match.group(1) + "." + match.group(2), match.group(1)));
    }
}
