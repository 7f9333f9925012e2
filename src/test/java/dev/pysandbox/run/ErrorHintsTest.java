package dev.pysandbox.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorHintsTest {
    private static final Config CONFIG = PythonSandbox.builder()
            .mounts(List.of(new Config.DataFolder(Path.of("/home/me/sales"), false)))
            .config();

    private static final ExecutionRequest REQUEST = ExecutionRequest.of("x = 1\n    y = (\n")
            .withDependencies(List.of("pandas==2.3.3", "opencv-python"))
            .withFiles(List.of(new InputFile("in.csv", "a".getBytes(StandardCharsets.UTF_8))));

    private static Optional<String> hint(String stderr) {
        return new ErrorHints(CONFIG, REQUEST, stderr, List.of()).hint();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ImportError: Missing optional dependency 'openpyxl'. Use pip or conda to install. | "pandas==2.3.3", "opencv-python", "openpyxl"]
            ImportError: `Import lxml` failed.  Use pip or conda to install the lxml package. | "lxml"]
            ImportError: libGL.so.1: cannot open shared object file: No such file             | dependencies=["pandas==2.3.3", "opencv-python-headless"]
            ImportError: libcairo.so.2: cannot open shared object file: No such file          | libcairo.so.2
            bs4.exceptions.FeatureNotFound: Couldn't find a tree builder with the features you requested: lxml. | "lxml"]
            NameError: name 'np' is not defined                                               | import numpy as np
            NameError: name 'plt' is not defined                                              | "matplotlib"]
            EOFError: EOF when reading a line                                                 | input()
            FileNotFoundError: [Errno 2] No such file or directory: '/home/x/out.csv'         | files={"out.csv":
            FileNotFoundError: [Errno 2] No such file or directory: 'a.csv'                   | in.csv, data is in /data/sales
            PermissionError: [Errno 13] Permission denied: '/etc/x.txt'                       | "x.txt"
            OSError: [Errno 30] Read-only file system: '/x.txt'                               | "x.txt"
            UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe9 in position 5: invalid   | encoding="latin-1"
            UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid   | encoding="utf-16"
            OSError: [Errno 28] No space left on device                                       | --tmp-size
            RuntimeError: can't start new thread                                              | --max-processes
            _tkinter.TclError: no display name and no $DISPLAY environment variable           | no screen
            """)
    void namesWhatHelps(String stderr, String expected) {
        String hint =
                hint("Traceback (most recent call last):\n" + stderr + "\n").orElse("none");
        assertTrue(hint.contains(expected), hint);
    }

    @Test
    void tellsWhereTheSyntaxIsWrong() {
        String stderr = "  File \"/work/script.py\", line 2\n    y = (\n        ^\nSyntaxError: '(' was never closed\n";
        assertEquals(Optional.of("line 2, column 9: '(' was never closed"), hint(stderr));
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
    void doesNotGuessWildly() {
        assertEquals(Optional.empty(), KnownNames.nearest("zzzz-unheard-of"));
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
            Because there is no version of six==99.0 and. The newest version of six is 1.17.0. | six==99.0        | dependencies=["six==1.17.0"]
            Because only six<=1.17.0 is available and you require six>=99                    | six>=99            | dependencies=["six==1.17.0"]
            we can conclude that you require numpy>=1.26.0. And because you require numpy<1.20, we | pandas,numpy<1.20 | dependencies=["pandas", "numpy"]
            Because you require numpy==2.3.5 and numpy==2.3.4, we can conclude               | numpy==2.3.5,numpy==2.3.4 | dependencies=["numpy"]
            Failed to build `numpy==1.24.0`                                                  | numpy==1.24.0      | dependencies=["numpy"]
            """)
    void saysWhatToInstallInstead(String reason, String asked, String expected) {
        ExecutionRequest request = ExecutionRequest.of("").withDependencies(List.of(asked.split(",", -1)));
        String hint = new InstallHints(request, reason).hint().orElse("none");
        assertTrue(hint.endsWith(expected), hint);
    }
}
