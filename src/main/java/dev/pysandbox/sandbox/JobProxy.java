package dev.pysandbox.sandbox;

import dev.pysandbox.api.Network;
import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.egress.EgressProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The proxy to the internet of one job, and how the process reaches it.
 *
 * @param endpoint where the process reaches it
 * @param mount shows the socket of the host inside; empty where none is shared
 * @param closeTunnel closes the tunnel through which the process reaches it, if there is one
 */
public record JobProxy(EgressProxy proxy, ProxyEndpoint endpoint, Optional<Mount> mount, Runnable closeTunnel)
        implements AutoCloseable {
    public static final String SHARED_SOCKET = "/run/proxy.sock";

    /** A proxy whose socket is mounted; empty for a job that needs none. */
    public static Optional<JobProxy> shared(Job job, RuntimeFolder runtime) throws IOException {
        if (job.network() != Network.INTERNET) {
            return Optional.empty();
        }
        Mount mount = Mount.readOnly(runtime.fresh("proxy"), SHARED_SOCKET);
        EgressProxy proxy = EgressProxy.listen(mount.source(), job.egress());
        return Optional.of(
                new JobProxy(proxy, new ProxyEndpoint.UnixSocket(mount.target()), Optional.of(mount), () -> {}));
    }

    /** Opens a tunnel from a socket inside to a port of this machine. */
    public interface Tunnels {
        /**
         * Opens a tunnel.
         *
         * @param secret what the tunnel sends first on every connection
         */
        Tunnel open(int port, String secret) throws IOException;
    }

    /** A tunnel that is open. */
    public interface Tunnel extends AutoCloseable {
        /** The path inside of its socket. */
        Path socket();

        @Override
        void close();
    }

    /** A proxy on a loopback port. Other processes of this machine could connect to it, so it demands a secret. */
    public static JobProxy through(Tunnels tunnels, EgressPolicy policy) throws IOException {
        String secret = UUID.randomUUID().toString();
        EgressProxy proxy = EgressProxy.listen(InetAddress.getLoopbackAddress(), secret, policy);
        try {
            Tunnel tunnel = tunnels.open(proxy.port(), secret);
            return new JobProxy(proxy, new ProxyEndpoint.UnixSocket(tunnel.socket()), Optional.empty(), tunnel::close);
        } catch (IOException e) {
            proxy.close();
            throw e;
        }
    }

    /** A proxy on a port of this machine that processes on other machines connect to. */
    public static JobProxy onPort(InetAddress address, EgressPolicy policy) throws IOException {
        String secret = UUID.randomUUID().toString();
        EgressProxy proxy = EgressProxy.listen(address, secret, policy);
        ProxyEndpoint endpoint = new ProxyEndpoint.Port(address.getHostAddress(), proxy.port(), secret);
        return new JobProxy(proxy, endpoint, Optional.empty(), () -> {});
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
        closeTunnel.run();
        proxy.close();
    }
}
