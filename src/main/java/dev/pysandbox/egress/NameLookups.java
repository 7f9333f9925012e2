package dev.pysandbox.egress;

import dev.pysandbox.egress.address.Resolver;
import dev.pysandbox.support.Threads;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Resolves names for one sandbox within a time limit.
 *
 * <p>The system's resolver can't be interrupted and waits long for a name server that does not respond. So each look-up
 * runs on a separate thread; their number is limited for each sandbox and for all together. The first look-up of a
 * sandbox does not wait for those of others.
 */
final class NameLookups implements Resolver {
    private static final int PER_SANDBOX = 8;
    private static final int RESERVED = 1;
    /** A look-up can outlive its sandbox, so reserved slots are limited too. */
    private static final ConnectionSlots.Shared ALL = new ConnectionSlots.Shared(128, 64);

    private final Resolver resolver;
    private final Duration time;
    private final ConnectionSlots slots = new ConnectionSlots(PER_SANDBOX, RESERVED, ALL);

    NameLookups(Resolver resolver, Duration time) {
        this.resolver = resolver;
        this.time = time;
    }

    @Override
    public List<InetAddress> resolve(String name) throws UnknownHostException {
        long end = System.nanoTime() + time.toNanos();
        try {
            return start(name, end).get(left(end), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw unknown(name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unknown(name, e);
        }
    }

    private CompletableFuture<List<InetAddress>> start(String name, long end)
            throws InterruptedException, TimeoutException {
        if (!slots.tryAcquire(left(end))) {
            throw new TimeoutException();
        }
        CompletableFuture<List<InetAddress>> found = new CompletableFuture<>();
        boolean started = false;
        try {
            Threads.startDaemon("egress-lookup", () -> lookUp(name, found));
            started = true;
        } finally {
            if (!started) {
                slots.release();
            }
        }
        return found;
    }

    private void lookUp(String name, CompletableFuture<List<InetAddress>> found) {
        try {
            found.complete(resolver.resolve(name));
        } catch (UnknownHostException | RuntimeException e) {
            found.completeExceptionally(e);
        } finally {
            slots.release();
        }
    }

    private static long left(long end) {
        return Math.max(0, end - System.nanoTime());
    }

    private static UnknownHostException unknown(String name, Exception cause) {
        UnknownHostException unknown = new UnknownHostException(name);
        unknown.initCause(cause);
        return unknown;
    }

    @Override
    public boolean isOwn(InetAddress address) {
        return resolver.isOwn(address);
    }
}
