package dev.pysandbox.sandbox;

import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.egress.EgressProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * The proxy of one job, and how its container reaches it.
 *
 * @param mount in docker's words
 * @param socket where the container then finds it
 * @param way what carries its connections, where the proxy's own socket can't be shared
 */
record DockerOutlet(EgressProxy proxy, String mount, Path socket, Optional<DockerRelay.Way> way)
        implements AutoCloseable {
    static final String SHARED_SOCKET = "/run/proxy.sock";

    /** A proxy whose socket is bound into the container. */
    static DockerOutlet shared(Path socket, EgressPolicy policy) throws IOException {
        String mount = DockerCommand.bind(Mount.readOnly(socket, SHARED_SOCKET));
        return new DockerOutlet(EgressProxy.listen(socket, policy), mount, Path.of(SHARED_SOCKET), Optional.empty());
    }

    /** A proxy on a port of the loopback; others on this machine could connect, so there is a secret. */
    static DockerOutlet through(DockerRelay relay, EgressPolicy policy) throws IOException {
        String secret = UUID.randomUUID().toString();
        EgressProxy proxy = EgressProxy.listenOnLoopback(secret, policy);
        try {
            DockerRelay.Way way = relay.open(proxy.port(), secret);
            return new DockerOutlet(proxy, way.mount(), way.socket(), Optional.of(way));
        } catch (IOException e) {
            proxy.close();
            throw e;
        }
    }

    SandboxedProcess.Exit exit() {
        return new SandboxedProcess.Exit(Optional.of(socket), proxy::refused);
    }

    @Override
    public void close() {
        way.ifPresent(DockerRelay.Way::close);
        proxy.close();
    }
}
