package dev.pysandbox.index;

import java.util.Map;
import java.util.TreeMap;

/** The variables that make programs in a sandbox use its proxy. */
public final class ProxyVariables {
    /** The port is also in supervisor.py, which listens on it. */
    private static final String PROXY = "http://127.0.0.1:3128";

    private static final String DIRECT = "localhost,127.0.0.1,::1";

    /** For an installer: all connections use the proxy, also to an index on the host's loopback. */
    public static final Map<String, String> FOR_INSTALLER =
            Map.of("http_proxy", PROXY, "https_proxy", PROXY, "HTTP_PROXY", PROXY, "HTTPS_PROXY", PROXY);

    /** For a script, which may connect to servers that it started itself. */
    public static final Map<String, String> FOR_SCRIPT = forScript();

    private ProxyVariables() {}

    private static Map<String, String> forScript() {
        Map<String, String> variables = new TreeMap<>(FOR_INSTALLER);
        variables.put("no_proxy", DIRECT);
        variables.put("NO_PROXY", DIRECT);
        return Map.copyOf(variables);
    }
}
