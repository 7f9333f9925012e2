package dev.pysandbox.mcp.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** The body of one request, read within the bounds. */
final class RequestBody implements AutoCloseable {
    private static final int CHUNK = 1 << 16;
    private static final int RETRY_SECONDS = 5;

    private final HttpExchange exchange;
    private final HttpBounds bounds;
    private final HttpThreads threads;
    private final AtomicLong held;
    private long own;
    private boolean ended;
    private boolean timedOut;

    /** @param held the bytes of all bodies whose requests are pending */
    RequestBody(HttpExchange exchange, HttpBounds bounds, HttpThreads threads, AtomicLong held) {
        this.exchange = exchange;
        this.bounds = bounds;
        this.threads = threads;
        this.held = held;
    }

    /** Refuses a body whose length is ambiguous, because programs on the way here might see another one. */
    static void checkFraming(Headers headers) throws Refusal {
        Optional<String> length = AccessRules.single(headers, "Content-Length");
        Optional<String> encoding = AccessRules.single(headers, "Transfer-Encoding");
        boolean digits = length.isEmpty()
                || (!length.get().isEmpty() && length.get().chars().allMatch(c -> c >= '0' && c <= '9'));
        if (!digits || (length.isPresent() && encoding.isPresent())) {
            throw new Refusal(Refusal.BAD_REQUEST, "The length of the body is malformed.");
        }
    }

    /**
     * Reads the body.
     *
     * @param onTimeout sends the response if the body does not arrive in time
     */
    byte[] read(Runnable onTimeout) throws IOException, Refusal {
        Thread reader = Thread.currentThread();
        Future<?> limit = threads.startAfter(bounds.bodyTime(), () -> {
            synchronized (this) {
                if (!ended) {
                    ended = true;
                    timedOut = true;
                    onTimeout.run();
                    reader.interrupt();
                }
            }
        });
        try {
            return read();
        } finally {
            limit.cancel(false);
            end();
        }
    }

    /** Prevents a later interrupt, which would reach another request. */
    private synchronized void end() throws IOException {
        ended = true;
        if (timedOut) {
            boolean ignored = Thread.interrupted();
            throw new IOException("the body did not arrive in time");
        }
    }

    private byte[] read() throws IOException, Refusal {
        if (declared() > bounds.bodyBytes()) {
            throw tooLarge();
        }
        InputStream in = exchange.getRequestBody();
        List<byte[]> chunks = new ArrayList<>();
        byte[] chunk = in.readNBytes(CHUNK);
        while (chunk.length > 0) {
            hold(chunk.length);
            if (own > bounds.bodyBytes()) {
                throw tooLarge();
            }
            chunks.add(chunk);
            chunk = in.readNBytes(CHUNK);
        }
        return joined(chunks);
    }

    private byte[] joined(List<byte[]> chunks) {
        byte[] body = new byte[(int) own];
        int at = 0;
        for (byte[] chunk : chunks) {
            System.arraycopy(chunk, 0, body, at, chunk.length);
            at += chunk.length;
        }
        return body;
    }

    /** Returns the declared length, or 0 if none is declared. */
    private long declared() {
        String length = exchange.getRequestHeaders().getFirst("Content-Length");
        return length == null ? 0 : Long.parseLong(length.strip());
    }

    private void hold(int bytes) throws Refusal {
        own += bytes;
        if (held.addAndGet(bytes) > bounds.heldBytes()) {
            throw Refusal.later(Refusal.UNAVAILABLE, "The server holds too many large requests", RETRY_SECONDS);
        }
    }

    private Refusal tooLarge() {
        return new Refusal(Refusal.TOO_LARGE, "The body is longer than " + (bounds.bodyBytes() >> 20) + " MiB.");
    }

    /** Forgets the bytes, when the response has been sent; once, if two threads close it. */
    @Override
    public synchronized void close() {
        held.addAndGet(-own);
        own = 0;
    }
}
