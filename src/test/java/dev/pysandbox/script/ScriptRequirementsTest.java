package dev.pysandbox.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptRequirementsTest {

    @Test
    void joinsInOrderAndDropsOnlyTheSame() throws InvalidScriptException {
        PythonScript script = PythonScript.parse(
                "# /// script\n# dependencies = ['Zope>=1', 'numpy ==2.1', 'zope >= 1']\n# x = 1\n# ///\n");

        ScriptRequirements merged = ScriptRequirements.merge(
                script, List.of("ZOPE>=1", "numpy<2", "numpy; os_name=='nt'", "attrs"), "3.13");

        assertEquals(
                List.of("zope>=1", "numpy==2.1", "numpy<2", "numpy; os_name == \"nt\"", "attrs"),
                merged.dependencies());
        assertEquals(
                List.of("attrs", "numpy; os_name == \"nt\"", "numpy<2", "numpy==2.1", "zope>=1"),
                merged.sortedDependencies());
        assertEquals(script.warnings(), merged.warnings());
        assertEquals(1, merged.warnings().size());
    }

    @Test
    void sortedDependenciesDoNotDependOnOrder() throws InvalidScriptException {
        PythonScript plain = PythonScript.parse("");
        assertEquals(
                ScriptRequirements.merge(plain, List.of("b", "a[y,x]>=1,<2"), "3.13")
                        .sortedDependencies(),
                ScriptRequirements.merge(plain, List.of("A [X, Y] (<2,>=1)", "B", "b"), "3.13")
                        .sortedDependencies());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ">=3.13",
                ">=3.13.2",
                "<3.14",
                "==3.13.*",
                "==3.13",
                "!=3.13.0",
                "!=3.13.0,!=3.13.1,!=3.13.2",
                "~=3.12",
                "~=3.13.0",
                "~=3.13.5",
                "~=3.0",
                ">3.13",
                ">3.13.7",
                "<=3.13",
                "<=3.13.0",
                "<3.13.1",
                "===3.13.2",
                ">=3.8,<4",
                "==3.*",
                ">=3.13.2,<3.13.3",
                ">=3.13.0rc1",
                "==3.13.0rc1",
                "!=3.12.*",
                ">3.12",
                ">=3.13.99999999999999999999",
                "==3.13.4.*",
                ">=3.13.0a1,<3.13.0rc1"
            })
    void chosenPythonSuits(String requiresPython) throws InvalidScriptException {
        ScriptRequirements merged = ScriptRequirements.merge(requiring(requiresPython), List.of(), "3.13");
        assertEquals(requiresPython, merged.requiresPython().orElseThrow().written());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ">=3.14", "<3.13", "==3.12.*", "!=3.13.*", "~=3.14", "~=3.12.0", "===3.13", "===3.12.1", "==3.12",
                ">3.13,<3.13.1", "<3", ">=4", "==3.14", ">=3.13.2,<3.13.2", ">=1!3", "<=3.12", "<3.13.0", "===python",
                "==3.13.0,!=3.13.0", "==2.7.*"
            })
    void chosenPythonDoesNotSuit(String requiresPython) {
        String message = assertThrows(
                        InvalidScriptException.class,
                        () -> ScriptRequirements.merge(requiring(requiresPython), List.of(), "3.13"))
                .getMessage();
        assertTrue(message.contains("'" + requiresPython + "'") && message.contains("Python 3.13,"), message);
    }

    @Test
    void chosenPatchStandsForItself() throws InvalidScriptException {
        ScriptRequirements.merge(requiring(">=3.13.2"), List.of(), "3.13.2");
        assertThrows(
                InvalidScriptException.class,
                () -> ScriptRequirements.merge(requiring(">=3.13.2"), List.of(), "3.13.1"));
    }

    @Test
    void chosenPythonMustBeAVersion() {
        assertThrows(
                IllegalArgumentException.class, () -> ScriptRequirements.merge(requiring(">=3"), List.of(), "three"));
    }

    private static PythonScript requiring(String requiresPython) throws InvalidScriptException {
        return PythonScript.parse("# /// script\n# requires-python = '" + requiresPython + "'\n# ///\n");
    }

    @Test
    void refusesWhatTheCallerAdds() throws InvalidScriptException {
        PythonScript script = PythonScript.parse("# /// script\n# dependencies = ['a']\n# ///\n");
        String message = assertThrows(
                        InvalidScriptException.class,
                        () -> ScriptRequirements.merge(script, List.of("b", "-c x"), "3.13"))
                .getMessage();
        assertEquals("dependency '-c x': starts with '-', but options are not supported: name a package", message);
        assertThrows(
                InvalidScriptException.class,
                () -> ScriptRequirements.merge(script, Collections.nCopies(200, "b"), "3.13"));
        assertEquals(
                2,
                ScriptRequirements.merge(script, Collections.nCopies(199, "b"), "3.13")
                        .dependencies()
                        .size());
    }
}
