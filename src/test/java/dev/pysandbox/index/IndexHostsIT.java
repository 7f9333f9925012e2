package dev.pysandbox.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.support.DiskCacheEntry;
import dev.pysandbox.support.Host;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class IndexHostsIT {
    @TempDir
    Path temp;

    @Test
    void findsTheHostsOfFilesAndCachesThem() throws Exception {
        Set<String> expected;
        Map<String, String> environment;
        try (LocalIndex index = LocalIndex.http()) {
            index.serve(
                    "/simple/uv/",
                    LocalIndex.html(
                            "<a href='https://files.example/a.whl'>a</a><a href='https://cdn.example:8443/b.whl'>b"
                                    + "</a><a href='c.whl'>c</a>"));
            environment = Map.of("UV_DEFAULT_INDEX", index.url("/simple").replace("//", "//me:secret@"));
            expected = Set.of("localhost:" + index.port(), "files.example:443", "cdn.example:8443");
            assertEquals(expected, find(environment));
        }
        assertEquals(expected, find(environment), "the index is gone, the memory stays");
    }

    @Test
    void returnsTheHostOfAnIndexThatDoesNotRespond() throws Exception {
        assertEquals(
                Set.of("127.0.0.1:1"),
                find(Map.of("UV_DEFAULT_INDEX", "http://127.0.0.1:1/simple", "UV_HTTP_TIMEOUT", "5")));
    }

    @Test
    void findsTheHostsOfTheRealIndex() throws Exception {
        Host here = Host.current(temp.resolve("cache"));
        IndexSettings settings = IndexSettings.fromEnvironment(here.environment());
        Set<String> hosts = new IndexHosts(settings, here).find();
        assertTrue(hosts.containsAll(settings.hosts()), hosts::toString);
        // Only an index that responded is remembered.
        DiskCacheEntry memo = DiskCacheEntry.about(
                "index", IndexUrl.redacted(settings.index()).toString(), here);
        assertTrue(memo.recall().isPresent(), "the index was not asked");
    }

    private Set<String> find(Map<String, String> environment) throws InterruptedException {
        Host host = new Host(
                environment, temp, temp.resolve("cache"), Host.current(temp).platform());
        return new IndexHosts(IndexSettings.fromEnvironment(environment), host).find();
    }
}
