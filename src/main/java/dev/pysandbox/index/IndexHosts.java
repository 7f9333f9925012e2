package dev.pysandbox.index;

import dev.pysandbox.support.DiskCacheEntry;
import dev.pysandbox.support.Host;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the hosts that an installation must reach: those of the indexes and of their files. */
public record IndexHosts(IndexSettings settings, Host host) {
    private static final Duration AGE = Duration.ofDays(7);
    /** A project that every usable index has. */
    private static final String KNOWN_PROJECT = "uv";

    /** Returns each {@code host:port}; if an index does not respond, only its own host. */
    public Set<String> find() throws InterruptedException {
        Set<String> hosts = new TreeSet<>(settings.hosts());
        for (URI index : settings.indexes()) {
            if (index.getHost() != null) {
                hosts.addAll(fileHosts(index));
            }
        }
        return hosts;
    }

    private Set<String> fileHosts(URI index) throws InterruptedException {
        URI address = IndexUrl.redacted(index);
        DiskCacheEntry entry = DiskCacheEntry.about("index", address.toString(), host);
        Optional<Set<String>> known = entry.recall()
                .filter(values -> address.toString().equals(values.get("index")))
                .map(values -> split(values.getOrDefault("hosts", "")));
        if (known.isPresent()) {
            return known.get();
        }
        if (settings.offline()) {
            return Set.of();
        }
        try {
            List<SimplePage.Link> links = settings.client()
                    .page(index, KNOWN_PROJECT)
                    .map(SimplePage::links)
                    .orElse(List.of());
            Set<String> hosts = links.stream()
                    .flatMap(link -> IndexUrl.hostAndPort(link.uri()).stream())
                    .collect(Collectors.toCollection(TreeSet::new));
            entry.remember(Map.of("index", address.toString(), "hosts", String.join(" ", hosts)), AGE);
            return hosts;
        } catch (IOException e) {
            return Set.of();
        }
    }

    private static Set<String> split(String hosts) {
        return Stream.of(hosts.split(" ", -1)).filter(name -> !name.isEmpty()).collect(Collectors.toSet());
    }
}
