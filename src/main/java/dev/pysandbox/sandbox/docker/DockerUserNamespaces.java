package dev.pysandbox.sandbox.docker;

import dev.pysandbox.api.Network;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.support.HostCommand;
import java.io.IOException;
import java.util.List;

/**
 * Whether an engine gives the users of containers other numbers on the host ({@code userns-remap}).
 *
 * <p>A container's user then owns nothing on the host, and the server can neither give folders to it nor, unless it is
 * root, remove what it wrote. So containers that write to a folder of the host are started without; all others keep it.
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

    /** Reads what the engine says of its security, such as {@code ["name=seccomp,profile=default","name=userns"]}. */
    static DockerUserNamespaces parse(String securityOptions) {
        return new DockerUserNamespaces(securityOptions.contains(REMAPPED));
    }

    /** The engine refuses to share the host's network with a container that is remapped. */
    List<String> arguments(Job job) {
        boolean without =
                job.network() == Network.HOST || job.volumes().stream().anyMatch(Volume::writable);
        return remapped && without ? List.of("--userns", "host") : List.of();
    }
}
