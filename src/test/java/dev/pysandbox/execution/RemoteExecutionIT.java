package dev.pysandbox.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.pysandbox.api.Backend;
import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.api.PythonSandboxBuilder;
import dev.pysandbox.api.Status;
import dev.pysandbox.sandbox.ImagePython;
import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxProvider;
import dev.pysandbox.sandbox.bubblewrap.BubblewrapProvider;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.sandbox.remote.RemoteSandbox;
import dev.pysandbox.support.Host;
import dev.pysandbox.support.Spawner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs scripts on a machine that shares no files with the server. */
class RemoteExecutionIT {
    private static final Path PYTHON = Path.of("/usr/bin/python3");

    @TempDir
    private Path folder;

    private static String version() throws IOException {
        Process process = new ProcessBuilder(
                        PYTHON.toString(), "-c", "import platform; print(platform.python_version())")
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private LocalPythonSandbox open(Map<String, String> variables, String... allowedHosts) throws IOException {
        String version = version();
        Path cache = Files.createDirectory(folder.resolve("cache"));
        Host here = Host.current(cache);
        PythonSandboxBuilder builder = PythonSandbox.builder()
                .pythonVersion(version.substring(0, version.lastIndexOf('.')))
                .warmCache(false)
                .allowHosts(List.of(allowedHosts))
                .cacheDir(cache);
        return LocalPythonSandbox.open(
                builder.config(),
                new Host(variables, here.home(), cache, here.platform()),
                (host, runtime) -> List.of(new RemoteProvider(new Spawner(), runtime, version)));
    }

    /** Opens a {@link RemoteSandbox} in place of the native backend. */
    private record RemoteProvider(Spawner spawner, RuntimeFolder runtime, String version) implements SandboxProvider {
        @Override
        public Backend backend() {
            return Backend.NATIVE;
        }

        @Override
        public Sandbox open(Consumer<String> progress) throws RefusedException {
            ImagePython python = new ImagePython(
                    version, PYTHON, Path.of("/usr"), Path.of("/usr/bin/uv"), "uv 0", Optional.empty(), "remote");
            Sandbox local = new BubblewrapProvider(spawner, runtime, System.getenv()).open(progress);
            try {
                return RemoteSandbox.open(local, runtime, Optional.of(python));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void runsScriptsAndBringsTheirFilesBack() throws Exception {
        try (LocalPythonSandbox sandbox = open(System.getenv())) {
            for (int i = 0; i < 3; i++) { // also in a sandbox that was started in advance
                ExecutionResult result = sandbox.execute(
                        ExecutionRequest.of("open('made', 'w').write('there')\nprint('from elsewhere')"),
                        ExecutionListener.NONE);
                assertEquals(Status.OK, result.status(), () -> String.valueOf(result));
                assertEquals("from elsewhere\n", result.stdout().text());
                assertEquals("made", result.files().get(0).name());
            }
        }
    }

    /** The host uses an upstream proxy, which is the only one that knows the name. */
    @Test
    void reachesAllowedHostsThroughTheServersProxy() throws Exception {
        List<URI> requested = new CopyOnWriteArrayList<>();
        HttpServer upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            requested.add(exchange.getRequestURI());
            exchange.sendResponseHeaders(200, 5);
            exchange.getResponseBody().write("hello".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        upstream.start();
        Map<String, String> variables = new HashMap<>(System.getenv());
        variables.keySet().removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
        variables.put("HTTPS_PROXY", "http://127.0.0.1:" + upstream.getAddress().getPort());
        String script = """
                import urllib.request
                print(urllib.request.urlopen('http://allowed.test/').read().decode())
                urllib.request.urlopen('http://other.test/')
                """;
        try (LocalPythonSandbox sandbox = open(variables, "allowed.test")) {
            ExecutionResult result = sandbox.execute(ExecutionRequest.of(script), ExecutionListener.NONE);
            assertEquals("hello\n", result.stdout().text(), () -> String.valueOf(result));
            assertEquals(List.of(URI.create("http://allowed.test/")), requested);
            assertTrue(result.stderr().text().contains("HTTP Error 403"), () -> String.valueOf(result));
        } finally {
            upstream.stop(0);
        }
    }
}
