package dev.pysandbox.env;

import java.util.Map;

/** The variables by which programs inside a sandbox find the way out. */
public final class ProxyVariables {
    private static final String PROXY = "http://127.0.0.1:3128";
    private static final String DIRECT = "localhost,127.0.0.1,::1";

    /** For a sandbox that has a proxy. */
    public static final Map<String, String> INSIDE = Map.of(
            "http_proxy", PROXY,
            "https_proxy", PROXY,
            "HTTP_PROXY", PROXY,
            "HTTPS_PROXY", PROXY,
            "no_proxy", DIRECT,
            "NO_PROXY", DIRECT);

    private ProxyVariables() {}
}
