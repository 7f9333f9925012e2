package dev.pysandbox.sandbox.docker;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of an engine, and a feature that depends on it.
 *
 * @param server the engine's version, such as {@code 20.10.24}
 * @param hasCgroupNamespaces whether both the client and the engine support {@code --cgroupns}
 */
record DockerVersion(String server, boolean hasCgroupNamespaces) {
    /** The second value is the API version that the docker client and the engine have negotiated. */
    static final String FORMAT = "{{.Server.Version}} {{.Client.APIVersion}}";

    private static final Pattern API = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");
    private static final int MAJOR = 1;
    private static final int MINOR = 41;

    static DockerVersion of(DockerEngine engine, String answer) {
        String[] parts = answer.strip().split(" ", 2);
        return new DockerVersion(parts[0], engine.isPodman() || (parts.length == 2 && isRecent(parts[1])));
    }

    private static boolean isRecent(String api) {
        Matcher matcher = API.matcher(api);
        if (!matcher.matches()) {
            return false;
        }
        int major = Integer.parseInt(matcher.group(1));
        return major > MAJOR || (major == MAJOR && Integer.parseInt(matcher.group(2)) >= MINOR);
    }
}
