package dev.pysandbox.sandbox.docker;

import dev.pysandbox.api.Network;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.support.HostCommand;
import java.io.IOException;
import java.util.List;

/**
 * Whether an engine maps the users of containers to other users of the host ({@code userns-remap}).
 *
 * <p>Then the user of a container owns no files of the host. The server can't make it the owner of a folder and, unless
 * it is root, can't remove the files that it wrote. So containers that write to a folder of the host are started
 * without the mapping; all others keep it.
 */
record DockerUserNamespaces(boolean remapped) {
    static final DockerUserNamespaces NONE = new DockerUserNamespaces(false);

    private static final String FORMAT = "{{json .SecurityOptions}}";
    private static final String REMAPPED = "\"name=userns";

    static DockerUserNamespaces of(DockerEngine engine) throws IOException, InterruptedException {
        if (engine.isPodman()) {
            return NONE;
        }
        HostCommand.Outcome asked = engine.run(List.of("info", "--format", FORMAT));
        return asked.succeeded() ? parse(asked.stdout()) : NONE;
    }

    /** Parses the engine's security options, such as {@code ["name=seccomp,profile=default","name=userns"]}. */
    static DockerUserNamespaces parse(String securityOptions) {
        return new DockerUserNamespaces(securityOptions.contains(REMAPPED));
    }

    /**
     * Turns the mapping off for jobs with writable volumes or the host's network, which the engine refuses to combine
     * with it.
     */
    List<String> arguments(Job job) {
        boolean without =
                job.network() == Network.HOST || job.volumes().stream().anyMatch(Volume::writable);
        return remapped && without ? List.of("--userns", "host") : List.of();
    }
}
