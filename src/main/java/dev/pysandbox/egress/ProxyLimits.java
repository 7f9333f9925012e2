package dev.pysandbox.egress;

import java.time.Duration;

/**
 * The limits of the proxy for one sandbox.
 *
 * @param connections open connections; more wait to be accepted
 * @param headBytes length of the head of a request or response
 * @param headTime time to send a request head, a TLS ClientHello or, from its first byte on, a response head
 * @param connectTime time to resolve a name, and again to connect to a server, over all its addresses
 * @param upstreamTime time for an upstream proxy to open a tunnel
 */
record ProxyLimits(int connections, int headBytes, Duration headTime, Duration connectTime, Duration upstreamTime) {
    static final ProxyLimits STANDARD =
            new ProxyLimits(128, 16 * 1024, Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(30));
}
