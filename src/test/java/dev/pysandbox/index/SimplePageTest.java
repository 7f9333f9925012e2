package dev.pysandbox.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimplePageTest {
    private static final URI ADDRESS = URI.create("https://index.example/simple/uv/");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<a href=\"https://f.example/p/a.whl#sha256=00\">a</a> | https://f.example/p/a.whl | a.whl",
                "<A class=x HREF = '../../p/a.whl' data-x=\"1\">a</A> | https://index.example/p/a.whl | a.whl",
                "<a href=a.whl>a</a> | https://index.example/simple/uv/a.whl | a.whl",
                "<a\\nhref=\"/p/a.whl?x=1&amp;y=2\"\\n>a</a> | https://index.example/p/a.whl?x=1&y=2 | a.whl",
                "<a href=\"//f.example/a&#45;1&#x2B;b.whl\">a</a> | https://f.example/a-1+b.whl | a-1+b.whl",
                "<a href=\"a%2Bb.whl\">a</a> | https://index.example/simple/uv/a%2Bb.whl | a+b.whl",
                "<base href=\"https://b.example/x/\"><a href=\"a.whl\">a</a> | https://b.example/x/a.whl | a.whl",
                "<!-- <a href=\"no.whl\">no</a> --><a href=\"a b.whl\">a</a>"
                        + " | https://index.example/simple/uv/a%20b.whl | a b.whl",
            })
    void readsHtml(String html, URI uri, String name) throws IOException {
        SimplePage page = SimplePage.parse(ADDRESS, "text/html; charset=utf-8", html.replace("\\n", "\n"));
        assertEquals(List.of(new SimplePage.Link(name, uri)), page.links());
    }

    @ParameterizedTest
    @CsvSource({
        "<a name=x>no</a>",
        "<a href=\"http://[broken\">no</a>",
        "<abbr href=x>no</abbr>",
        "plain text",
        "<a href="
    })
    void skipsInvalidLinks(String html) throws IOException {
        assertEquals(List.of(), SimplePage.parse(ADDRESS, "text/html", html).links());
    }

    @Test
    void readsJson() throws IOException {
        String json = """
                {"meta": {"api-version": "1.1"}, "name": "uv", "files": [
                  {"filename": "a.whl", "url": "../../p/a.whl", "hashes": {"sha256": "00"}},
                  {"filename": "b.whl", "url": "https://f.example/b.whl#x", "hashes": {}}]}
                """;
        SimplePage page = SimplePage.parse(ADDRESS, "application/vnd.pypi.simple.v1+json", json);
        assertEquals(Optional.of(URI.create("https://index.example/p/a.whl")), page.file("a.whl"));
        assertEquals(Optional.of(URI.create("https://f.example/b.whl")), page.file("b.whl"));
        assertEquals(Optional.empty(), page.file("c.whl"));
    }

    @Test
    void brokenJsonIsAnError() {
        assertThrows(IOException.class, () -> SimplePage.parse(ADDRESS, "application/json", "{\"files\": ["));
    }

    @Test
    void readsUnclosedTagsAndComments() throws IOException {
        String html = "<a href='a.whl'>" + "<!--".repeat(1 << 18) + "<a ".repeat(1 << 18);
        assertEquals(1, SimplePage.parse(ADDRESS, "text/html", html).links().size());
    }
}
