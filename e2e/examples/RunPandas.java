import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.PythonSandbox;
import java.util.List;

/** Runs pandas through the Java API: {@code java -cp sandbox.jar RunPandas.java [PYTHON_VERSION]}. */
public final class RunPandas {
    public static void main(String[] args) throws Exception {
        String version = args.length > 0 ? args[0] : "3.13";
        String script = "import pandas\nframe = pandas.DataFrame({'x': [1, 2, 3]})\nprint(frame.x.mean())\n";
        try (PythonSandbox sandbox = PythonSandbox.builder().pythonVersion(version).build()) {
            ExecutionResult result = sandbox.execute(ExecutionRequest.of(script)
                    .withDependencies(List.of("pandas==2.3.3"))
                    .withVariables(List.of("frame")));
            System.out.print(result.stdout().text());
            System.out.println(result.status() + " in " + result.sandbox() + ": " + result.variables());
        }
    }
}
