package dev.pysandbox.mcp.http;

import dev.pysandbox.mcp.ClientSession;
import dev.pysandbox.mcp.McpServer;
import dev.pysandbox.mcp.Principal;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The sessions of the revisions with a handshake. Each can be opened again from its id; the most recent ones are kept,
 * because requests can be cancelled only in the session that has them, and for the level of log messages.
 */
final class Sessions {
    private static final int MOST = 1_024;

    private final McpServer server;
    private final SessionIds ids;

    /** The least recently used is first. */
    private final Map<String, ClientSession> recent = new LinkedHashMap<>(16, 0.75f, true);

    Sessions(McpServer server, SessionIds ids) {
        this.server = server;
        this.ids = ids;
    }

    /** A session and its id. */
    record Opened(String id, ClientSession session) {}

    Opened open(SessionIds.Contents contents) {
        String id = ids.issue(contents);
        return new Opened(id, remember(id, contents));
    }

    /** Returns the session with an id; empty if the id was not issued to this principal. */
    Optional<ClientSession> find(String id, Principal principal) {
        return ids.read(id)
                .filter(contents -> contents.principal().equals(principal))
                .map(contents -> remember(id, contents));
    }

    private synchronized ClientSession remember(String id, SessionIds.Contents contents) {
        ClientSession known = recent.get(id);
        if (known != null) {
            return known;
        }
        ClientSession session = server.openSession(contents.principal());
        session.initialized(contents.version(), contents.client());
        recent.put(id, session);
        removeOldest();
        return session;
    }

    private void removeOldest() {
        Iterator<ClientSession> sessions = recent.values().iterator();
        while (recent.size() > MOST && sessions.hasNext()) {
            if (sessions.next().isIdle()) {
                sessions.remove();
            }
        }
    }
}
