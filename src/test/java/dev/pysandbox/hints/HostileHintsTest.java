package dev.pysandbox.hints;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.InputFile;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.script.ScriptRequirements;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that hints are found quickly and are short, for any script and any error. */
class HostileHintsTest {
    /** Linear time takes one or two seconds, quadratic time takes hours. */
    private static final int SECONDS = 120;

    private static final int LENGTH = 200_000;
    private static final int LONGEST_HINT = 8000;
    private static final Config CONFIG = PythonSandbox.builder().config();
    private static final List<String> ERRORS = List.of(
            "SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?",
            "SyntaxError: invalid syntax",
            "SyntaxError: invalid character",
            "  File \"script.py\", line 1\n    x\n    ^\nSyntaxError: invalid syntax",
            "NameError: name 'np' is not defined",
            "NameError: name 'a' is not defined. Did you mean: 'b'?",
            "AttributeError: module 'collections' has no attribute 'a'",
            "UnicodeDecodeError: a",
            "UnicodeEncodeError: a",
            "ModuleNotFoundError: No module named 'a'",
            "ModuleNotFoundError: No module named 'numpy'",
            "/usr/bin/python: No module named pip\n",
            "ImportError: Missing optional dependency 'a'.",
            "PermissionError: [Errno 13] Permission denied: '/a'",
            "FileNotFoundError: [Errno 2] No such file or directory: 'a/b'",
            "FileNotFoundError: [Errno 2] No such file or directory: '" + "a".repeat(5000) + "'");

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "\n",
                "\n ",
                "print ",
                "print a\n",
                "print a        ",
                "(",
                "open(",
                "open('",
                "'",
                "\"",
                "\"\"\"",
                "import a,",
                "import a\n",
                "import numpy as np\n",
                "from a import b\n",
                "a,",
                "#",
                "#\n",
                "# 'a'\n",
                "# '",
                "!pip install a\n",
                "!pip install a b c d e f g h i j\n",
                "%",
                "os.system('pip install a')\n",
                "os.system(pip ",
                "encoding=",
                "encoding  ",
                "a.",
                "np",
                "\u201c",
                "```"
            })
    @Timeout(SECONDS)
    void aLongScript(String part) {
        String filler = part.repeat(LENGTH / part.length());
        for (String script : List.of(filler, "print " + filler + "x", "import " + filler, "x = '''\n" + filler)) {
            for (String error : ERRORS) {
                hint(script, List.of(), error + "\n");
            }
            for (String reason : List.of("Because a was not found in the package registry", "Failed to build a==1")) {
                new InstallHints(ExecutionRequest.of(script), new InstallException(reason)).hint();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "\n",
                "a",
                "a.",
                "1",
                "lib",
                "'",
                "name 'a'",
                "pip install ",
                "script.py\", line 1\n    ",
                "SyntaxError: a\n",
                "AttributeError: no attribute 'a'",
                "No such file or directory: '",
                "FileNotFoundError: No such file or directory: 'a'\n",
                "ModuleNotFoundError: No module named 'a.a'\n"
            })
    @Timeout(SECONDS)
    void aLongErrors(String part) {
        String stderr = part.repeat(LENGTH / part.length());
        hint("import a", List.of(), stderr);
        hint("import a", List.of(), stderr + "\nSyntaxError: a\n");
        new InstallHints(ExecutionRequest.of(""), new InstallException(stderr)).hint();
        RequirementHints.hint(List.of(stderr, "a" + stderr, "pip install " + stderr));
        new Hints(CONFIG, ExecutionRequest.of(""), none(), "", List.of(), List.of())
                .afterTimeout(Duration.ofSeconds(1), stderr);
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 200, 4000})
    @Timeout(SECONDS)
    void manyFilesWithLongNames(int length) {
        List<InputFile> files = IntStream.range(0, 300)
                .mapToObj(number -> new InputFile("g".repeat(length) + number, "x".getBytes(StandardCharsets.UTF_8)))
                .toList();
        String name = "g".repeat(length + 2);
        hint("open('" + name + "')", files, "FileNotFoundError: No such file or directory: '" + name + "'\n");
    }

    private static void hint(String script, List<InputFile> files, String stderr) {
        ExecutionRequest request = ExecutionRequest.of(script).withFiles(files);
        Optional<String> hint = new Hints(CONFIG, request, none(), "Traceback\n" + stderr, List.of(), List.of())
                .afterError(Optional.empty());
        assertTrue(hint.map(String::length).orElse(0) <= LONGEST_HINT, stderr);
    }

    private static ScriptRequirements none() {
        return new ScriptRequirements(Optional.empty(), List.of(), List.of());
    }
}
