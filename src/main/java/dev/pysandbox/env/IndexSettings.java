package dev.pysandbox.env;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where the host takes Python packages from, read from the variables of uv and pip; never from configuration files. */
public final class IndexSettings {
    /** The index that is asked when the host names none. */
    public static final String DEFAULT_INDEX = "https://pypi.org/simple";

    private static final List<String> CA_BUNDLES =
            List.of("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "CURL_CA_BUNDLE");
    private static final List<String> TIMEOUTS =
            List.of("UV_HTTP_TIMEOUT", "UV_REQUEST_TIMEOUT", "PIP_DEFAULT_TIMEOUT");
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    /** Variables of uv that are handed on as they are: TLS, patience, and how several indexes are combined. */
    private static final Pattern HANDED_ON = Pattern.compile("UV_(INDEX_STRATEGY|INDEX_[A-Z0-9_]+_(USERNAME|PASSWORD)"
            + "|INSECURE_HOST|NATIVE_TLS|SYSTEM_CERTS|HTTP_TIMEOUT|REQUEST_TIMEOUT|HTTP_CONNECT_TIMEOUT|HTTP_RETRIES"
            + "|CONCURRENT_DOWNLOADS)|SSL_CERT_DIR");

    private final IndexUrl index;
    private final List<IndexUrl> extraIndexes;
    private final List<String> findLinks;
    private final boolean offline;
    private final List<Path> caBundles;
    private final Duration timeout;
    private final ProxySettings proxies;
    private final Map<String, String> handedOn;

    private IndexSettings(Map<String, String> environment) {
        Variables variables = new Variables(environment);
        this.index = variables
                .first("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL")
                .orElseGet(() -> IndexUrl.parse("the default index", DEFAULT_INDEX));
        this.extraIndexes = variables.indexes("UV_INDEX", "UV_EXTRA_INDEX_URL", "PIP_EXTRA_INDEX_URL");
        // uv separates by commas, for its folders may hold spaces; pip by spaces.
        this.findLinks = Stream.concat(variables.split("UV_FIND_LINKS", ","), variables.split("PIP_FIND_LINKS", "\\s+"))
                .distinct()
                .toList();
        this.offline = variables.isTrue("UV_OFFLINE");
        this.caBundles = CA_BUNDLES.stream()
                .flatMap(name -> variables.file(name).stream())
                .distinct()
                .toList();
        this.timeout = TIMEOUTS.stream()
                .flatMap(name -> variables.seconds(name).stream())
                .findFirst()
                .orElse(DEFAULT_TIMEOUT);
        this.proxies = ProxySettings.fromEnvironment(environment);
        this.handedOn = environment.entrySet().stream()
                .filter(entry -> HANDED_ON.matcher(entry.getKey()).matches())
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * Reads the settings from a host's environment variables.
     *
     * @throws IllegalArgumentException if a variable holds something that is no URL
     */
    public static IndexSettings fromEnvironment(Map<String, String> environment) {
        return new IndexSettings(environment);
    }

    /** The index that is asked when no other has a package; it may hold credentials. */
    public URI index() {
        return index.uri();
    }

    /** The indexes that are asked before it. */
    public List<URI> extraIndexes() {
        return extraIndexes.stream().map(IndexUrl::uri).toList();
    }

    /** Folders and pages that hold packages, besides the indexes. */
    public List<String> findLinks() {
        return findLinks;
    }

    /** Those of them that are folders of this machine and must be seen by whoever installs. */
    public List<Path> localFindLinks() {
        return findLinks.stream().flatMap(link -> localFolder(link).stream()).toList();
    }

    /** Those of them that are pages of the network. */
    public List<String> remoteFindLinks() {
        return findLinks.stream()
                .filter(link -> IndexUrl.hasScheme(link) && !link.startsWith("file:"))
                .toList();
    }

    public boolean offline() {
        return offline;
    }

    /** The first existing bundle of certificates that the host's variables name. */
    public Optional<Path> caBundle() {
        return caBundles.stream().findFirst();
    }

    /** The proxies through which the host reaches the indexes. */
    public ProxySettings proxies() {
        return proxies;
    }

    /** The {@code host:port} of each index and each page of links. */
    public Set<String> hosts() {
        Set<String> hosts = new TreeSet<>();
        indexes().forEach(each -> IndexUrl.hostAndPort(each).ifPresent(hosts::add));
        for (String link : findLinks) {
            if (IndexUrl.hasScheme(link)) {
                IndexUrl.hostAndPort(IndexUrl.parse("UV_FIND_LINKS", link).uri())
                        .ifPresent(hosts::add);
            }
        }
        return hosts;
    }

    /**
     * The variables that make uv use these settings; all that it needs of the host's environment while installing, but
     * for the proxies.
     */
    public Map<String, String> uvEnvironment() {
        Map<String, String> variables = new TreeMap<>(handedOn);
        variables.put("UV_DEFAULT_INDEX", index.text());
        if (!extraIndexes.isEmpty()) {
            variables.put("UV_INDEX", extraIndexes.stream().map(IndexUrl::text).collect(Collectors.joining(" ")));
        }
        if (!findLinks.isEmpty()) {
            variables.put("UV_FIND_LINKS", String.join(",", findLinks));
        }
        if (offline) {
            variables.put("UV_OFFLINE", "1");
        }
        caBundle().ifPresent(bundle -> variables.put("SSL_CERT_FILE", bundle.toString()));
        return variables;
    }

    /** All indexes, in the order in which they are asked. */
    List<URI> indexes() {
        return Stream.concat(extraIndexes.stream(), Stream.of(index))
                .map(IndexUrl::uri)
                .toList();
    }

    List<Path> caBundles() {
        return caBundles;
    }

    Duration timeout() {
        return timeout;
    }

    /** Without credentials. */
    @Override
    public String toString() {
        return "IndexSettings[index=" + index.redacted() + ", extra="
                + extraIndexes.stream().map(IndexUrl::redacted).toList() + ", offline=" + offline + "]";
    }

    private static Optional<Path> localFolder(String link) {
        try {
            Path folder = link.startsWith("file:") ? Path.of(URI.create(link)) : Path.of(link);
            return Files.isDirectory(folder) ? Optional.of(folder.toAbsolutePath()) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Reads values of several kinds from a map of variables. */
    private record Variables(Map<String, String> environment) {
        Stream<String> split(String name, String separator) {
            return Stream.of(environment.getOrDefault(name, "").split(separator, -1))
                    .map(String::strip)
                    .filter(part -> !part.isEmpty());
        }

        Optional<IndexUrl> first(String... names) {
            return indexes(names).stream().findFirst();
        }

        List<IndexUrl> indexes(String... names) {
            List<IndexUrl> found = new ArrayList<>();
            for (String name : names) {
                split(name, "\\s+").map(text -> IndexUrl.parse(name, text)).forEach(found::add);
            }
            return found.stream().distinct().toList();
        }

        boolean isTrue(String name) {
            return Set.of("1", "true", "yes", "on", "y", "t")
                    .contains(environment.getOrDefault(name, "").strip().toLowerCase(Locale.ROOT));
        }

        Optional<Path> file(String name) {
            try {
                return split(name, "\n")
                        .map(Path::of)
                        .filter(Files::isRegularFile)
                        .findFirst();
            } catch (InvalidPathException e) {
                return Optional.empty();
            }
        }

        Optional<Duration> seconds(String name) {
            return split(name, "\n")
                    .filter(text -> text.matches("[1-9]\\d{0,5}"))
                    .map(text -> Duration.ofSeconds(Long.parseLong(text)))
                    .findFirst();
        }
    }
}
