package dev.pysandbox.index;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The list of a project's files on an index, in HTML (PEP 503) or JSON (PEP 691). */
public record SimplePage(List<Link> links) {
    /** Prefers JSON; accepts HTML. */
    static final String ACCEPT =
            "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";

    private static final Pattern TAG = Pattern.compile("<(a|base)\\s", Pattern.CASE_INSENSITIVE);
    static final Pattern HREF = Pattern.compile(
            "(?<!\\S)href\\s*+=\\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\\s>]++))", Pattern.CASE_INSENSITIVE);
    private static final Pattern ENTITY =
            Pattern.compile("&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|amp|lt|gt|quot|apos);", Pattern.CASE_INSENSITIVE);

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

    private static List<Link> fromHtml(URI address, String body) {
        List<Link> links = new ArrayList<>();
        URI base = address;
        String visible = withoutComments(body);
        Matcher tag = TAG.matcher(visible);
        int end = 0;
        while (end >= 0 && tag.find(end)) {
            int start = tag.end();
            end = visible.indexOf('>', start);
            Matcher href = HREF.matcher(visible.substring(start, Math.max(start, end)));
            Optional<URI> target = href.find() ? resolve(base, unescape(value(href))) : Optional.empty();
            if (target.isPresent() && tag.group(1).equalsIgnoreCase("base")) {
                base = target.get();
            } else if (target.isPresent()) {
                links.add(new Link(fileName(target.get()), target.get()));
            }
        }
        return links;
    }

    /** Removes comments in linear time, also if they have no end. */
    private static String withoutComments(String html) {
        StringBuilder rest = new StringBuilder();
        int at = 0;
        for (int open = html.indexOf("<!--"); open >= 0; open = html.indexOf("<!--", at)) {
            int close = html.indexOf("-->", open + 4);
            if (close < 0) {
                break;
            }
            rest.append(html, at, open);
            at = close + 3;
        }
        return rest.append(html, at, html.length()).toString();
    }

    /** Returns the value of the attribute that {@link #HREF} matched. */
    static String value(Matcher href) {
        for (int group = 1; group < 3; group++) {
            if (href.start(group) >= 0) {
                return href.group(group);
            }
        }
        return href.group(3);
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

    static String unescape(String text) {
        return ENTITY.matcher(text).replaceAll(entity -> Matcher.quoteReplacement(character(entity.group(1))));
    }

    private static String character(String entity) {
        return switch (entity.toLowerCase(Locale.ROOT)) {
            case "amp" -> "&";
            case "lt" -> "<";
            case "gt" -> ">";
            case "quot" -> "\"";
            case "apos" -> "'";
            default -> {
                boolean hex = entity.charAt(1) == 'x' || entity.charAt(1) == 'X';
                int code = Integer.parseInt(entity.substring(hex ? 2 : 1), hex ? 16 : 10);
                yield Character.isValidCodePoint(code) ? Character.toString(code) : "";
            }
        };
    }
}
