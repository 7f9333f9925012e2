package dev.pysandbox.mcp.render;

import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.Status;
import java.util.List;
import java.util.Optional;

/** Finds the sentence for which network libraries write thousands of characters of chained tracebacks. */
final class LongTraceback {
    private static final int LONG = 1500;
    private static final int LONGEST_SENTENCE = 500;
    private static final List<String> NETWORK_LIBRARIES = List.of(
            "/urllib/", "/urllib3/", "/requests/", "/http/", "/httpx/", "/httpcore/", "/aiohttp/", "/botocore/");

    private LongTraceback() {}

    /** Returns the exception that ended a script, if its traceback is long and went through a network library. */
    static Optional<String> sentence(ExecutionResult result) {
        String stderr = result.stderr().text().stripTrailing();
        String last = stderr.substring(stderr.lastIndexOf('\n') + 1);
        if (result.status() != Status.SCRIPT_ERROR
                || stderr.length() < LONG
                || !isException(last)
                || stderr.lines().noneMatch(LongTraceback::isInNetworkLibrary)) {
            return Optional.empty();
        }
        String line = VisibleText.line(last);
        return Optional.of(line.length() <= LONGEST_SENTENCE ? line : line.substring(0, LONGEST_SENTENCE) + "…");
    }

    /** Returns whether a line is a class and its message, such as {@code socket.timeout: timed out}. */
    private static boolean isException(String line) {
        String name = line.split(":", 2)[0];
        return !name.isEmpty()
                && Character.isJavaIdentifierStart(name.charAt(0))
                && name.chars().allMatch(c -> c == '.' || Character.isJavaIdentifierPart(c));
    }

    private static boolean isInNetworkLibrary(String line) {
        return line.startsWith("  File \"") && NETWORK_LIBRARIES.stream().anyMatch(line::contains);
    }
}
