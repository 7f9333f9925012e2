package dev.pysandbox.mcp;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Name, version, instructions and supported protocol revisions of the server. */
public final class ServerIdentity {
    public static final String NAME = "python-sandbox";
    static final String VERSION = Optional.ofNullable(
                    ServerIdentity.class.getPackage().getImplementationVersion())
            .orElse("dev");
    public static final String INSTRUCTIONS =
            "Runs Python scripts with their PyPI dependencies in a throwaway sandbox; nothing is kept between calls."
                    + " If something does not work, call check_environment.";

    /** The revisions that begin with {@code initialize}, oldest first. */
    public static final List<String> HANDSHAKE_VERSIONS =
            List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");

    /** The revisions that allow JSON-RPC batches; 2025-06-18 removed them. */
    public static final List<String> BATCH_VERSIONS = HANDSHAKE_VERSIONS.subList(0, 2);

    /** The revisions without links to resources in results; 2025-06-18 added them. */
    public static final List<String> VERSIONS_WITHOUT_LINKS = HANDSHAKE_VERSIONS.subList(0, 2);

    public static final List<String> STATELESS_VERSIONS = List.of("2026-07-28");

    private ServerIdentity() {}

    /** Returns the revision with a handshake that the server agrees to: the wanted one, or the newest. */
    static String agreed(String wanted) {
        return HANDSHAKE_VERSIONS.contains(wanted) ? wanted : HANDSHAKE_VERSIONS.get(HANDSHAKE_VERSIONS.size() - 1);
    }

    public static Map<String, Object> info() {
        return Map.of("name", NAME, "version", VERSION);
    }
}
