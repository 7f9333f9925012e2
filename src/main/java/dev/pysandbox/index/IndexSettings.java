package dev.pysandbox.index;

import dev.pysandbox.support.NetworkVariables;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The package indexes of the host, from the variables of uv and pip; configuration files are not read. */
public final class IndexSettings {
    /** The default index. */
    public static final String DEFAULT_INDEX = "https://pypi.org/simple";

    private static final List<String> TIMEOUTS =
            List.of("UV_HTTP_TIMEOUT", "UV_REQUEST_TIMEOUT", "PIP_DEFAULT_TIMEOUT");
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    /** Variables of uv that are passed on unchanged: TLS, timeouts, and the strategy for several indexes. */
    private static final Pattern FORWARDED = Pattern.compile("UV_(INDEX_STRATEGY|INDEX_[A-Z0-9_]+_(USERNAME|PASSWORD)"
            + "|INSECURE_HOST|NATIVE_TLS|SYSTEM_CERTS|HTTP_TIMEOUT|REQUEST_TIMEOUT|HTTP_CONNECT_TIMEOUT|HTTP_RETRIES"
            + "|CONCURRENT_DOWNLOADS)|SSL_CERT_DIR");

    private static final Pattern CREDENTIALS = Pattern.compile("UV_INDEX_[A-Z0-9_]+_(USERNAME|PASSWORD)");

    private final IndexUrl index;
    private final List<IndexUrl> extraIndexes;
    private final List<String> findLinks;
    private final boolean offline;
    private final List<Path> caBundles;
    private final Duration timeout;
    private final ProxySettings proxies;
    private final Map<String, String> forwarded;
    private final List<String> insecureHosts;
    /** The {@code user:password} of each index and page of links that has credentials. */
    private final Map<URI, String> credentials = new LinkedHashMap<>();

    private Optional<IndexClient> client = Optional.empty();

    private IndexSettings(Map<String, String> environment) {
        Variables variables = new Variables(environment);
        this.index = variables.indexes(NetworkVariables.INDEXES).stream()
                .findFirst()
                .orElseGet(() -> IndexUrl.parse("the default index", DEFAULT_INDEX));
        this.extraIndexes = variables.indexes(NetworkVariables.EXTRA_INDEXES);
        // uv separates by commas, because folders may contain spaces; pip by spaces.
        this.findLinks = Stream.concat(variables.split("UV_FIND_LINKS", ","), variables.split("PIP_FIND_LINKS", "\\s+"))
                .distinct()
                .toList();
        this.offline = variables.isTrue("UV_OFFLINE");
        boolean systemCertificates = variables.isTrue("UV_NATIVE_TLS") || variables.isTrue("UV_SYSTEM_CERTS");
        this.caBundles = Stream.concat(
                        NetworkVariables.CA_BUNDLES.stream().flatMap(name -> variables.file(name).stream()),
                        systemCertificates ? Certificates.ofSystem().stream() : Stream.of())
                .distinct()
                .toList();
        this.insecureHosts = variables.split("UV_INSECURE_HOST", "\\s+").toList();
        this.timeout = TIMEOUTS.stream()
                .flatMap(name -> variables.seconds(name).stream())
                .findFirst()
                .orElse(DEFAULT_TIMEOUT);
        this.proxies = new ProxySettings(environment);
        this.forwarded = environment.entrySet().stream()
                .filter(entry -> FORWARDED.matcher(entry.getKey()).matches())
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
        Stream.concat(extraIndexes.stream(), Stream.of(index))
                .forEach(each -> variables.credentials(each).ifPresent(pair -> credentials.put(each.uri(), pair)));
        remotePages().forEach(page -> IndexUrl.credentials(page).ifPresent(pair -> credentials.put(page, pair)));
    }

    /**
     * Reads the settings from a host's environment variables.
     *
     * @throws IllegalArgumentException if a variable is not a valid URL
     */
    public static IndexSettings fromEnvironment(Map<String, String> environment) {
        return new IndexSettings(environment);
    }

    /** Returns the index with the lowest priority; it may contain credentials. */
    public URI index() {
        return index.uri();
    }

    /** Returns the indexes with higher priority. */
    public List<URI> extraIndexes() {
        return extraIndexes.stream().map(IndexUrl::uri).toList();
    }

    /** Returns folders and pages with packages, in addition to the indexes. */
    public List<String> findLinks() {
        return findLinks;
    }

    /** Returns those of {@link #findLinks} that are local folders. */
    public List<Path> localFindLinks() {
        return findLinks.stream().flatMap(link -> localFolder(link).stream()).toList();
    }

    /** Returns those of {@link #findLinks} that are remote pages. */
    public List<String> remoteFindLinks() {
        return findLinks.stream()
                .filter(link -> IndexUrl.hasScheme(link) && !link.startsWith("file:"))
                .toList();
    }

    /** Returns the addresses of {@link #remoteFindLinks} inside a sandbox. */
    public List<String> remoteFindLinksInside(Function<URI, String> addresses) {
        return remotePages().map(addresses).toList();
    }

    private Stream<URI> remotePages() {
        return remoteFindLinks().stream()
                .map(link -> IndexUrl.parse("UV_FIND_LINKS", link).uri());
    }

    /** Returns the indexes and pages whose addresses must be hidden from package code: with credentials or a query. */
    List<URI> guarded() {
        Set<URI> guarded = new LinkedHashSet<>(credentials.keySet());
        remotePages().filter(page -> page.getRawQuery() != null).forEach(guarded::add);
        return guarded.stream().filter(uri -> uri.getHost() != null).toList();
    }

    /** Returns the credentials in the address, or those of an index with the same scheme, host and port. */
    Optional<String> credentials(URI address) {
        return IndexUrl.credentials(address)
                .or(() -> credentials.entrySet().stream()
                        .filter(each -> each.getKey().getHost() != null)
                        .filter(each -> IndexUrl.origin(each.getKey()).equals(IndexUrl.origin(address)))
                        .map(Map.Entry::getValue)
                        .findFirst());
    }

    boolean hasInsecureHosts() {
        return !insecureHosts.isEmpty();
    }

    /** Whether the operator excluded the certificate of a host from checks. */
    boolean isInsecure(URI address) {
        return insecureHosts.stream()
                .anyMatch(host -> host.equalsIgnoreCase(address.getHost())
                        || host.equalsIgnoreCase(IndexUrl.hostAndPort(address).orElse("")));
    }

    /** Returns the client for these settings. */
    public synchronized IndexClient client() throws IOException {
        if (client.isEmpty()) {
            client = Optional.of(new IndexClient(this));
        }
        return client.get();
    }

    public boolean offline() {
        return offline;
    }

    /** Returns the first existing bundle of certificates in the host's variables. */
    public Optional<Path> caBundle() {
        return caBundles.stream().findFirst();
    }

    /** Returns the proxies of the host. */
    public ProxySettings proxies() {
        return proxies;
    }

    /** Returns the {@code host:port} of each index and each page of links. */
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
     * Returns the variables that make uv use these settings. Besides the proxies, uv needs no other variable of the
     * host to install.
     */
    public Map<String, String> uvEnvironment() {
        Map<String, String> variables = uvEnvironment(IndexUrl::text, forwarded);
        if (!findLinks.isEmpty()) {
            variables.put("UV_FIND_LINKS", String.join(",", findLinks));
        }
        return variables;
    }

    /** Returns the same variables without pages of links and without credentials, for uv in a sandbox. */
    public Map<String, String> uvEnvironmentInside(Function<URI, String> addresses) {
        Map<String, String> variables = new TreeMap<>(forwarded);
        variables.keySet().removeIf(name -> CREDENTIALS.matcher(name).matches());
        return uvEnvironment(index -> index.withUrl(addresses.apply(index.uri())), variables);
    }

    private Map<String, String> uvEnvironment(Function<IndexUrl, String> texts, Map<String, String> more) {
        Map<String, String> variables = new TreeMap<>(more);
        variables.put("UV_DEFAULT_INDEX", texts.apply(index));
        if (!extraIndexes.isEmpty()) {
            variables.put("UV_INDEX", extraIndexes.stream().map(texts).collect(Collectors.joining(" ")));
        }
        if (offline) {
            variables.put("UV_OFFLINE", "1");
        }
        caBundle().ifPresent(bundle -> variables.put("SSL_CERT_FILE", bundle.toString()));
        return variables;
    }

    /** Returns all indexes by priority, highest first. */
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

    /** Returns a text without credentials. */
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

    /** Reads typed values from environment variables. */
    private record Variables(Map<String, String> environment) {
        Stream<String> split(String name, String separator) {
            return Stream.of(environment.getOrDefault(name, "").split(separator, -1))
                    .map(String::strip)
                    .filter(part -> !part.isEmpty());
        }

        List<IndexUrl> indexes(List<String> names) {
            return names.stream()
                    .flatMap(name -> split(name, "\\s+").map(text -> IndexUrl.parse(name, text)))
                    .distinct()
                    .toList();
        }

        /** Returns the credentials in the URL, or those in uv's variables for the name of the index. */
        Optional<String> credentials(IndexUrl index) {
            Optional<String> prefix = index.name()
                    .map(name -> "UV_INDEX_" + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_"));
            Optional<String> password = prefix.map(name -> environment.getOrDefault(name + "_PASSWORD", ""))
                    .filter(text -> !text.isEmpty());
            Optional<String> user = prefix.map(name -> environment.getOrDefault(name + "_USERNAME", ""))
                    .filter(text -> !text.isEmpty());
            return user.isPresent() || password.isPresent()
                    ? Optional.of(user.orElse("") + ":" + password.orElse(""))
                    : IndexUrl.credentials(index.uri());
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
