package dev.pysandbox.sandbox.docker;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Passes a job its variables as the first line of standard input. Every local user could read them on the client's
 * command line, and every user of the engine could read them in the container's settings.
 *
 * <p>The line consists of shell assignments. A shell in the container evaluates it, then executes the job. The shell
 * reads a pipe byte by byte, so it reads nothing after the line.
 */
final class DockerVariables {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** Fits into a pipe together with a small script, so that writing does not block. */
    private static final int MOST_BYTES = 32 << 10;

    /** The shell variable that contains a newline, which the line itself can't contain. */
    private static final String NEWLINE = "python_sandbox_newline";

    private static final String LINE = "python_sandbox_line";

    /**
     * Unsets the variables that shells set themselves. The two variables above are not exported, so the job does not
     * see them.
     */
    private static final String SCRIPT = "unset PWD OLDPWD SHLVL; IFS= read -r " + LINE + " || exit 125; " + NEWLINE
            + "='\n'; eval \"$" + LINE + "\"; exec \"$@\"";

    private DockerVariables() {}

    /** Returns the arguments before the job's command. */
    static List<String> reader() {
        return List.of("/bin/sh", "-c", SCRIPT, "sh");
    }

    /** Returns the line that the reader evaluates. */
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
            throw new IOException("the variables of --env take " + bytes.length + " bytes, the limit is " + MOST_BYTES
                    + "; to fix: put large values into a file and --mount it");
        }
        return bytes;
    }

    private static String quoted(String value) {
        return "'" + value.replace("'", "'\\''").replace("\n", "'\"$" + NEWLINE + "\"'") + "'";
    }

    /**
     * Writes the line. Ignores errors: a client that has ended reports why on its standard error, which is read later.
     */
    static void send(byte[] line, OutputStream input) {
        try {
            input.write(line);
            input.flush();
        } catch (IOException e) {
            // The reader of the output sees its end.
        }
    }
}
