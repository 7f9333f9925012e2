package dev.pysandbox.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.Limits;
import dev.pysandbox.support.ByteSize;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exchanges frames with supervisor.py, which runs without a sandbox. */
class SupervisorProtocolIT {
    @TempDir
    Path temporary;

    private Process process;
    private InputStream reports;

    /** Starts {@code python script.py}, which loads the supervisor with the .pth line, here in sitecustomize.py. */
    @BeforeEach
    void start() throws IOException {
        SupervisorProgram program = SupervisorProgram.extract(temporary.resolve("supervisor"));
        Path packages = Files.createDirectory(temporary.resolve("packages"));
        Files.writeString(packages.resolve("sitecustomize.py"), SupervisorProgram.PTH_LINE);
        Path work = Files.createDirectory(temporary.resolve("work"));
        ProcessBuilder builder = new ProcessBuilder("python3", "script.py").directory(work.toFile());
        builder.environment().put("PYTHONPATH", packages.toString());
        builder.environment().put("PYTHON_SANDBOX_SUPERVISOR", program.folder().toString());
        builder.environment().keySet().removeAll(List.of("HOME", "TMPDIR")); // their files would be listed
        process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        reports = new BufferedInputStream(process.getInputStream());
    }

    @AfterEach
    void end() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Test
    void runsSeveralTasksAfterOneSetup() throws Exception {
        setUp("subreaper", "repeat");
        send(script("open('kept', 'w').write('yes'); number = 1; print('first')"));
        assertEquals(List.of("READY", "ACCEPTED", "STDOUT first", "DONE", "FILE kept yes", "EXIT 0"), untilExit());
        send(script("import sys; print(open('kept').read(), 'number' in globals(), 'select' in sys.modules)"));
        assertEquals(
                List.of("READY", "ACCEPTED", "STDOUT yes False False", "DONE", "EXIT 0"),
                untilExit().stream()
                        .filter(report -> !report.startsWith("FILE"))
                        .toList());
        process.getOutputStream().close();
        assertTrue(process.waitFor(10, TimeUnit.SECONDS), "it ends with its input");
    }

    @Test
    void endsAfterItsTaskUnlessMoreAreAnnounced() throws Exception {
        setUp("subreaper");
        send(Task.command(List.of("/bin/sh", "-c", "echo $GIVEN; exit 3"), Map.of("GIVEN", "value")));
        assertEquals(List.of("READY", "ACCEPTED", "STDOUT value", "DONE", "EXIT 3"), untilExit());
        assertEquals(-1, reports.read());
        assertTrue(process.waitFor(10, TimeUnit.SECONDS));
    }

    private void setUp(String... options) throws IOException {
        new Setup(Limits.DEFAULT, List.of("NOFILE=512"), List.of(options), List.of(), Optional.empty())
                .writeTo(process.getOutputStream());
    }

    private void send(Task task) throws IOException {
        task.writeTo(process.getOutputStream());
    }

    private static Task script(String source) {
        return new Task(
                List.of(),
                Optional.of(source.getBytes(StandardCharsets.UTF_8)),
                List.of(),
                List.of(),
                Map.of(),
                false,
                false,
                new ByteSize(0));
    }

    private List<String> untilExit() throws IOException {
        List<String> found = new ArrayList<>();
        while (found.isEmpty() || !found.get(found.size() - 1).startsWith("EXIT")) {
            found.add(describe(next()));
        }
        return found;
    }

    private Frame next() throws IOException {
        return Frame.read(reports, Frame.outputBuffer(), ReportType::longest).orElseThrow();
    }

    private static String describe(Frame frame) throws IOException {
        String text = new String(frame.payload(), 0, frame.length(), StandardCharsets.UTF_8);
        return switch (frame.type()) {
            case STDOUT, STDERR, FAILED -> frame.type() + " " + text.strip();
            case FILE -> frame.type() + " " + text.replace('\0', ' ');
            case EXIT -> frame.type() + " " + TaskResult.parse(text).exitCode();
            default -> frame.type().toString();
        };
    }
}
