package dev.pysandbox.egress;

import java.time.Duration;

/**
 * What one sandbox may ask of its proxy.
 *
 * @param connections at a time; more wait to be accepted
 * @param headBytes of a request or an answer
 * @param headTime to send a whole request head, a TLS ClientHello or, from its first byte on, the head of an answer
 * @param connectTime to resolve a name, and as long again to reach a server, over all its addresses
 * @param upstreamTime for an upstream proxy to open a tunnel
 */
record ProxyLimits(int connections, int headBytes, Duration headTime, Duration connectTime, Duration upstreamTime) {
    static final ProxyLimits STANDARD =
            new ProxyLimits(128, 16 * 1024, Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(30));
}
