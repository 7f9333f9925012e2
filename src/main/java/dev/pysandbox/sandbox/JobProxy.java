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
 * The internet proxy of one job, and how the process reaches it.
 *
 * @param endpoint where the process reaches it
 * @param hostSocket the socket on this machine that must be mounted at the endpoint; empty if no socket is mounted
 * @param closeTunnel closes the tunnel to the proxy; does nothing if there is no tunnel
 */
public record JobProxy(EgressProxy proxy, ProxyEndpoint endpoint, Optional<Path> hostSocket, Runnable closeTunnel)
        implements AutoCloseable {
    public static final Path SHARED_SOCKET = Path.of("/run/proxy.sock");

    /**
     * Creates a proxy whose socket is mounted into the sandbox. Returns empty if the job has no internet access.
     *
     * @param socket the path at which the socket is created
     */
    public static Optional<JobProxy> shared(Job job, Path socket) throws IOException {
        if (job.network() != Network.INTERNET) {
            return Optional.empty();
        }
        EgressProxy proxy = EgressProxy.listen(socket, job.egress());
        ProxyEndpoint endpoint = new ProxyEndpoint.UnixSocket(SHARED_SOCKET);
        return Optional.of(new JobProxy(proxy, endpoint, Optional.of(socket), () -> {}));
    }

    /** Opens tunnels from sockets inside a sandbox to ports of this machine. */
    public interface Tunnels {
        /**
         * Opens a tunnel.
         *
         * @param secret the tunnel sends it first on every connection
         */
        Tunnel open(int port, String secret) throws IOException;
    }

    /** An open tunnel. */
    public interface Tunnel extends AutoCloseable {
        /** Returns the path of its socket inside the sandbox. */
        Path socket();

        @Override
        void close();
    }

    /**
     * Creates a proxy on a loopback port, and a tunnel to it. Clients must send a secret, because other processes of
     * this machine can connect to the port.
     */
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

    /** Creates a proxy on a port that processes on other machines connect to. Clients must send a secret. */
    public static JobProxy onPort(InetAddress address, EgressPolicy policy) throws IOException {
        String secret = UUID.randomUUID().toString();
        EgressProxy proxy = EgressProxy.listen(address, secret, policy);
        ProxyEndpoint endpoint = new ProxyEndpoint.Port(address.getHostAddress(), proxy.port(), secret);
        return new JobProxy(proxy, endpoint, Optional.empty(), () -> {});
    }

    /** Starts to accept connections. */
    public void open() {
        proxy.open();
    }

    /** Returns the connections that the proxy refused, as {@code host:port (reason)}. */
    public List<String> refused() {
        return proxy.refused();
    }

    @Override
    public void close() {
        closeTunnel.run();
        proxy.close();
    }
}
