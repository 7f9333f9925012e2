package dev.pysandbox.egress;

import dev.pysandbox.egress.address.Resolver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
 * The only way out of a sandbox: an HTTP proxy on a socket that reaches what its policy allows.
 *
 * <p>It speaks CONNECT and plain HTTP, resolves names itself and connects to the very addresses that it checked.
 */
public final class EgressProxy implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EgressProxy.class);
    private static final int MAX_REFUSED = 50;
    private static final int BACKLOG = 1024;
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 100;
    /** A connection costs up to two threads and two buffers; one that is not used ends with its sandbox. */
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
        this.acceptor = thread("egress-proxy", this::accept);
    }

    /**
     * Makes a proxy on a socket that is made for it, for everyone who can reach its folder. Connections wait until {@link
     * #open}.
     *
     * @throws IOException if the socket can't be made, for instance because the file exists
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
     * Makes a proxy on a free port of an address, for clients that send the secret and a newline first. Connections wait
     * until {@link #open}.
     */
    public static EgressProxy listen(InetAddress address, String secret, EgressPolicy policy) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(address, 0), BACKLOG);
        return new EgressProxy(
                Optional.empty(),
                Optional.of(secret),
                listener,
                policy,
                Resolver.SYSTEM,
                ProxyLimits.STANDARD,
                EgressProxy::connectionThread);
    }

    /** Begins to accept connections; called once. */
    public void open() {
        acceptor.start();
    }

    /** The port of one that listens on a port. */
    public int port() {
        return listener.socket().getLocalPort();
    }

    private static ServerSocketChannel bind(Path socket) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            listener.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
        } catch (IOException e) {
            listener.close();
            throw new IOException("the proxy can't listen on " + socket + ": " + e.getMessage(), e);
        }
        try {
            // Inside the sandbox another user connects; the folder around it is private.
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
            return listener;
        } catch (IOException e) {
            listener.close();
            Files.deleteIfExists(socket);
            throw e;
        }
    }

    /** What was refused so far, each as {@code host:port (reason)}, the first fifty. */
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
            log.trace("a proxy is closed");
        }
    }

    /** Hands the slot on to a connection, or releases it; a shortage of descriptors, memory or threads passes. */
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
            if (!closed) { // else close() may have been there before
                connection.run();
            }
        } finally {
            connections.remove(connection);
            slots.release();
        }
    }

    static Thread startThread(String name, Runnable task) {
        Thread thread = thread(name, task);
        thread.start();
        return thread;
    }

    static Thread connectionThread(Runnable task) {
        return thread("egress-connection", task);
    }

    private static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Ends every connection at once and removes the socket. */
    @Override
    public void close() {
        closed = true;
        try {
            listener.close();
            if (socket.isPresent()) {
                Files.deleteIfExists(socket.get());
            }
        } catch (IOException e) {
            log.warn("the proxy's socket can't be removed: {}", e.getMessage());
        }
        acceptor.interrupt();
        connections.forEach(ProxyConnection::close);
    }
}
