package dev.pysandbox.sandbox;

import java.nio.file.Path;

/** Where a process inside a sandbox reaches its proxy. */
public sealed interface ProxyEndpoint {
    /** A Unix socket at a path inside the sandbox. */
    record UnixSocket(Path path) implements ProxyEndpoint {}

    /**
     * A TCP port of the server's machine.
     *
     * @param address an IP address
     * @param secret the process sends it first on every connection, followed by a newline
     */
    record Port(String address, int port, String secret) implements ProxyEndpoint {}
}
