package dev.pysandbox.execution;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.Config.Policy;
import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.PythonScript;
import dev.pysandbox.script.ScriptRequirements;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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

    private static ScriptRequirements requirements(String dependency) throws InvalidScriptException {
        return ScriptRequirements.merge(PythonScript.parse("pass"), List.of(dependency), "3.13");
    }
}
