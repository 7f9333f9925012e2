package dev.pysandbox.support;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The environment variables by which a host names its package indexes, certificates and proxies. */
public final class NetworkVariables {
    /** The main index: the first variable that is set counts. */
    public static final List<String> INDEXES = List.of("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL");

    /** Further indexes: all of them count. */
    public static final List<String> EXTRA_INDEXES = List.of("UV_INDEX", "UV_EXTRA_INDEX_URL", "PIP_EXTRA_INDEX_URL");

    /** Files of certificates: the first that exists counts. */
    public static final List<String> CA_BUNDLES =
            List.of("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "CURL_CA_BUNDLE");

    public static final String HTTP_PROXY = "HTTP_PROXY";
    public static final String HTTPS_PROXY = "HTTPS_PROXY";
    public static final String ALL_PROXY = "ALL_PROXY";
    public static final String NO_PROXY = "NO_PROXY";

    private NetworkVariables() {}

    /** Returns the spelling of a proxy variable that is set: lower case wins, as in curl and uv. */
    public static Optional<String> spelling(Map<String, String> environment, String name) {
        return Stream.of(name.toLowerCase(Locale.ROOT), name)
                .filter(each -> !environment.getOrDefault(each, "").isBlank())
                .findFirst();
    }

    /** Returns the value of a proxy variable in either spelling. */
    public static Optional<String> proxy(Map<String, String> environment, String name) {
        return spelling(environment, name)
                .map(each -> environment.getOrDefault(each, "").strip());
    }

    /** Returns the hosts that are reached without a proxy. */
    public static List<String> proxyExceptions(Map<String, String> environment) {
        return proxy(environment, NO_PROXY).stream()
                .flatMap(list -> Stream.of(list.split("[,\\s]+")))
                .filter(entry -> !entry.isEmpty())
                .toList();
    }
}
