package dev.pysandbox.index;

import dev.pysandbox.support.Host;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The gateways to indexes with credentials, for one isolated installation. */
public final class IndexGateways {
    /** No gateways: without isolation uv uses the credentials itself. */
    public static final IndexGateways NONE = new IndexGateways(List.of());

    private static final List<String> NOT_FETCHED = List.of(
            "Failed to fetch",
            "error sending request",
            "was not found in the package registry",
            "not found in the provided package locations",
            "could not be queried");

    private final List<IndexGateway> gateways;

    private IndexGateways(List<IndexGateway> gateways) {
        this.gateways = List.copyOf(gateways);
    }

    public static IndexGateways open(IndexSettings settings, Host host) throws IOException {
        if (settings.guarded().isEmpty()) {
            return NONE;
        }
        IndexLink.Key key = IndexLink.Key.of(host);
        IndexClient client = settings.client();
        List<IndexGateway> gateways = new ArrayList<>();
        for (URI index : settings.guarded()) {
            boolean flat = !settings.indexes().contains(index);
            gateways.add(new IndexGateway(IndexUrl.redacted(index), flat, key, client, settings.timeout()));
        }
        return new IndexGateways(gateways);
    }

    public List<IndexGateway> hosts() {
        return gateways;
    }

    /** Returns the addresses of indexes and pages of links inside a sandbox, without credentials. */
    public Function<URI, String> addresses() {
        return index -> gateways.stream()
                .filter(gateway -> gateway.isFor(index))
                .map(IndexGateway::url)
                .findFirst()
                .orElse(IndexUrl.redacted(index).toString());
    }

    /** Replaces virtual addresses in a text by the real ones. */
    public String translate(String text) {
        String result = text;
        for (IndexGateway gateway : gateways) {
            result = gateway.translate(result);
        }
        return result;
    }

    /** Returns why an index could not be used, if that explains uv's message. */
    public Optional<String> problem(String output) {
        if (NOT_FETCHED.stream().noneMatch(output::contains) && !output.contains("401 Unauthorized")) {
            return Optional.empty();
        }
        return gateways.stream()
                .flatMap(gateway -> gateway.problem().stream())
                .findFirst()
                .or(() -> directAddress(output));
    }

    private Optional<String> directAddress(String output) {
        boolean refused = output.contains("401 Unauthorized") || output.contains("403 Forbidden");
        return refused && gateways.stream().anyMatch(gateway -> gateway.sharesOriginWith(output))
                ? Optional.of("the credentials of an index are not sent for a requirement with a URL;"
                        + " to fix: name the package without its URL")
                : Optional.empty();
    }
}
