package dev.pysandbox.sandbox;

import java.nio.file.Path;

/** Where a process inside a sandbox reaches its proxy. */
public sealed interface ProxyEndpoint {
    /** A socket at a path inside. */
    record UnixSocket(Path path) implements ProxyEndpoint {}

    /**
     * A port of another machine.
     *
     * @param address an IP address
     * @param secret sent first on every connection, with a newline after it
     */
    record Port(String address, int port, String secret) implements ProxyEndpoint {}
}
