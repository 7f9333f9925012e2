package dev.pysandbox.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class IndexPageRewriterTest {
    private static final URI PAGE = URI.create("https://example.org/simple/a/");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<a href=\"/f/a-1.whl#sha256=1\">x</a> | <a href=\"X:https://example.org/f/a-1.whl#sha256=1\">x</a>",
                "<a href='../../f/a-1.whl'>x</a> | <a href=\"X:https://example.org/f/a-1.whl\">x</a>",
                "<a href=b.whl>x</a> | <a href=\"X:https://example.org/simple/a/b.whl\">x</a>",
                "<A HREF=\"b.whl\">x</A> | <A href=\"X:https://example.org/simple/a/b.whl\">x</A>",
                "<a data-requires-python=\">=3.8\" href=\"b.whl\" data-yanked>x</a> | <a data-requires-python=\">=3.8\" href=\"X:https://example.org/simple/a/b.whl\" data-yanked>x</a>",
                "<a href=\"b.whl?x=1&amp;y=2\">x</a> | <a href=\"X:https://example.org/simple/a/b.whl?x=1&amp;y=2\">x</a>",
                "<a href=\"https://other.example/b.whl\">x</a> | <a href=\"X:https://other.example/b.whl\">x</a>",
                "<a href=\"b c.whl\">ä</a> | <a href=\"X:https://example.org/simple/a/b%20c.whl\">ä</a>",
                "<a href=\"ä.whl\">x</a> | <a href=\"X:https://example.org/simple/a/%C3%A4.whl\">x</a>",
                "<base href=\"/files/\"><a href=\"b.whl\">x</a> | <a href=\"X:https://example.org/files/b.whl\">x</a>",
                "<!-- it='s --><a href=\"b.whl\">x</a> | <!-- it='s --><a href=\"X:https://example.org/simple/a/b.whl\">x</a>",
                "1 < 2 <abbr href=\"b\"> <a name=\"b\"> <a | 1 < 2 <abbr href=\"b\"> <a name=\"b\"> <a",
                "<a href=\"[\">x</a> | <a href=\"[\">x</a>",
            })
    void rewritesHtml(String page, String expected) throws IOException {
        assertEquals(expected, html(page));
    }

    @Test
    void copiesLongTextWithoutTags() throws IOException {
        String text = "<" + "x".repeat(200_000) + ">";
        assertEquals(text, html(text));
    }

    @Test
    void rewritesJson() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String page =
                "{\"meta\":{\"v\":1.0},\"files\":[{\"filename\":\"ä\",\"url\":\"../f/b.whl#x\",\"size\":5},{\"url\":null}]}";
        rewriter().copyJson(new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)), out);
        assertEquals(
                page.replace("../f/b.whl#x", "X:https://example.org/simple/f/b.whl#x"),
                out.toString(StandardCharsets.UTF_8));
    }

    /** A client that does not see the chunks must not mistake a truncated page for a complete one. */
    @Test
    void doesNotCompleteTruncatedJson() {
        byte[] half = "{\"files\":[{\"url\":\"b.whl\"}, {\"url\":\"b.whl".getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        IndexProblem problem =
                assertThrows(IndexProblem.class, () -> rewriter().copyJson(new ByteArrayInputStream(half), out));
        assertEquals("the page is not the JSON that its Content-Type names", problem.getMessage());
        assertFalse(out.toString(StandardCharsets.UTF_8).contains("]"), out::toString);
    }

    static Stream<String> oversized() {
        return Stream.of(
                "{\"x\": \"" + "a".repeat(70_000) + "\"}",
                "{\"" + "a".repeat(2_000) + "\": 1}",
                "{\"x\": " + "1".repeat(100) + "}",
                "{\"x\": 0." + "1".repeat(100) + "}",
                "[".repeat(40) + "]".repeat(40),
                "{\"x\": ".repeat(40) + "1" + "}".repeat(40));
    }

    @ParameterizedTest
    @MethodSource("oversized")
    void refusesJsonBeyondTheLimits(String page) {
        IndexProblem problem = assertThrows(
                IndexProblem.class,
                () -> rewriter()
                        .copyJson(
                                new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)),
                                new ByteArrayOutputStream()));
        assertEquals("a text, a number or the nesting is too large for a page of an index", problem.getMessage());
    }

    /** Names with colliding hashes would be slow in a hash table. */
    @Test
    void copiesManyNames() throws IOException {
        String page = IntStream.range(0, 50_000)
                .mapToObj(i -> "\"n" + Integer.toString(i, 2).replace("0", "Aa").replace("1", "BB") + "\":1")
                .collect(Collectors.joining(",", "{", "}"));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        rewriter().copyJson(new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)), out);
        assertEquals(page, out.toString(StandardCharsets.UTF_8));
    }

    private static IndexPageRewriter rewriter() {
        return new IndexPageRewriter(PAGE, link -> URI.create("X:" + link));
    }

    private static String html(String page) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        rewriter().copyHtml(new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)), out);
        return out.toString(StandardCharsets.UTF_8);
    }
}
