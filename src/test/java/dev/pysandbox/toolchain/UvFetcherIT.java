package dev.pysandbox.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.index.IndexSettings;
import dev.pysandbox.index.LocalIndex;
import dev.pysandbox.index.PasswordProxy;
import dev.pysandbox.index.SelfSigned;
import dev.pysandbox.support.Host;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Downloads a small wheel with a script as uv from local indexes, and the real uv from the real index. */
@Timeout(300)
class UvFetcherIT {
    private static final String WHEEL = "uv-9.8.7-py3-none-any.whl";

    @TempDir
    Path temp;

    private final List<String> progress = Collections.synchronizedList(new ArrayList<>());
    private byte[] wheel;
    private UvRelease release;

    @BeforeEach
    void makeWheel() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("uv-9.8.7.data/scripts/uv"));
            zip.write("#!/bin/sh\necho uv 9.8.7\n".getBytes(StandardCharsets.UTF_8));
        }
        wheel = bytes.toByteArray();
        release = new UvRelease("9.8.7", WHEEL, wheel.length, sha256(wheel));
    }

    @Test
    void fetchesTheRealOneFromTheRealIndex() throws Exception {
        Host here = Host.current(temp.resolve("cache"));
        UvRelease pinned = UvRelease.pinned(here.platform()).orElseThrow();
        Uv uv = new UvFetcher(pinned, here, IndexSettings.fromEnvironment(here.environment()), progress::add).fetch();
        assertEquals(new Uv(Uv.privateCopy(pinned.version(), here), pinned.version(), true), uv);
        assertTrue(Files.isExecutable(uv.executable()));
        assertTrue(
                progress.contains(
                        "Fetching uv " + pinned.version() + ": " + pinned.size() + " of " + pinned.size() + " bytes"),
                progress::toString);
        assertEquals(List.of(".lock", "uv"), left());
    }

    @Test
    void readsAnIndexThatHasOnlyHtmlAndRedirects() throws Exception {
        try (LocalIndex index = LocalIndex.http()) {
            index.serve("/simple/uv/", LocalIndex.redirect("/mirror/uv/"));
            index.serve("/mirror/uv/", LocalIndex.html("<a href='../../files/" + WHEEL + "#sha256=0'>x</a>"));
            index.serve("/files/", LocalIndex.redirect("/cdn/" + WHEEL));
            index.serve("/cdn/", LocalIndex.bytes(wheel));
            Uv uv = fetch(release, Map.of("UV_DEFAULT_INDEX", index.url("/simple/")));
            assertEquals("9.8.7", uv.version());
            assertTrue(uv.fetched());
        }
    }

    @Test
    void refusesAWrongHash() throws Exception {
        UvRelease other = new UvRelease("9.8.7", WHEEL, wheel.length, "0".repeat(64));
        try (LocalIndex index = serving(LocalIndex.http(), LocalIndex.bytes(wheel))) {
            String message = refused(other, Map.of("UV_INDEX_URL", index.url("/simple")));
            assertTrue(
                    message.contains("the file's sha256 is " + release.sha256() + ", expected " + "0".repeat(64)),
                    message);
        }
    }

    @Test
    void refusesAShortDownload() throws Exception {
        byte[] half = Arrays.copyOf(wheel, wheel.length / 2);
        try (LocalIndex index = serving(LocalIndex.http(), LocalIndex.bytes(half))) {
            String message = refused(release, Map.of("UV_INDEX_URL", index.url("/simple")));
            assertTrue(message.contains("ended after " + half.length + " of " + wheel.length + " bytes"), message);
        }
    }

    @Test
    void refusesADownloadThatIsCutOff() throws Exception {
        try (LocalIndex index = serving(LocalIndex.http(), exchange -> {
            exchange.sendResponseHeaders(200, wheel.length);
            exchange.getResponseBody().write(wheel, 0, 20);
            exchange.getResponseBody().flush();
            exchange.close();
        })) {
            refused(release, Map.of("UV_INDEX_URL", index.url("/simple")));
        }
    }

    @Test
    void refusesADownloadThatIsTooLong() throws Exception {
        try (LocalIndex index = serving(LocalIndex.http(), LocalIndex.bytes(new byte[1 << 20]))) {
            String message = refused(release, Map.of("UV_INDEX_URL", index.url("/simple")));
            assertTrue(message.contains("longer than the expected " + wheel.length + " bytes"), message);
        }
    }

    @Test
    void endsADownloadThatStalls() throws Exception {
        try (LocalIndex index = serving(LocalIndex.http(), exchange -> {
            exchange.sendResponseHeaders(200, wheel.length);
            OutputStream body = exchange.getResponseBody();
            body.write(wheel, 0, 20);
            body.flush(); // the rest is never sent
        })) {
            String message = refused(release, Map.of("UV_INDEX_URL", index.url("/simple"), "UV_HTTP_TIMEOUT", "1"));
            assertTrue(message.contains("it sent less than 1024 bytes in 1 seconds"), message);
        }
    }

    @Test
    void reportsAFileThatTheIndexLacks() throws Exception {
        try (LocalIndex index = LocalIndex.http()) {
            index.serve("/simple/uv/", LocalIndex.json("{\"files\": []}"));
            String message = refused(release, Map.of("UV_INDEX_URL", index.url("/simple")));
            assertTrue(message.contains("it has no file " + WHEEL), message);
        }
    }

    @Test
    void reportsAnIndexThatDoesNotRespond() throws Exception {
        try (LocalIndex index = LocalIndex.http()) {
            index.serve("/simple/uv/", exchange -> LocalIndex.answer(exchange, 503, "text/plain", new byte[0]));
            String message = refused(release, Map.of("UV_INDEX_URL", index.url("/simple")));
            assertTrue(message.contains("answered with status 503"), message);
        }
    }

    @Test
    void remembersAFailureButLooksIntoLocalFolders() throws Exception {
        List<String> requests = Collections.synchronizedList(new ArrayList<>());
        try (LocalIndex index = LocalIndex.http()) {
            index.serve("/simple/uv/", exchange -> {
                requests.add(exchange.getRequestURI().toString());
                LocalIndex.answer(exchange, 404, "text/plain", new byte[0]);
            });
            Map<String, String> environment = new HashMap<>(Map.of("UV_INDEX_URL", index.url("/simple")));
            refused(release, environment);
            int tried = requests.size();
            assertTrue(tried > 0);
            String message = refused(release, environment);
            assertEquals(tried, requests.size(), "not tried a second time");
            assertTrue(message.contains("tried again after"), message);
            Path links = Files.createDirectory(temp.resolve("links"));
            Files.write(links.resolve(WHEEL), wheel);
            environment.put("UV_FIND_LINKS", links.toString());
            assertEquals("9.8.7", fetch(release, environment).version());
        }
    }

    @Test
    void usesNoNetworkIfOffline() throws Exception {
        String message = refused(release, Map.of("UV_OFFLINE", "1"));
        assertTrue(message.contains("UV_OFFLINE is set"), message);
    }

    @Test
    void takesTheWheelFromALocalFolder() throws Exception {
        Path links = Files.createDirectory(temp.resolve("links"));
        Files.write(links.resolve(WHEEL), wheel);
        Map<String, String> environment = Map.of("UV_OFFLINE", "1", "PIP_FIND_LINKS", links.toString());
        assertEquals("9.8.7", fetch(release, environment).version());
    }

    @Test
    void reportsACacheFolderThatIsNotWritable() throws Exception {
        Files.writeString(temp.resolve("cache"), "a file, no folder");
        MissingToolException e = assertThrows(MissingToolException.class, () -> fetch(release, Map.of()));
        assertTrue(e.getMessage().contains(temp.resolve("cache").toString()), e.getMessage());
    }

    @Test
    void sendsCredentialsOnlyToTheIndex() throws Exception {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        try (LocalIndex files = LocalIndex.http();
                LocalIndex index = LocalIndex.http()) {
            files.serve("/", exchange -> {
                seen.add("files " + exchange.getRequestHeaders().getFirst("Authorization"));
                LocalIndex.answer(exchange, 200, "application/zip", wheel);
            });
            index.serve("/simple/uv/", exchange -> {
                seen.add("index " + exchange.getRequestHeaders().getFirst("Authorization"));
                String page = "{\"files\": [{\"filename\": \"" + WHEEL + "\", \"url\": \"/own/" + WHEEL + "\"}]}";
                LocalIndex.json(page).handle(exchange);
            });
            index.serve("/own/", exchange -> {
                seen.add("own " + exchange.getRequestHeaders().getFirst("Authorization"));
                LocalIndex.redirect(files.url("/" + WHEEL)).handle(exchange);
            });
            String url = index.url("/simple").replace("http://", "http://me:pa%3Ass@");
            fetch(release, Map.of("UV_DEFAULT_INDEX", url));
        }
        String basic = "Basic " + Base64.getEncoder().encodeToString("me:pa:ss".getBytes(StandardCharsets.UTF_8));
        assertEquals(List.of("index " + basic, "own " + basic, "files null"), seen);
    }

    @Test
    void neverShowsCredentialsInAMessage() throws Exception {
        String message = refused(
                release, Map.of("UV_DEFAULT_INDEX", "http://me:secret@127.0.0.1:1/simple", "UV_HTTP_TIMEOUT", "5"));
        assertFalse(message.contains("secret"), message);
        assertTrue(message.contains("http://127.0.0.1:1/simple"), message);
    }

    @Test
    void trustsAPrivateAuthorityOnlyIfConfigured() throws Exception {
        SelfSigned authority = SelfSigned.make(temp.resolve("keys"));
        try (LocalIndex index = serving(LocalIndex.https(authority.context()), LocalIndex.bytes(wheel))) {
            Map<String, String> environment = new HashMap<>(Map.of("UV_DEFAULT_INDEX", index.url("/simple")));
            String message = refused(release, environment);
            assertTrue(message.contains("certif") || message.contains("PKIX"), message);
            environment.put("SSL_CERT_FILE", authority.bundle().toString());
            assertEquals("9.8.7", fetch(release, environment).version());
        }
    }

    @Test
    void followsNoRedirectFromHttpsToHttp() throws Exception {
        SelfSigned authority = SelfSigned.make(temp.resolve("keys"));
        try (LocalIndex plain = serving(LocalIndex.http(), LocalIndex.bytes(wheel));
                LocalIndex index = LocalIndex.https(authority.context())) {
            index.serve("/simple/uv/", LocalIndex.redirect(plain.url("/simple/uv/")));
            String message = refused(
                    release,
                    Map.of(
                            "UV_DEFAULT_INDEX", index.url("/simple"),
                            "SSL_CERT_FILE", authority.bundle().toString()));
            assertTrue(message.contains("it is not https"), message);
        }
    }

    @Test
    void usesAProxyWithAPassword() throws Exception {
        SelfSigned authority = SelfSigned.make(temp.resolve("keys"));
        try (LocalIndex index = serving(LocalIndex.https(authority.context()), LocalIndex.bytes(wheel));
                PasswordProxy proxy = new PasswordProxy("me:pass", index.port())) {
            Map<String, String> environment = new HashMap<>(Map.of(
                    "UV_DEFAULT_INDEX", "https://localhost:" + index.port() + "/simple",
                    "PIP_CERT", authority.bundle().toString(),
                    "HTTPS_PROXY", "http://me:wrong@127.0.0.1:" + proxy.port()));
            refused(release, environment);
            environment.put("HTTPS_PROXY", "http://me:pass@127.0.0.1:" + proxy.port());
            assertEquals("9.8.7", fetch(release, environment).version());
            assertTrue(proxy.tunnels() > 0);
        }
    }

    @Test
    void fetchesOnceForSeveralAtATime() throws Exception {
        List<String> downloads = Collections.synchronizedList(new ArrayList<>());
        ExecutorService servers = Executors.newFixedThreadPool(4);
        try (LocalIndex index = serving(LocalIndex.http(), exchange -> {
            downloads.add(exchange.getRequestURI().toString());
            LocalIndex.answer(exchange, 200, "application/zip", wheel);
        })) {
            Callable<Uv> start = () -> fetch(release, Map.of("UV_INDEX_URL", index.url("/simple")));
            for (Future<Uv> uv : servers.invokeAll(Collections.nCopies(4, start))) {
                assertEquals("9.8.7", uv.get().version());
            }
        } finally {
            servers.shutdownNow();
        }
        assertEquals(1, downloads.size());
    }

    @Test
    void deletesFilesOfAKilledServer() throws Exception {
        Path folder = Files.createDirectories(temp.resolve("cache/uv/9.8.7"));
        Files.writeString(folder.resolve("wheel.part"), "half");
        Files.writeString(folder.resolve("uv.part"), "half");
        try (LocalIndex index = serving(LocalIndex.http(), LocalIndex.bytes(wheel))) {
            fetch(release, Map.of("UV_INDEX_URL", index.url("/simple")));
        }
        assertEquals(List.of(".lock", "uv"), left());
    }

    private static LocalIndex serving(LocalIndex index, LocalIndex.Handler file) {
        index.serve(
                "/simple/uv/",
                LocalIndex.json("{\"files\": [{\"filename\": \"" + WHEEL + "\", \"url\": \"../../files/" + WHEEL
                        + "\", \"hashes\": {}}]}"));
        index.serve("/files/", file);
        return index;
    }

    private Uv fetch(UvRelease which, Map<String, String> environment)
            throws MissingToolException, InterruptedException {
        Host here = Host.current(temp.resolve("cache"));
        Host host = new Host(environment, temp.resolve("home"), here.cacheDir(), here.platform());
        return new UvFetcher(which, host, IndexSettings.fromEnvironment(environment), progress::add).fetch();
    }

    /** Returns the error message, and checks that no file is left. */
    private String refused(UvRelease which, Map<String, String> environment) throws IOException {
        MissingToolException e = assertThrows(MissingToolException.class, () -> fetch(which, environment));
        assertEquals(List.of(".lock"), left());
        assertFalse(e.getMessage().contains("\n"), e.getMessage());
        assertTrue(e.getMessage().endsWith("install uv or name it with --uv-path"), e.getMessage());
        return e.getMessage();
    }

    private List<String> left() throws IOException {
        Path versions = temp.resolve("cache/uv");
        try (Stream<Path> files = Files.walk(versions)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
