package dev.pysandbox.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.Config.Policy;
import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.PythonScript;
import dev.pysandbox.script.ScriptRequirements;
import dev.pysandbox.supervisor.Task;
import dev.pysandbox.support.ByteSize;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ScriptPlanTest {
    @Test
    void anAgeOfPackagesRefusesUrls() throws InvalidScriptException {
        Optional<Duration> age = Optional.of(Duration.ofDays(30));
        ScriptRequirements url = requirements("six @ https://files.example/six-1.17.0.whl");
        ScriptPlan.check(url, Policy.OPEN, Optional.empty());
        ScriptPlan.check(url, Policy.OPEN, Optional.of(Duration.ZERO));
        ScriptPlan.check(requirements("six"), Policy.OPEN, age);
        String problem = assertThrows(InvalidScriptException.class, () -> ScriptPlan.check(url, Policy.OPEN, age))
                .getMessage();
        assertTrue(problem.contains("--package-age") && problem.contains("\"six\""), problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"numpy.py", "numpy/__init__.py", "a.so", "matplotlibrc", ".pdbrc"})
    void nothingIsImportedInAdvanceIfAnInputFileCouldAffectIt(String name) {
        assertEquals(List.of(), ScriptPlan.importsOf("import numpy", taskWith(name)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"data.csv", "matplotlibrc.txt", "py"})
    void otherInputFilesDoNotMatter(String name) {
        assertEquals(List.of("numpy"), ScriptPlan.importsOf("import numpy", taskWith(name)));
    }

    private static Task taskWith(String file) {
        List<Task.TaskFile> files = List.of(new Task.TaskFile(file, new byte[0]));
        return new Task(List.of(), Optional.empty(), files, List.of(), Map.of(), false, false, new ByteSize(0));
    }

    private static ScriptRequirements requirements(String dependency) throws InvalidScriptException {
        return ScriptRequirements.merge(PythonScript.parse("pass"), List.of(dependency), "3.13");
    }
}
