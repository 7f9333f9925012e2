package dev.pysandbox.mcp;

import dev.pysandbox.mcp.tools.LogLevel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The state of one client: its principal, its handshake and its pending requests. */
public final class ClientSession {
    private final Map<Object, PendingRequest> pending = new ConcurrentHashMap<>();
    private final Principal principal;
    private final boolean stateless;
    private final Optional<KeptResources> resources;
    private volatile Optional<LogLevel> logLevel = Optional.empty();
    private volatile Optional<String> clientName = Optional.empty();
    private volatile boolean allowsBatches = true;
    private volatile boolean allowsLinks = true;

    /**
     * Creates the state of a client.
     *
     * @param stateless whether all its requests use the stateless revision; otherwise each request shows its revision
     * @param resources the kept files of the principal, if files are kept
     */
    ClientSession(Principal principal, boolean stateless, Optional<KeptResources> resources) {
        this.principal = principal;
        this.stateless = stateless;
        this.resources = resources;
    }

    public Principal principal() {
        return principal;
    }

    boolean isStateless() {
        return stateless;
    }

    /** Whether no request is pending. */
    public boolean isIdle() {
        return pending.isEmpty();
    }

    /** Records the protocol revision that the client asked for in its handshake, and its name. */
    public void initialized(String version, Optional<String> name) {
        allowsBatches = ServerIdentity.BATCH_VERSIONS.contains(version);
        allowsLinks = !ServerIdentity.VERSIONS_WITHOUT_LINKS.contains(version);
        clientName = name;
    }

    /** Whether its protocol revision has JSON-RPC batches. */
    public boolean allowsBatches() {
        return allowsBatches;
    }

    boolean allowsLinks() {
        return allowsLinks;
    }

    Optional<String> clientName() {
        return clientName;
    }

    /** The lowest level of log messages that it asked for; empty if it asked for none. */
    Optional<LogLevel> logLevel() {
        return logLevel;
    }

    void logLevel(Optional<LogLevel> level) {
        logLevel = level;
    }

    Optional<KeptResources> resources() {
        return resources;
    }

    /** Registers a request; returns false if its id is in use. */
    boolean add(PendingRequest request) {
        return pending.putIfAbsent(request.id(), request) == null;
    }

    /** Removes a request; returns true only for the first caller, which may respond to it. */
    boolean remove(PendingRequest request) {
        return pending.remove(request.id(), request);
    }

    boolean isPending(PendingRequest request) {
        return pending.get(request.id()) == request;
    }

    Optional<PendingRequest> find(Object id) {
        return Optional.ofNullable(pending.get(id));
    }

    List<PendingRequest> pending() {
        return List.copyOf(pending.values());
    }
}
