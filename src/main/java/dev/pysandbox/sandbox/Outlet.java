package dev.pysandbox.sandbox;

import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.egress.EgressProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The way out to the internet of one job: a proxy of its own, and how the process reaches it.
 *
 * @param socket where the process finds it
 * @param mount what shows it there, where the host's sockets can be shared
 * @param way what carries its connections, where they can't
 */
record Outlet(EgressProxy proxy, Path socket, Optional<Mount> mount, Optional<DockerRelay.Way> way)
        implements AutoCloseable {
    static final String SHARED_SOCKET = "/run/proxy.sock";

    /** One whose socket is shown to the process; none for a job that does not need it. */
    static Optional<Outlet> shared(Job job, RuntimeFolder runtime) throws IOException {
        if (job.network() != Network.INTERNET) {
            return Optional.empty();
        }
        Mount mount = Mount.readOnly(runtime.fresh("proxy"), SHARED_SOCKET);
        EgressProxy proxy = EgressProxy.listen(mount.source(), job.egress());
        return Optional.of(new Outlet(proxy, mount.target(), Optional.of(mount), Optional.empty()));
    }

    /** A proxy on a port of the loopback; others on this machine could connect, so there is a secret. */
    static Outlet through(DockerRelay relay, EgressPolicy policy) throws IOException {
        String secret = UUID.randomUUID().toString();
        EgressProxy proxy = EgressProxy.listenOnLoopback(secret, policy);
        try {
            DockerRelay.Way way = relay.open(proxy.port(), secret);
            return new Outlet(proxy, way.socket(), Optional.empty(), Optional.of(way));
        } catch (IOException e) {
            proxy.close();
            throw e;
        }
    }

    /** Begins to accept connections. */
    void open() {
        proxy.open();
    }

    /** The connections that the proxy refused, as {@code host:port (reason)}. */
    List<String> refused() {
        return proxy.refused();
    }

    @Override
    public void close() {
        way.ifPresent(DockerRelay.Way::close);
        proxy.close();
    }
}
