package dev.pysandbox.index;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Copies a page of an index and replaces its links; keeps at most one tag in memory. */
final class IndexPageRewriter {
    private static final int LARGEST_TAG = 1 << 16;
    private static final int BUFFER = 1 << 14;
    private static final Pattern LINK_TAG =
            Pattern.compile("<(a|base)\\s.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final Pattern HREF = Pattern.compile(
            "(?<!\\S)href\\s*+=\\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\\s>]++))", Pattern.CASE_INSENSITIVE);
    private static final Pattern ENTITY =
            Pattern.compile("&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|amp|lt|gt|quot|apos);", Pattern.CASE_INSENSITIVE);

    /** Limits for pages, whose strings are links, names, digests and sentences. */
    private static final StreamReadConstraints CONSTRAINTS = StreamReadConstraints.builder()
            .maxStringLength(LARGEST_TAG)
            .maxNameLength(1 << 10)
            .maxNumberLength(64)
            .maxNestingDepth(32)
            .build();
    /** Does not intern names of a page, and does not close the brackets of a truncated page. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(CONSTRAINTS)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
            .build();

    private final UnaryOperator<URI> replacement;
    private URI base;

    /**
     * Creates a rewriter for one page.
     *
     * @param address the address of the page, to which its links are relative
     * @param replacement returns the replacement of an absolute link
     */
    IndexPageRewriter(URI address, UnaryOperator<URI> replacement) {
        this.base = address;
        this.replacement = replacement;
    }

    /**
     * Copies a page of PEP 691.
     *
     * @throws IndexProblem if it is not such a page
     */
    void copyJson(InputStream from, OutputStream to) throws IOException {
        try (JsonParser parser = JSON.createParser(from);
                JsonGenerator generator = JSON.createGenerator(to)) {
            while (parser.nextToken() != null) {
                boolean link = parser.currentToken() == JsonToken.VALUE_STRING && "url".equals(parser.currentName());
                if (link) {
                    generator.writeString(rewritten(parser.getText()));
                } else {
                    generator.copyCurrentEvent(parser);
                }
            }
        } catch (StreamConstraintsException e) {
            throw new IndexProblem("a text, a number or the nesting is too large for a page of an index");
        } catch (JsonProcessingException e) {
            throw new IndexProblem("the page is not the JSON that its Content-Type names");
        }
    }

    /** Copies a page of PEP 503 unchanged except for its links. */
    void copyHtml(InputStream from, OutputStream to) throws IOException {
        InputStream input = new BufferedInputStream(from, BUFFER);
        OutputStream output = new BufferedOutputStream(to, BUFFER);
        for (int c = input.read(); c >= 0; c = input.read()) {
            if (c == '<') {
                output.write(rewrittenTag(readTag(input)).getBytes(StandardCharsets.ISO_8859_1));
            } else {
                output.write(c);
            }
        }
        output.flush();
    }

    /** Reads to the end of a tag or comment, or up to the limit. */
    private static String readTag(InputStream input) throws IOException {
        StringBuilder tag = new StringBuilder("<");
        char quote = 0;
        for (int c = input.read(); c >= 0; c = input.read()) {
            char previous = tag.charAt(tag.length() - 1);
            tag.append((char) c);
            boolean comment = tag.length() >= 4 && tag.substring(0, 4).equals("<!--");
            if (quote == 0 && !comment && previous == '=' && (c == '"' || c == '\'')) {
                quote = (char) c;
            } else if (c == quote) {
                quote = 0;
            }
            boolean ends = c == '>' && quote == 0 && (!comment || endsComment(tag));
            if (ends || tag.length() == LARGEST_TAG) {
                break;
            }
        }
        return tag.toString();
    }

    private static boolean endsComment(CharSequence tag) {
        int end = tag.length();
        return end >= "<!---->".length()
                && tag.subSequence(end - 3, end).toString().equals("-->");
    }

    private String rewrittenTag(String tag) {
        Matcher kind = LINK_TAG.matcher(tag);
        Matcher href = HREF.matcher(tag);
        if (!kind.matches() || !href.find()) {
            return tag;
        }
        String link = unescaped(value(href));
        if (kind.group(1).equalsIgnoreCase("base")) {
            base = resolved(link).orElse(base);
            return ""; // all links are absolute after rewriting
        }
        return tag.substring(0, href.start()) + "href=\"" + escaped(rewritten(link)) + "\"" + tag.substring(href.end());
    }

    /** Returns the value of the attribute that {@link #HREF} matched. */
    private static String value(Matcher href) {
        for (int group = 1; group < 3; group++) {
            if (href.start(group) >= 0) {
                return href.group(group);
            }
        }
        return href.group(3);
    }

    private static String unescaped(String text) {
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

    private String rewritten(String link) {
        int hash = link.indexOf('#');
        String fragment = hash < 0 ? "" : link.substring(hash);
        return resolved(hash < 0 ? link : link.substring(0, hash))
                .map(replacement)
                .map(uri -> uri + fragment)
                .orElse(link);
    }

    private Optional<URI> resolved(String link) {
        try {
            String ascii = link.strip().replace(" ", "%20");
            return Optional.of(base.resolve(percentEncoded(ascii)).normalize());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Percent-encodes bytes beyond ASCII, as clients do. */
    private static String percentEncoded(String text) {
        StringBuilder result = new StringBuilder();
        for (byte b : text.getBytes(isLatin(text) ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8)) {
            result.append(b < 0 ? String.format("%%%02X", b & 0xff) : String.valueOf((char) b));
        }
        return result.toString();
    }

    private static boolean isLatin(String text) {
        return text.chars().allMatch(c -> c < 0x100);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("\"", "&quot;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }
}
