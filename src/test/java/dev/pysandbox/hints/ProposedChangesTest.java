package dev.pysandbox.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.environment.install.NearestVersions;
import dev.pysandbox.script.PythonScript;
import dev.pysandbox.script.ScriptRequirements;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which changes hints propose, and that they never propose the call that was made. */
class ProposedChangesTest {
    private static final Config CONFIG = PythonSandbox.builder()
            .mounts(List.of(new Config.DataFolder(Path.of("/home/me/sales"), false)))
            .config();

    private static String hint(String script, List<String> dependencies, String stderr) throws Exception {
        ExecutionRequest request = ExecutionRequest.of(script).withDependencies(dependencies);
        ScriptRequirements declared = ScriptRequirements.merge(PythonScript.parse(script), dependencies, "3.13");
        return new Hints(CONFIG, request, declared, "Traceback\n" + stderr + "\n", List.of(), List.of())
                .afterError(Optional.empty())
                .orElse("none");
    }

    private static String line(String text) {
        return "  File \"/work/script.py\", line 1, in <module>\n    " + text + "\n";
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        df = df.append({'a': 2}, ignore_index=True) | AttributeError: 'DataFrame' object has no attribute 'append'. Did you mean: '_append'? | replace "df.append({'a': 2}, ignore_index=True)" with "pd.concat([df, pd.DataFrame([{'a': 2}])], ignore_index=True)"
        a = a.append(b)                             | AttributeError: 'DataFrame' object has no attribute 'append'. Did you mean: '_append'? | replace "a.append(b)" with "pd.concat([a, b])"
        a = a.append(f(g(1)))                       | AttributeError: 'DataFrame' object has no attribute 'append'. Did you mean: '_append'? | use pd.concat([df, pd.DataFrame([row])])
        df.iteritems()                              | AttributeError: 'DataFrame' object has no attribute 'iteritems'. Did you mean: 'isetitem'? | replace ".iteritems" with ".items"
        from scipy.integrate import trapz           | ImportError: cannot import name 'trapz' from 'scipy.integrate' (/x.py) | replace "trapz" with "trapezoid"
        Image.ANTIALIAS                             | AttributeError: module 'PIL.Image' has no attribute 'ANTIALIAS'  | replace ".ANTIALIAS" with ".LANCZOS"
        datetime.now()                              | AttributeError: module 'datetime' has no attribute 'now'          | replace "datetime.now" with "datetime.datetime.now"
        from .helper import double                  | ImportError: attempted relative import with no known parent package | replace "from .helper import " with "from helper import "
        from . import helper                        | ImportError: attempted relative import with no known parent package | replace "from . import " with "import "
        x = null                                    | NameError: name 'null' is not defined                              | replace "null" with "None"
        print(df.head())                            | NameError: name 'df' is not defined                                | the script does not define df, and nothing is kept between calls
        get_ipython().magic('x')                    | NameError: name 'get_ipython' is not defined                       | leave out the lines that start with "get_ipython()"
        print(asyncio.run(f(1)))                    | RuntimeError: asyncio.run() cannot be called from a running event loop | replace "asyncio.run(f(1))" with "await f(1)"
        os.environ['API_KEY']                       | KeyError: 'API_KEY'                                                | --env API_KEY
        print(sys.argv[1])                          | IndexError: list index out of range                                | no command line arguments
        open('/home/me/sales/a.csv')                | FileNotFoundError: [Errno 2] No such file or directory: '/home/me/sales/a.csv' | replace "/home/me/sales" with "/data/sales"
        import turtle                               | _tkinter.TclError: Can't find a usable init.tcl                    | draw with matplotlib or Pillow instead of turtle
        import tkinter                              | ModuleNotFoundError: No module named '_tkinter'                    | there is no screen, so no windows can be opened
        cv2.imshow('My window', x)                  | cv2.error: OpenCV(5.0.0) Rebuild the library with Windows, GTK+ 2.x | replace "cv2.imshow('My window'," with "cv2.imwrite(\\"My_window.png\\","
        urlopen('http://localhost:8000')            | urllib.error.URLError: <urlopen error [Errno 111] Connection refused> | localhost is the sandbox itself
        get('https://no.example/x')                 | Caused by ProxyError('x', OSError('Tunnel connection failed: 502 Bad Gateway')) | no.example can't be reached
        aiohttp.ClientSession()                     | [Temporary failure in name resolution]                             | replace "aiohttp.ClientSession()" with "aiohttp.ClientSession(trust_env=True)"
        ClientSession(timeout=3)                    | [Temporary failure in name resolution]                             | replace "ClientSession(" with "ClientSession(trust_env=True, "
        urllib3.PoolManager()                       | [Errno -3] Temporary failure in name resolution                    | replace "urllib3.PoolManager(" with "urllib3.ProxyManager(os.environ[\\"HTTPS_PROXY\\"], " and put this line first: "import os"
        import urllib2                              | ModuleNotFoundError: No module named 'urllib2'                     | replace "import urllib2" with "import urllib.request as urllib2"
        """)
    void changesTheScript(String script, String error, String expected) throws Exception {
        String hint = hint(script, List.of(), line(script) + error);
        assertTrue(hint.contains(expected), hint);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        >>> print(1)     | SyntaxError: invalid syntax          | keep only the lines that start with ">>> " or "... "
        '    x = 1'      | IndentationError: unexpected indent  | remove the first 4 characters of every line
        for x in y:      | TabError: inconsistent use of tabs and spaces in indentation | replace "\\u0009" with "    "
        """)
    void changesTheTextAroundAScript(String script, String error, String expected) throws Exception {
        String hint = hint(script, List.of(), error);
        assertTrue(hint.contains(expected), hint);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        import helpers          | helpers     | there is no module helpers. Pass a module of your own as files={"helpers.py": "..."}
        from utils import load  | utils       | there is no module utils. Pass a module of your own as files={"utils.py": "..."}
        from utils.a import b   | utils       | there is no module utils. Pass a module of your own as files={"utils/a.py": "..."}
        import jsn              | jsn         | there is no module jsn; if json is meant, replace "jsn" with "json"
        import my_sums          | my_sums     | module my_sums is not installed, and a package of this name may not be what is meant. Pass a module of your own as files={"my_sums.py": "..."}
        import zeug             | zeug        | module zeug is not installed, and a package of this name may not be what is meant; if it is, call again with dependencies=["zeug"]. Pass a module of your own as files={"zeug.py": "..."}
        """)
    void proposesNoPackageForAModuleInNoListWithoutADoubt(String script, String module, String expected)
            throws Exception {
        String error = line(script) + "ModuleNotFoundError: No module named '" + module + "'";
        assertEquals(expected, hint(script, List.of(), error));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        import pip; pip.main(['install','six'])                               | replace "pip.main(['install','six'])" with "None", replace "import pip" with "pass" and call again with dependencies=["six"]
        from pip._internal import main; main(['install', '-q', 'six', 'rich']) | replace "main(['install', '-q', 'six', 'rich'])" with "None", replace "from pip._internal import main" with "pass" and call again with dependencies=["six", "rich"]
        import pip; pip.main(['install', name])                               | replace "pip.main(['install', name])" with "None", replace "import pip" with "pass", and name the packages as dependencies
        import pip; print(pip.__version__)                                    | call again with dependencies=["pip"]
        """)
    void removesCallsOfPipAsAModule(String script, String expected) throws Exception {
        String hint = hint(script, List.of(), line(script) + "ModuleNotFoundError: No module named 'pip'");
        assertTrue(hint.endsWith(expected), hint);
    }

    @ParameterizedTest
    @CsvSource({
        "'for x in y:\n\ta = 1\n        b = 1', 8",
        "'for x in y:\n    a = 1\n\tb = 1', 4",
        "'for x in y:\n\ta = 1\n  b = 1', 2",
        "'if x:\n  if y:\n\ta = 1\n        b = 1\nc = 1', 8",
        "'\tx', 4"
    })
    void findsHowWideATabIs(String script, int width) {
        assertEquals(width, new Indentation(script).tabWidth());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        docx | from exceptions import x | import docx | ModuleNotFoundError: No module named 'exceptions'  | "python-docx"
        jwt  | jwt.encode()             | import jwt  | AttributeError: module 'jwt' has no attribute 'encode' | "pyjwt"
        """)
    void replacesAPackageThatOnlyHasTheNameOfTheModule(
            String wrong, String failed, String script, String error, String right) throws Exception {
        String hint = hint(script, List.of(wrong), line(script) + failed + "\n" + error);
        assertTrue(hint.endsWith("call again with dependencies=[" + right + "]"), hint);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        sklearn                     | Failed to build `sklearn==0.0.post12`          | dependencies=["scikit-learn"]
        psycopg2==2.9.9             | Failed to build `psycopg2==2.9.9`              | dependencies=["psycopg2-binary"]
        mysqlclient                 | Failed to build `mysqlclient==2.3.1`           | put this line first: "import pymysql; pymysql.install_as_MySQLdb()" and call again with dependencies=["pymysql"]
        opencv                      | Because opencv was not found in the package registry | dependencies=["opencv-python-headless"]
        PIL                         | Because pil was not found in the package registry | dependencies=["pillow"]
        pandas==2.3.3,numpy==1.20   | Because pandas==2.3.3 depends on numpy>=1.26.0 and you require numpy==1.20, we can conclude. And because you require pandas==2.3.3, no. | dependencies=["pandas==2.3.3", "numpy"]
        pycairo                     | Failed to build `pycairo==1.29.2`              | use another package for the same purpose
        torch                       | Installing the dependencies took longer than 300 s | PyTorch's index for CPUs
        """)
    void changesTheDependencies(String asked, String reason, String expected) {
        ExecutionRequest request = ExecutionRequest.of("").withDependencies(List.of(asked.split(",", -1)));
        String hint =
                new InstallHints(request, new InstallException(reason)).hint().orElse("none");
        assertTrue(hint.contains(expected), hint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"psycopg3", "mysqlclient2", "pycairo", "six"})
    void neverProposesTheSamePackages(String project) {
        ExecutionRequest request = ExecutionRequest.of("").withDependencies(List.of(project));
        for (String reason : List.of("Failed to build `%s==1.0`", "Because there are no versions of %s==1 and")) {
            String hint = new InstallHints(request, new InstallException(String.format(reason, project)))
                    .hint()
                    .orElse("none");
            assertFalse(hint.contains("call again"), hint);
        }
    }

    @Test
    void namesTheNearestVersionWithAWheel() {
        NearestVersions nearest = new NearestVersions(
                "scipy",
                List.of("1.14.1"),
                Optional.of(new NearestVersions.Wheels("1.7.0", "3.13", Optional.of("3.9"))));
        InstallException failure = new InstallException("Failed to build `numpy==1.22.4`", Optional.of(nearest));
        assertTrue(String.valueOf(failure.getMessage())
                .endsWith("scipy 1.7.0 has no wheel for Python 3.13; the newest Python that it has one for is 3.9."
                        + " The nearest version that has one: 1.14.1."));
        ExecutionRequest request = ExecutionRequest.of("").withDependencies(List.of("scipy==1.7.0"));
        assertEquals(
                Optional.of("call again with dependencies=[\"scipy==1.14.1\"]"),
                new InstallHints(request, failure).hint());
    }

    @Test
    void findsTheLineOfACrashOnce() {
        Hints hints = hints("import ctypes", "");
        assertTrue(
                hints.afterCrash(11).contains("put this line first: \"import faulthandler; faulthandler.enable()\""));
        assertFalse(hints("import faulthandler", "Fatal Python error: x")
                .afterCrash(11)
                .contains("put"));
    }

    @Test
    void namesTheLimitOfProcessesAfterATimeout() {
        String stderr = "environment: fork: retry: Resource temporarily unavailable\n";
        assertTrue(hints("", stderr).afterTimeout(Duration.ofSeconds(5), "").contains("--max-processes"));
    }

    private static Hints hints(String script, String stderr) {
        ScriptRequirements none = new ScriptRequirements(Optional.empty(), List.of(), List.of());
        return new Hints(CONFIG, ExecutionRequest.of(script), none, stderr, List.of(), List.of());
    }
}
