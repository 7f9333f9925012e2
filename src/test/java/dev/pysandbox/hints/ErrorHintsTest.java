package dev.pysandbox.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.InputFile;
import dev.pysandbox.api.ProducedFile;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.environment.install.NearestVersions;
import dev.pysandbox.script.PythonScript;
import dev.pysandbox.script.ScriptRequirements;
import dev.pysandbox.support.ByteSize;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorHintsTest {
    private static final Config CONFIG = PythonSandbox.builder()
            .mounts(List.of(new Config.DataFolder(Path.of("/home/me/sales"), false)))
            .config();

    /** Contains the names in the errors below. */
    private static final String SCRIPT = """
        x = 1
            y = (
        from collections import Mapping
        from math import sqr
        np, plt, json, jso, math.sqr(4), np.float_
        for name in "a.xls", "/mnt/data/in.csv", "In.csv", "/etc/x.txt", "/x.txt", "/home/x/out.csv", "../up.csv":
            open(name)
        """;

    private static final ExecutionRequest REQUEST = ExecutionRequest.of(SCRIPT)
            .withDependencies(List.of("pandas==2.3.3", "opencv-python"))
            .withFiles(List.of(new InputFile("in.csv", "a".getBytes(StandardCharsets.UTF_8))));

    private static Optional<String> hint(String stderr) {
        return hint(REQUEST, stderr);
    }

    private static Optional<String> hint(ExecutionRequest request, String stderr) {
        return new SourceHints(request, "\n" + stderr)
                .hint()
                .or(() -> new ErrorHints(CONFIG, request, "\n" + stderr, List.of()).hint());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ImportError: Missing optional dependency 'openpyxl'. Use pip or conda to install. | "pandas==2.3.3", "opencv-python", "openpyxl"]
        ImportError: `Import lxml` failed.  Use pip or conda to install the lxml package. | "lxml"]
        ImportError: libGL.so.1: cannot open shared object file: No such file             | dependencies=["pandas==2.3.3", "opencv-python-headless"]
        ImportError: libcairo.so.2: cannot open shared object file: No such file          | a system library is not in the sandbox
        bs4.exceptions.FeatureNotFound: Couldn't find a tree builder with the features you requested: lxml. | "lxml"]
        NameError: name 'np' is not defined                                               | import numpy as np
        NameError: name 'plt' is not defined                                              | "matplotlib"]
        EOFError: EOF when reading a line                                                 | input()
        FileNotFoundError: [Errno 2] No such file or directory: '/home/x/out.csv'         | in.csv, data is in /data/sales. A script opens
        FileNotFoundError: [Errno 2] No such file or directory: 'a.xls'                   | in.csv, data is in /data/sales. Pass its content as files={"a.xls":
        AttributeError: `np.float_` was removed in the NumPy 2.0 release. Use `np.float64` instead. | replace "np.float_" with "np.float64"
        FileNotFoundError: [Errno 2] No such file or directory: '/mnt/data/in.csv'        | replace "/mnt/data/in.csv" with "in.csv"
        FileNotFoundError: [Errno 2] No such file or directory: 'In.csv'                  | replace "In.csv" with "in.csv"
        NameError: name 'jso' is not defined. Did you mean: 'json'?                       | replace "jso" with "json"
        NameError: name 'json' is not defined. Did you forget to import 'json'?           | put this line first: "import json"
        AttributeError: module 'math' has no attribute 'sqr'. Did you mean: 'sqrt'?       | replace ".sqr" with ".sqrt"
        ImportError: cannot import name 'sqr' from 'math' (unknown location). Did you mean: 'sqrt'? | replace "sqr" with "sqrt"
        ImportError: cannot import name 'Mapping' from 'collections' (/x/__init__.py)     | replace "from collections import" with "from collections.abc import"
        PermissionError: [Errno 13] Permission denied: '/etc/x.txt'                       | "x.txt"
        OSError: [Errno 30] Read-only file system: '/x.txt'                               | "x.txt"
        UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe9 in position 5: invalid   | encoding='latin-1'
        UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid   | encoding='utf-16'
        OSError: [Errno 28] No space left on device                                       | --tmp-size
        RuntimeError: can't start new thread                                              | --max-processes
        inotify_c.py, line 9: OSError: [Errno 38] Function not implemented                | does not report changes of files (inotify)
        watchfiles: Function not implemented (os error 38)                                | WATCHFILES_FORCE_POLLING
        AttributeError: module 'math' has no attribute 'sqr'. Did you mean: 'unsqr'?      | none
        _tkinter.TclError: no display name and no $DISPLAY environment variable           | no screen
        """)
    void namesWhatHelps(String stderr, String expected) {
        String hint =
                hint("Traceback (most recent call last):\n" + stderr + "\n").orElse("none");
        assertTrue(hint.contains(expected), hint);
    }

    @Test
    void tellsALargeRequestFromMuchMemory() throws Exception {
        ScriptRequirements declared = ScriptRequirements.merge(PythonScript.parse(SCRIPT), List.of(), "3.13");
        String stderr = "Traceback\nnumpy._core._exceptions._ArrayMemoryError: Unable to allocate 7 TiB\n";
        Hints hints = new Hints(CONFIG, REQUEST, declared, stderr, List.of(), List.of());
        Optional<ByteSize> little = Optional.of(ByteSize.parse("30m"));
        Optional<ByteSize> much = Optional.of(ByteSize.parse("1900m"));
        assertTrue(hints.afterError(little).orElse("").contains("one request for memory"));
        assertTrue(hints.afterError(much).orElse("").contains("needs more than the limit"));
    }

    /** A hint never repeats a name from the output that is neither in the script's text nor in the lists. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "FileNotFoundError: [Errno 2] No such file or directory: '/root/.ssh/evil'",
                "FileNotFoundError: [Errno 2] No such file or directory: '~/evil'",
                "FileNotFoundError: [Errno 2] No such file or directory: '../evil'",
                "FileNotFoundError: [Errno 2] No such file or directory: 'evil'",
                "File \"/usr/lib/subprocess.py\", line 1\n"
                        + "FileNotFoundError: [Errno 2] No such file or directory: 'evil'",
                "PermissionError: [Errno 13] Permission denied: '/evil'",
                "OSError: [Errno 30] Read-only file system: '/etc/evil'",
                "ImportError: Missing optional dependency 'evil'.",
                "please pip install evil",
                "please conda install `evil`",
                "Couldn't find a tree builder with the features you requested: evil",
                "tried using: 'evil'",
                "ImportError: libevil.so.1: cannot open shared object file",
                "NameError: name 'x' is not defined. Did you forget to import 'evil'?",
                "NameError: name 'x' is not defined. Did you mean: 'evil'?",
                "NameError: name 'evi' is not defined. Did you mean: 'evil'?",
                "AttributeError: no attribute 'sqr'. Did you mean: 'evil'?",
                "AttributeError: `np.x` was removed in the NumPy 2.0 release. Use `np.evil` instead.",
                "AttributeError: module 'collections' has no attribute 'evil'",
                "  File \"/work/script.py\", line 2\n    y = (\n        ^\nSyntaxError: evil",
                "  File \"/work/script.py\", line 2\n    y = (\n        ^\nSyntaxError: invalid 'evil' here",
                "  File \"/work/script.py\", line 1, in <module>\n    open('evil')\nUnicodeDecodeError: x",
                "ModuleNotFoundError: No module named 'evil'"
            })
    void repeatsNoNameThatItDidNotVerify(String stderr) throws Exception {
        ScriptRequirements declared = ScriptRequirements.merge(PythonScript.parse(SCRIPT), List.of(), "3.13");
        Hints hints = new Hints(CONFIG, REQUEST, declared, "Traceback\n" + stderr + "\n", List.of(), List.of());
        assertFalse(hints.afterError(Optional.empty()).orElse("").contains("evil"), stderr);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Because evil was not found in the package registry",
                "there is no version of evil==1. The versions of evil nearest to it: 1.0.",
                "Because only six==evil is available",
                "Because only evil==1.0 is available",
                "Failed to build evil==1.0",
                "And because you require evil==1.0"
            })
    void proposesOnlyWhatWasAskedFor(String reason) {
        ExecutionRequest request = ExecutionRequest.of("").withDependencies(List.of("six==99"));
        assertEquals(Optional.empty(), new InstallHints(request, new InstallException(reason)).hint());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        six==99.0   | six  | 1.17.0        | call again with dependencies=["six==1.17.0"]
        six==1.15.5 | six  | 1.15.0,1.16.0 | call again with dependencies=["six==1.15.0"]
        six[a]==99  | six  | 1.17.0        | call again with dependencies=["six[a]==1.17.0"]
        six==99.0   | evil | 1.0           | none
        six==99.0   | six  | evil          | none
        """)
    void proposesTheVersionNearestToAMissingOne(String asked, String project, String versions, String expected) {
        NearestVersions nearest = new NearestVersions(project, List.of(versions.split(",", -1)));
        InstallException failure = new InstallException("No.", Optional.of(nearest));
        ExecutionRequest request = ExecutionRequest.of("").withDependencies(List.of(asked));
        assertEquals(expected, new InstallHints(request, failure).hint().orElse("none"));
        assertEquals(
                "No. The versions of " + project + " nearest to it: " + versions.replace(",", ", ") + ".",
                failure.getMessage());
    }

    @Test
    void namesNoProducedFileThatTheScriptDoesNotName() {
        List<ProducedFile> made = Stream.of("ok.csv", "evil; call again", "evil\u202e", "../evil", "evil".repeat(60))
                .map(name -> new ProducedFile(name, "text/csv", 0, Optional.empty(), new byte[0], Optional.empty()))
                .toList();
        String hint = new ErrorHints(
                        CONFIG, REQUEST, "\nFileNotFoundError: [Errno 2] No such file or directory: 'a.xls'\n", made)
                .hint()
                .orElseThrow();
        assertTrue(hint.contains("the working folder holds in.csv, data is in"), hint);
        assertFalse(hint.contains("evil"), hint);
    }

    @Test
    void quotesTheLastLineOfAScriptThatTookTooLong() {
        Hints hints = new Hints(CONFIG, REQUEST, none(), "", List.of(), List.of());
        assertEquals(
                "stopped after 5 s; the last line it printed was: \"dependencies=[\\\"evil\\\"] \\u202e"
                        + "x".repeat(77) + "...\"; if it needs longer, call again with timeout_seconds=50",
                hints.afterTimeout(Duration.ofSeconds(5), "dependencies=[\"evil\"] \u202e" + "x".repeat(300)));
    }

    private static ScriptRequirements none() {
        return new ScriptRequirements(Optional.empty(), List.of(), List.of());
    }

    @Test
    void tellsOfAFewRefusedHosts() {
        List<String> refused =
                IntStream.range(0, 1000).mapToObj(n -> "host" + n + ":80").toList();
        Hints hints = new Hints(CONFIG, REQUEST, none(), "", refused, List.of());
        assertTrue(hints.afterError(Optional.empty()).orElseThrow().contains("host4:80 and 995 more;"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'(' was never closed",
                "invalid syntax. Perhaps you forgot a comma?",
                "invalid syntax. Maybe you meant '==' or ':=' instead of '='?",
                "unterminated string literal (detected at line 1)",
                "closing parenthesis ']' does not match opening parenthesis '('",
                "expected an indented block after 'for' statement on line 3",
                "unindent does not match any outer indentation level",
                "cannot assign to function call here. Maybe you meant '==' instead of '='?",
                "f-string: expecting '}'",
                "expected 'except' or 'finally' block",
                "inconsistent use of tabs and spaces in indentation",
                "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers",
                "unexpected character after line continuation character",
                "positional argument follows keyword argument",
                "parameter without a default follows parameter with a default",
                "'return' outside function",
                "unexpected EOF while parsing",
                "from __future__ imports must occur at the beginning of the file",
                "unterminated triple-quoted string literal (detected at line 2)"
            })
    void knowsTheCompilersMessages(String message) {
        assertTrue(SyntaxMessages.isOne(message, new ScriptText(SCRIPT)));
    }

    @Test
    void tellsWhereTheSyntaxIsWrong() {
        String stderr = "  File \"/work/script.py\", line 2\n    y = (\n        ^\nSyntaxError: '(' was never closed\n";
        assertEquals(Optional.of("line 2, column 9: '(' was never closed"), hint(stderr));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        print "a"                    | SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)? | replace "print \\"a\\"" with "print(\\"a\\")"
        print(\u201ca\u201d)         | SyntaxError: invalid character '\u201c' (U+201C)     | replace "\\u201c" with "\\"", replace "\\u201d" with "\\""
        !pip install -q six 'rich>14'| SyntaxError: invalid syntax   | leave out the lines that start with "!" and call again with dependencies=["six", "rich>14"]
        %matplotlib inline           | SyntaxError: invalid syntax   | leave out the lines that start with "%"
        ```python                    | SyntaxError: invalid syntax   | leave out the lines that start with "```"
        x = open('a.txt').read()     | UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe9 | replace "open('a.txt')" with "open('a.txt', encoding='latin-1')"
        """)
    void saysHowToChangeTheScript(String script, String error, String expected) {
        String hint =
                hint(ExecutionRequest.of(script), "Traceback\n" + error + "\n").orElse("none");
        assertTrue(hint.endsWith(expected), hint);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        six=1.17.0             | six==1.17.0
        six 1.17.0             | six==1.17.0
        six@1.17.0             | six==1.17.0
        pip install six        | six
        requests[socks]=2.32.5 | requests[socks]==2.32.5
        """)
    void knowsWhatALooseRequirementMeans(String loose, String meant) {
        assertEquals(
                Optional.of("call again with dependencies=[\"rich\", \"" + meant + "\"]"),
                RequirementHints.hint(List.of("rich", loose)));
        assertEquals(Optional.empty(), RequirementHints.hint(List.of("rich", "../x", loose)));
    }

    @Test
    void aLineNumberBeyondAnyIntegerIsNoPlace() {
        String stderr = "  File \"/work/script.py\", line " + "9".repeat(40) + "\n    x\n    ^\nSyntaxError: invalid\n";
        assertEquals(Optional.empty(), hint(stderr));
    }

    @Test
    void hasNothingToSayOfOrdinaryErrors() {
        assertEquals(Optional.empty(), hint("Traceback\nZeroDivisionError: division by zero\n"));
        assertEquals(Optional.empty(), hint(""));
    }

    @ParameterizedTest
    @CsvSource({"reqests,requests", "nunpy,numpy", "pandsa,pandas", "sklearn,scikit-learn", "cv2,opencv-python-headless"
    })
    void knowsWhatAMisspeltNameMeans(String wrong, String right) {
        assertEquals(Optional.of(right), KnownNames.nearest(wrong));
    }

    @Test
    void addsAllThatWouldBeMissingNext() throws Exception {
        String script = """
            import os, requests, my_helper
            import numpy as np
            from bs4 import BeautifulSoup
            from google.cloud import storage
            try:
                import lxml
            except ImportError:
                pass
            import six
            import unheard_of
            """;
        ExecutionRequest request = ExecutionRequest.of(script)
                .withDependencies(List.of("six==1.17.0"))
                .withFiles(List.of(
                        new InputFile("my_helper.py", new byte[0]), new InputFile("requests.csv", new byte[0])));
        ScriptRequirements declared =
                ScriptRequirements.merge(PythonScript.parse(script), request.dependencies(), "3.13");
        String stderr = "\nTraceback\nModuleNotFoundError: No module named 'requests'\n";
        assertEquals(
                Optional.of("module requests is not installed; call again with"
                        + " dependencies=[\"six==1.17.0\", \"requests\", \"numpy\", \"beautifulsoup4\","
                        + " \"google-cloud-storage\"]"),
                new MissingModule(request, declared, stderr).hint());
    }

    @ParameterizedTest
    @CsvSource({"colections,collections", "nunpy,numpy", "maths,math", "jsn,json", "nmpy,numpy", "tiem,time"})
    void knowsWhatAMisspeltImportMeans(String wrong, String right) {
        assertEquals(Optional.of(right), KnownNames.nearestModule(wrong));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "typing_extensions",
                "requests",
                "IPython",
                "huggingface_hub",
                "orjson",
                "rich",
                "unheard_of",
                "ply",
                "ase",
                "js"
            })
    void leavesImportsThatMayBeRight(String module) {
        assertEquals(Optional.empty(), KnownNames.nearestModule(module));
    }

    @Test
    void doesNotGuessWildly() {
        assertEquals(Optional.empty(), KnownNames.nearest("zzzz-unheard-of"));
    }

    @Test
    void noTypicalNameOfALocalModuleIsThatOfAKnownPackage() {
        assertEquals(
                List.of(),
                Distributions.lines("local_modules.txt")
                        .filter(name -> KnownNames.isStandard(name)
                                || KnownNames.provider(name).isPresent())
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        yaml      | add "pyyaml" to the dependencies
        helpers   | Pass a module of your own as files={"helpers.py": "..."}
        jsn       | did you mean json?
        my_module | a package of this name may not be what is meant. Pass a module of your own as files={"my_module.py": "..."}
        """)
    void advisesOnModulesThatNoDependencyProvides(String module, String expected) {
        assertEquals(expected, Distributions.advice(module));
    }

    @Test
    void theTableNamesOnlyWhatDiffers() {
        List<String> entries = Distributions.lines("distributions.properties").toList();
        assertTrue(entries.size() > 300, () -> entries.size() + " entries");
        List<String> modules =
                entries.stream().map(entry -> entry.split("=", 2)[0]).toList();
        assertEquals(modules.stream().sorted().distinct().toList(), modules);
        for (String entry : entries) {
            String[] pair = entry.split("=", 2);
            String guess = pair[0].split("\\.", 2)[0].toLowerCase(Locale.ROOT).replace('_', '-');
            assertTrue(!guess.equals(pair[1]) || pair[0].contains("."), entry);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "google.cloud.storage,google-cloud-storage",
        "google.protobuf.message,protobuf",
        "yaml,pyyaml",
        "some_thing.inner,some-thing"
    })
    void knowsWhoProvidesAModule(String module, String distribution) {
        assertEquals(distribution, Distributions.providing(module));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Because reqests was not found in the package registry and you require reqests    | reqests,six        | dependencies=["requests", "six"]
        there is no version of six==99.0 and. The versions of six nearest to it: 9.9.             | six==99.0  | dependencies=["six"]
        Because json was not found in the package registry and you require json          | json,six           | dependencies=["six"]
        Because sqlite3 was not found in the package registry and you require sqlite3    | json,sqlite3,six   | dependencies=["six"]
        Because only six<=1.17.0 is available and you require six>=99                    | six>=99            | dependencies=["six==1.17.0"]
        we can conclude that you require numpy>=1.26.0. And because you require numpy<1.20, we | pandas,numpy<1.20 | dependencies=["pandas", "numpy"]
        Because you require numpy==2.3.5 and numpy==2.3.4, we can conclude               | numpy==2.3.5,numpy==2.3.4 | dependencies=["numpy"]
        Failed to build `numpy==1.24.0`                                                  | numpy==1.24.0      | dependencies=["numpy"]
        """)
    void saysWhatToInstallInstead(String reason, String asked, String expected) {
        ExecutionRequest request = ExecutionRequest.of("").withDependencies(List.of(asked.split(",", -1)));
        String hint =
                new InstallHints(request, new InstallException(reason)).hint().orElse("none");
        assertTrue(hint.endsWith(expected), hint);
    }
}
