package dev.pysandbox.mcp.http;

import com.sun.net.httpserver.HttpServer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The thread with which the JDK's server accepts connections and waits for requests. An error in it, such as a want of
 * memory, ends it: then the server answers nothing more.
 */
final class Listener {
    private static final int MOST = 16;

    private final List<Thread> started;

    private Listener(List<Thread> started) {
        this.started = started;
    }

    /** Starts a server. */
    static Listener start(HttpServer http) {
        // The server does not tell its thread, but the thread inherits this group. Unlike those of requests, which it
        // may start at once, it is no daemon.
        ThreadGroup group = new ThreadGroup("http-listener");
        Thread starter = new Thread(group, http::start, "http-starter");
        starter.start();
        try {
            starter.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Thread[] found = new Thread[MOST];
        group.enumerate(found);
        return new Listener(Arrays.stream(found)
                .filter(Objects::nonNull)
                .filter(thread -> thread != starter && !thread.isDaemon())
                .toList());
    }

    boolean hasDied() {
        return started.stream().anyMatch(thread -> !thread.isAlive());
    }
}
