package dev.pysandbox.environment.install;

import dev.pysandbox.supervisor.TaskResult;
import dev.pysandbox.support.ShortText;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The result of an installation with uv, and its explanation for the caller.
 *
 * @param indexProblem why an index with credentials failed
 */
record UvAnswer(TaskResult result, String output, List<String> refused, Optional<String> indexProblem) {
    private static final Pattern DECORATION = Pattern.compile("[×╰─▶│├┤┬]+");
    private static final String PINNED =
            "([A-Za-z0-9._-]{1,200})(?:\\[[^\\]]{0,200}])?==([A-Za-z0-9.!+-]{0,100}[A-Za-z0-9])";
    private static final Pattern NO_VERSION = Pattern.compile("there is no version of " + PINNED);
    private static final Pattern NO_WHEEL = Pattern.compile("[Bb]ecause " + PINNED + " has no (?:usable )?wheels");

    /** The output of a build, which uv prints below a heading for each stream. */
    private static final Pattern BUILD_OUTPUT = Pattern.compile("\\n *+\\[(?:stdout|stderr)]\\n");

    /** uv's progress messages, which do not belong in an error message. */
    private static final Pattern CHATTER = Pattern.compile(
            "(?m)^(Using Python .*|(Resolved|Prepared|Installed) .*| *+(Building|Built) .*| *+Download(ing|ed) .*)$");

    private static final int LONGEST = 1500;
    private static final int MOST_LINES = 8;
    private static final int LONGEST_LINE = 150;

    boolean succeeded() {
        return result.exitCode() == 0 && !result.timedOut();
    }

    /** Returns whether a package has no usable wheel and must be built. */
    boolean needsBuild() {
        return !succeeded()
                && (output.contains("building from source is disabled") || output.contains("no usable wheels"));
    }

    /**
     * A requested version that can't be installed.
     *
     * @param exists whether it exists, but has no wheel for this Python
     */
    record MissingVersion(String project, String version, boolean exists) {
        /** Returns the similarity of another version: the length of the common prefix. */
        public int likeness(String other) {
            int same = 0;
            while (same < Math.min(version.length(), other.length()) && version.charAt(same) == other.charAt(same)) {
                same++;
            }
            return same;
        }
    }

    Optional<MissingVersion> missingVersion() {
        return missing(NO_VERSION, false).or(() -> missing(NO_WHEEL, true));
    }

    private Optional<MissingVersion> missing(Pattern pattern, boolean exists) {
        return Optional.of(pattern.matcher(output))
                .filter(Matcher::find)
                .map(match -> new MissingVersion(match.group(1), match.group(2), exists));
    }

    /** Returns the version of a project in the output of a dry run. */
    Optional<String> wouldInstall(String project) {
        return Pattern.compile("(?m)^ *+\\+ " + Pattern.quote(project) + "==(\\S{1,100})")
                .matcher(output)
                .results()
                .map(match -> match.group(1))
                .findFirst();
    }

    /** Returns one or two sentences that the caller can act on. */
    String explanation() {
        if (result.timedOut()) {
            return "Installing the dependencies took longer than " + Installer.TIME_LIMIT.toSeconds()
                    + " s and was stopped; use fewer or smaller packages.";
        }
        if (result.outOfMemory()) {
            return "Installing the dependencies needed more memory than an installation may use.";
        }
        String reason = oneLine(output);
        if (!refused.isEmpty()) {
            return "The dependencies can't be installed: the sandbox refused " + String.join(", ", refused) + ".";
        }
        if (indexProblem.isPresent()) {
            return "The dependencies can't be installed: " + indexProblem.get() + ".";
        }
        if (output.contains("No space left on device")) {
            return "The dependencies can't be installed: the cache folder is full; run java -jar sandbox.jar clean, or"
                    + " choose another folder with --cache-dir.";
        }
        if (output.contains("was not found in the package registry")) {
            return "A dependency does not exist: " + cut(reason) + " Check the spelling of the name on the index.";
        }
        if (output.contains("No solution found")) {
            return "The dependencies can't be met together: " + cut(reason);
        }
        if (output.contains("invalid peer certificate")) {
            return "The package index's certificate is not trusted: " + cut(reason)
                    + " Set SSL_CERT_FILE to a bundle of certificates that has its authority.";
        }
        if (output.contains("Failed to fetch") || output.contains("error sending request")) {
            String proxy = output.contains("tunnel error") ? " Check the proxy that HTTPS_PROXY names." : "";
            return "The package index can't be reached: " + cut(reason) + proxy;
        }
        if (output.contains("Failed to build") || output.contains("Failed to download and build")) {
            return "The dependencies can't be installed: " + failedBuild();
        }
        return "The dependencies can't be installed: " + cut(reason.isEmpty() ? "uv gave no reason" : reason);
    }

    /** Keeps the lines of a build, of each stream the last ones: they contain the cause. */
    private String failedBuild() {
        List<String> parts = List.of(BUILD_OUTPUT.split(output, -1));
        String error = oneLine(parts.get(0));
        StringBuilder text = new StringBuilder(cut(error.substring(Math.max(0, error.indexOf("error: ")))));
        for (String part : parts.subList(1, parts.size())) {
            List<String> lines = part.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("hint: Build failures"))
                    .toList();
            lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size())
                    .forEach(line -> text.append("\n  ").append(ShortText.start(line.strip(), LONGEST_LINE)));
        }
        return text.toString();
    }

    private static String oneLine(String text) {
        return DECORATION
                .matcher(CHATTER.matcher(text).replaceAll(""))
                .replaceAll(" ")
                .replaceAll("\\s+", " ")
                .strip();
    }

    private static String cut(String reason) {
        String text = reason.replaceFirst("^.*No solution found when resolving dependencies:? (cause: )?", "")
                .replaceFirst("^error: ", "");
        return ShortText.start(text, LONGEST);
    }
}
