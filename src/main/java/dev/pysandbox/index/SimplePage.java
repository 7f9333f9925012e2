package dev.pysandbox.index;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The list of a project's files on an index, in HTML (PEP 503) or JSON (PEP 691). */
public record SimplePage(List<Link> links) {
    /** Prefers JSON; accepts HTML. */
    static final String ACCEPT =
            "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";

    static final long MAX_BYTES = 64 << 20;

    /** The name of a file and its address without fragment. */
    record Link(String fileName, URI uri) {}

    public SimplePage {
        links = List.copyOf(links);
    }

    /** Parses the page at an address; skips invalid links. */
    static SimplePage parse(URI address, String contentType, String body) throws IOException {
        return contentType.toLowerCase(Locale.ROOT).contains("json")
                ? new SimplePage(fromJson(address, body))
                : new SimplePage(fromHtml(address, body));
    }

    public Optional<URI> file(String name) {
        return links.stream()
                .filter(link -> link.fileName().equals(name))
                .map(Link::uri)
                .findFirst();
    }

    private static List<Link> fromJson(URI address, String body) throws IOException {
        List<Link> links = new ArrayList<>();
        try {
            for (JsonNode file : new ObjectMapper().readTree(body).path("files")) {
                resolve(address, file.path("url").asText())
                        .map(uri -> new Link(file.path("filename").asText(), uri))
                        .ifPresent(links::add);
            }
        } catch (JsonProcessingException e) {
            throw new IOException("the index answered with JSON that can't be read", e);
        }
        return links;
    }

    private static List<Link> fromHtml(URI address, String body) throws IOException {
        List<Link> links = new ArrayList<>();
        IndexPageRewriter collector = new IndexPageRewriter(address, uri -> {
            links.add(new Link(fileName(uri), uri));
            return uri;
        });
        InputStream page = new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
        collector.copyHtml(page, OutputStream.nullOutputStream());
        return links;
    }

    private static Optional<URI> resolve(URI base, String link) {
        try {
            String withoutFragment = link.strip().replaceFirst("#.*", "").replace(" ", "%20");
            return withoutFragment.isEmpty() ? Optional.empty() : Optional.of(base.resolve(withoutFragment));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String fileName(URI uri) {
        String path = Optional.ofNullable(uri.getRawPath()).orElse("");
        String name = path.substring(path.lastIndexOf('/') + 1);
        return URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
