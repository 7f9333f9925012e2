package dev.pysandbox.sandbox.docker;

import dev.pysandbox.api.Network;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.support.HostCommand;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an engine supports.
 *
 * @param version the engine's version, such as {@code 20.10.24}
 * @param hasCgroupNamespaces whether both the client and the engine support {@code --cgroupns}
 * @param remapsUsers whether the engine maps the users of containers to other users of the host ({@code userns-remap})
 */
record DockerFeatures(String version, boolean hasCgroupNamespaces, boolean remapsUsers) {
    /** The second value is the API version that the docker client and the engine have negotiated. */
    private static final String VERSIONS = "{{.Server.Version}} {{.Client.APIVersion}}";

    private static final String SECURITY_OPTIONS = "{{json .SecurityOptions}}";

    private static final Pattern API = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");
    private static final int MAJOR = 1;
    private static final int MINOR = 41;

    static DockerFeatures of(DockerEngine engine, DockerDiagnosis diagnosis)
            throws IOException, InterruptedException, RefusedException {
        HostCommand.Outcome versions = engine.run(List.of("version", "--format", VERSIONS));
        if (!versions.succeeded()) {
            throw diagnosis.of(versions.timedOut() ? "the engine did not answer" : versions.stderr());
        }
        return parse(engine.isPodman(), versions.stdout(), engine.isPodman() ? "" : securityOptions(engine));
    }

    private static String securityOptions(DockerEngine engine) throws IOException, InterruptedException {
        HostCommand.Outcome options = engine.run(List.of("info", "--format", SECURITY_OPTIONS));
        return options.succeeded() ? options.stdout() : "";
    }

    /** @param options the security options, such as {@code ["name=seccomp,profile=default","name=userns"]} */
    static DockerFeatures parse(boolean isPodman, String versions, String options) {
        String[] parts = versions.strip().split(" ", 2);
        return new DockerFeatures(
                parts[0], isPodman || (parts.length == 2 && isRecent(parts[1])), options.contains("\"name=userns"));
    }

    private static boolean isRecent(String api) {
        Matcher matcher = API.matcher(api);
        if (!matcher.matches()) {
            return false;
        }
        int major = Integer.parseInt(matcher.group(1));
        return major > MAJOR || (major == MAJOR && Integer.parseInt(matcher.group(2)) >= MINOR);
    }

    /**
     * Returns whether a container must be started without the mapping of users. With it, the user of the container owns
     * no files of the host: the server can't make it the owner of a folder and, unless it is root, can't remove the
     * files that it wrote. And the engine refuses to combine it with the host's network.
     */
    boolean mustKeepUsers(Job job) {
        boolean incompatible =
                job.network() == Network.HOST || job.volumes().stream().anyMatch(Volume::writable);
        return remapsUsers && incompatible;
    }
}
