package dev.pysandbox.egress;

import dev.pysandbox.egress.address.Resolver;
import dev.pysandbox.support.Threads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP proxy of a sandbox, its only connection to the network. It connects only to hosts that its policy allows.
 *
 * <p>It supports CONNECT and plain HTTP, resolves names itself and connects to exactly the addresses that it checked.
 */
public final class EgressProxy implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EgressProxy.class);
    private static final int MAX_REFUSED = 50;
    private static final int BACKLOG = 1024;
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 100;
    /** A connection uses up to two threads and two buffers; an unused one ends with its sandbox. */
    private static final ConnectionSlots.Shared ALL_CONNECTIONS = new ConnectionSlots.Shared(4096, 512);

    private static final int RESERVED_CONNECTIONS = 8;

    private final Optional<Path> socket;
    private final Optional<String> secret;
    private final ServerSocketChannel listener;
    private final Router router;
    private final ProxyLimits limits;
    private final ThreadFactory threads;
    private final ConnectionSlots slots;
    private final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();
    /** In order of appearance; guarded by itself. */
    private final Set<String> refused = new LinkedHashSet<>();

    private final Thread acceptor;
    private volatile boolean closed;

    private EgressProxy(
            Optional<Path> socket,
            Optional<String> secret,
            ServerSocketChannel listener,
            EgressPolicy policy,
            Resolver resolver,
            ProxyLimits limits,
            ThreadFactory threads) {
        this.socket = socket;
        this.secret = secret;
        this.listener = listener;
        this.router = new Router(policy, new NameLookups(resolver, limits.connectTime()), this::addRefused);
        this.limits = limits;
        this.threads = threads;
        this.slots = new ConnectionSlots(limits.connections(), RESERVED_CONNECTIONS, ALL_CONNECTIONS);
        this.acceptor = Threads.daemon("egress-proxy", this::accept);
    }

    /**
     * Creates a proxy on a new Unix socket, which every user who can enter its folder may connect to. Connections wait
     * until {@link #open}.
     *
     * @throws IOException if the socket can't be created, for instance because the file exists
     */
    public static EgressProxy listen(Path socket, EgressPolicy policy) throws IOException {
        return closed(socket, policy, Resolver.SYSTEM, ProxyLimits.STANDARD, EgressProxy::connectionThread);
    }

    static EgressProxy listen(Path socket, EgressPolicy policy, Resolver resolver, ProxyLimits limits)
            throws IOException {
        return listen(socket, policy, resolver, limits, EgressProxy::connectionThread);
    }

    static EgressProxy listen(
            Path socket, EgressPolicy policy, Resolver resolver, ProxyLimits limits, ThreadFactory threads)
            throws IOException {
        EgressProxy proxy = closed(socket, policy, resolver, limits, threads);
        proxy.open();
        return proxy;
    }

    private static EgressProxy closed(
            Path socket, EgressPolicy policy, Resolver resolver, ProxyLimits limits, ThreadFactory threads)
            throws IOException {
        return new EgressProxy(Optional.of(socket), Optional.empty(), bind(socket), policy, resolver, limits, threads);
    }

    /**
     * Creates a proxy on a free port of an address. Clients must first send the secret and CR LF. Connections wait
     * until {@link #open}.
     */
    public static EgressProxy listen(InetAddress address, String secret, EgressPolicy policy) throws IOException {
        return new EgressProxy(
                Optional.empty(),
                Optional.of(secret),
                bind(ServerSocketChannel.open(), new InetSocketAddress(address, 0)),
                policy,
                Resolver.SYSTEM,
                ProxyLimits.STANDARD,
                EgressProxy::connectionThread);
    }

    /** Starts to accept connections; called once. */
    public void open() {
        acceptor.start();
    }

    /** Returns the port of a proxy that listens on one. */
    public int port() {
        return listener.socket().getLocalPort();
    }

    private static ServerSocketChannel bind(Path socket) throws IOException {
        ServerSocketChannel listener =
                bind(ServerSocketChannel.open(StandardProtocolFamily.UNIX), UnixDomainSocketAddress.of(socket));
        try {
            // Another user connects from inside the sandbox; the folder is private.
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
            return listener;
        } catch (IOException e) {
            listener.close();
            Files.deleteIfExists(socket);
            throw e;
        }
    }

    /** Binds a channel, or closes it if that fails. */
    private static ServerSocketChannel bind(ServerSocketChannel listener, SocketAddress address) throws IOException {
        try {
            return listener.bind(address, BACKLOG);
        } catch (IOException | RuntimeException e) {
            listener.close();
            throw new IOException("the proxy can't listen on " + address + ": " + e.getMessage(), e);
        }
    }

    /** Returns the first fifty refused targets, each as {@code host:port (reason)}. */
    public List<String> refused() {
        synchronized (refused) {
            return List.copyOf(refused);
        }
    }

    private void addRefused(String entry) {
        synchronized (refused) {
            if (refused.size() < MAX_REFUSED) {
                refused.add(entry);
            }
        }
    }

    private void accept() {
        try {
            while (!closed) {
                slots.acquire();
                if (!acceptOne()) {
                    Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
                }
            }
        } catch (ClosedChannelException | InterruptedException e) {
            log.trace("the proxy was closed");
        }
    }

    /** Passes the slot to a connection, or releases it if descriptors, memory or threads are short. */
    private boolean acceptOne() throws ClosedChannelException {
        boolean accepted = false;
        try {
            start(listener.accept());
            accepted = true;
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            log.warn("the proxy could not accept a connection: {}", e.toString());
        } finally {
            if (!accepted) {
                slots.release();
            }
        }
        return accepted;
    }

    private void start(SocketChannel client) {
        try {
            ProxyConnection connection = new ProxyConnection(client, router, limits, secret);
            threads.newThread(() -> serve(connection)).start();
        } catch (RuntimeException | Error e) {
            ProxyConnection.close(client);
            throw e;
        }
    }

    private void serve(ProxyConnection connection) {
        try (connection) {
            connections.add(connection);
            if (!closed) { // else close() may have run before
                connection.run();
            }
        } finally {
            connections.remove(connection);
            slots.release();
        }
    }

    static Thread connectionThread(Runnable task) {
        return Threads.daemon("egress-connection", task);
    }

    /** Closes all connections and deletes the socket. */
    @Override
    public void close() {
        closed = true;
        try {
            listener.close();
            if (socket.isPresent()) {
                Files.deleteIfExists(socket.get());
            }
        } catch (IOException e) {
            log.warn("the proxy's socket could not be deleted: {}", e.getMessage());
        }
        acceptor.interrupt();
        connections.forEach(ProxyConnection::close);
    }
}
