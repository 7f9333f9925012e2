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
 * @param hostSocket the socket on this machine that is to be shown at the endpoint; empty where none is shared
 * @param closeTunnel closes the tunnel through which the process reaches it, if there is one
 */
public record JobProxy(EgressProxy proxy, ProxyEndpoint endpoint, Optional<Path> hostSocket, Runnable closeTunnel)
        implements AutoCloseable {
    public static final Path SHARED_SOCKET = Path.of("/run/proxy.sock");

    /**
     * A proxy whose socket is mounted; empty for a job that needs none.
     *
     * @param socket where the socket is made
     */
    public static Optional<JobProxy> shared(Job job, Path socket) throws IOException {
        if (job.network() != Network.INTERNET) {
            return Optional.empty();
        }
        EgressProxy proxy = EgressProxy.listen(socket, job.egress());
        ProxyEndpoint endpoint = new ProxyEndpoint.UnixSocket(SHARED_SOCKET);
        return Optional.of(new JobProxy(proxy, endpoint, Optional.of(socket), () -> {}));
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
    public void open() {
        proxy.open();
    }

    /** The connections that the proxy refused, as {@code host:port (reason)}. */
    public List<String> refused() {
        return proxy.refused();
    }

    @Override
    public void close() {
        closeTunnel.run();
        proxy.close();
    }
}
