package dev.pysandbox.environment;

import dev.pysandbox.supervisor.TaskResult;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What uv said when it was asked to install, and what that means to the caller.
 *
 * @param indexProblem why an index that needs credentials could not be used
 */
record UvAnswer(TaskResult ending, String output, List<String> refused, Optional<String> indexProblem) {
    private static final Pattern DECORATION = Pattern.compile("[×╰─▶│├┤┬]+");
    private static final Pattern NO_VERSION =
            Pattern.compile("there is no version of ([A-Za-z0-9._-]{1,200})==([A-Za-z0-9.!+-]{0,100}[A-Za-z0-9])");

    /** What uv says of itself while it works, of no use to the reader of an error. */
    private static final Pattern CHATTER =
            Pattern.compile("(?m)^(Using Python .*|(Resolved|Prepared|Installed) .*| *+Download(ing|ed) .*)$");

    private static final int LONGEST = 1500;

    boolean succeeded() {
        return ending.exitCode() == 0 && !ending.timedOut();
    }

    /** Whether a package has no wheel that fits, so that only a build can help. */
    boolean needsBuild() {
        return !succeeded()
                && (output.contains("building from source is disabled") || output.contains("no usable wheels"));
    }

    /** A version that was wanted and does not exist. */
    record MissingVersion(String project, String version) {
        /** How well another one would do instead: the length of what they have in common. */
        public int likeness(String other) {
            int same = 0;
            while (same < Math.min(version.length(), other.length()) && version.charAt(same) == other.charAt(same)) {
                same++;
            }
            return same;
        }
    }

    Optional<MissingVersion> missingVersion() {
        return Optional.of(NO_VERSION.matcher(output))
                .filter(Matcher::find)
                .map(match -> new MissingVersion(match.group(1), match.group(2)));
    }

    /** Which version would be installed of a project. */
    Optional<String> wouldInstall(String project) {
        return Pattern.compile("(?m)^ *+\\+ " + Pattern.quote(project) + "==(\\S{1,100})")
                .matcher(output)
                .results()
                .map(match -> match.group(1))
                .findFirst();
    }

    /** One sentence or two that the caller can act on. */
    String explanation() {
        if (ending.timedOut()) {
            return "Installing the dependencies took longer than 300 s and was stopped; ask for fewer or smaller packages.";
        }
        if (ending.outOfMemory()) {
            return "Installing the dependencies needed more memory than an installation may use.";
        }
        String reason = DECORATION
                .matcher(CHATTER.matcher(output).replaceAll(""))
                .replaceAll(" ")
                .replaceAll("\\s+", " ")
                .strip();
        if (!refused.isEmpty()) {
            return "The dependencies can't be installed: the sandbox refused " + String.join(", ", refused) + ".";
        }
        if (indexProblem.isPresent()) {
            return "The dependencies can't be installed: " + indexProblem.get() + ".";
        }
        if (output.contains("No space left on device")) {
            return "The dependencies can't be installed: the cache folder is full; run 'clean' or choose another with"
                    + " --cache-dir.";
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
        return "The dependencies can't be installed: " + cut(reason.isEmpty() ? "uv gave no reason" : reason);
    }

    private static String cut(String reason) {
        String text = reason.replaceFirst("^.*No solution found when resolving dependencies:? (cause: )?", "")
                .replaceFirst("^error: ", "");
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
