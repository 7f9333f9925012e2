package dev.pysandbox.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.Network;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.hints.Hints;
import dev.pysandbox.hints.InstallHints;
import dev.pysandbox.script.PythonScript;
import dev.pysandbox.script.ScriptRequirements;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Translates real hints, so that a test fails if their words change. */
class HintWordsTest {
    /** Words that only an agent understands. */
    private static final List<String> OF_THE_TOOL =
            List.of("call again", "files={", "ask for a server", "server is started", "server was started", "this one");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        call again with dependencies=["six", "rich>14"] | run again with -d six -d 'rich>14'
        call again with dependencies=["a$1\\\\"]        | run again with -d 'a$1\\'
        """)
    void quotesForAShell(String hint, String expected) {
        assertEquals(expected, HintWords.of(hint));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        import yaml                                  | ModuleNotFoundError: No module named 'yaml' | run again with -d pyyaml
        import utils                                 | ModuleNotFoundError: No module named 'utils' | use --mount FOLDER and add /data/NAME to sys.path
        open('a.csv')                                | FileNotFoundError: [Errno 2] No such file or directory: 'a.csv' | there is no a.csv; the working folder holds no files. Use --mount FOLDER: scripts see it as /data/NAME
        f()                                          | FileNotFoundError: [Errno 2] No such file or directory: 'a.csv' | . Use --mount FOLDER: scripts see it as /data/NAME
        requests.get('http://localhost:1')           | ConnectionRefusedError: [Errno 111] Connection refused | servers of this machine can't be reached, except with --network host
        """)
    void anErrorOfTheScript(String script, String stderr, String expected) throws Exception {
        assertEnds(expected, hints(script, Network.INTERNET, stderr, List.of()));
    }

    @Test
    void aVariableOfTheHost() throws Exception {
        String read = "os.environ['KEY']";
        String stderr = "  File \"/work/script.py\", line 1, in <module>\n    " + read + "\n\nKeyError: 'KEY'";
        assertEnds("set KEY in the script, or use --env KEY", hints(read, Network.INTERNET, stderr, List.of()));
    }

    @Test
    void theNetworkOfTheScript() throws Exception {
        String failed = "OSError: [Errno -3] Temporary failure in name resolution";
        assertEnds("the script has no network because of --network none", hints("x", Network.NONE, failed, List.of()));
        assertEnds(
                "the network policy refused a.test; --network host or --allow-host would allow it",
                hints("x", Network.INTERNET, failed, List.of("a.test")));
    }

    @Test
    void aTimeout() throws Exception {
        String hint = hints("x", Network.INTERNET, "", List.of()).afterTimeout(Duration.ofSeconds(1), "");
        assertEnds("; if it needs longer, run again with -t 10", hint);
    }

    @Test
    void aFailedInstallation() {
        assertEnds(
                "json comes with Python; run again without -d",
                install("json", "json was not found in the package registry"));
        assertEnds(
                "leave out torch, or use UV_INDEX set to PyTorch's index for CPUs",
                install("torch", "the installation took longer than 300 s"));
    }

    private static Hints hints(String script, Network network, String stderr, List<String> refused) throws Exception {
        return new Hints(
                PythonSandbox.builder().network(network).config(),
                ExecutionRequest.of(script),
                ScriptRequirements.merge(PythonScript.parse(script), List.of(), "3.13"),
                "Traceback\n" + stderr + "\n",
                refused,
                List.of());
    }

    private static String install(String dependency, String reason) {
        ExecutionRequest request = ExecutionRequest.of("x").withDependencies(List.of(dependency));
        return new InstallHints(request, new InstallException(reason)).hint().orElseThrow();
    }

    private static void assertEnds(String expected, Hints hints) {
        assertEnds(expected, hints.afterError(Optional.empty()).orElseThrow());
    }

    private static void assertEnds(String expected, String hint) {
        String translated = HintWords.of(hint);
        assertTrue(translated.endsWith(expected), translated);
        OF_THE_TOOL.forEach(words -> assertFalse(translated.contains(words), translated));
    }
}
