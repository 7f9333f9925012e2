package dev.pysandbox.sandbox.docker;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Passes a job its variables on standard input, before anything else: on the client's command line every local user could
 * read them, and as settings of a container everyone who may ask the engine.
 *
 * <p>They are one line of assignments, which the container's shell evaluates before it becomes the job. The shell reads a
 * pipe byte by byte, so it takes nothing of what follows.
 */
final class DockerVariables {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** Fits into a pipe together with a small script, so that writing never waits for the container. */
    private static final int MOST_BYTES = 32 << 10;

    /** A line can't hold a newline: a variable of the shell stands for it. */
    private static final String NEWLINE = "python_sandbox_newline";

    private static final String LINE = "python_sandbox_line";

    /** Shells set some variables themselves, and do not pass on those that are not exported. */
    private static final String SCRIPT = "unset PWD OLDPWD SHLVL; IFS= read -r " + LINE + " || exit 125; " + NEWLINE
            + "='\n'; eval \"$" + LINE + "\"; exec \"$@\"";

    private DockerVariables() {}

    /** What stands before the job's own command. */
    static List<String> reader() {
        return List.of("/bin/sh", "-c", SCRIPT, "sh");
    }

    /** The line for the reader. */
    static byte[] encode(Map<String, String> variables) throws IOException {
        StringBuilder line = new StringBuilder();
        for (Map.Entry<String, String> variable : new TreeMap<>(variables).entrySet()) {
            if (!NAME.matcher(variable.getKey()).matches()
                    || variable.getValue().indexOf('\0') >= 0) {
                throw new IOException("the variable '" + variable.getKey() + "' can't be passed to a container");
            }
            line.append("export ").append(variable.getKey()).append('=');
            line.append(quoted(variable.getValue())).append(';');
        }
        byte[] bytes = line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MOST_BYTES) {
            throw new IOException("the variables of --env take " + bytes.length + " bytes, a container gets at most "
                    + MOST_BYTES + "; to fix: put large values into a file and --mount it");
        }
        return bytes;
    }

    private static String quoted(String value) {
        return "'" + value.replace("'", "'\\''").replace("\n", "'\"$" + NEWLINE + "\"'") + "'";
    }

    /** A client that has ended says why on its standard error, where it is looked for. */
    static void send(byte[] line, OutputStream input) {
        try {
            input.write(line);
            input.flush();
        } catch (IOException e) {
            // The job's output will end without a word.
        }
    }
}
