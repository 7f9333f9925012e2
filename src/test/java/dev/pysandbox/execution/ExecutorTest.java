package dev.pysandbox.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.Backend;
import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.Network;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.api.PythonSandboxBuilder;
import dev.pysandbox.api.Status;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxProvider;
import dev.pysandbox.sandbox.ScriptedSandbox;
import dev.pysandbox.supervisor.FakeSupervisor;
import dev.pysandbox.support.Host;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests executions with a sandbox that does not run scripts but simulates it. */
class ExecutorTest {
    @TempDir
    private Path cache;

    private final List<String> scripts = new CopyOnWriteArrayList<>();
    private Map<String, String> variables = System.getenv();
    private LocalPythonSandbox python;

    @AfterEach
    void close() {
        python.close();
    }

    private void open(PythonSandboxBuilder settings, ScriptedSandbox.Part part) throws IOException {
        ScriptedSandbox sandbox = new ScriptedSandbox(part);
        SandboxProvider provider = new SandboxProvider() {
            @Override
            public Backend backend() {
                return Backend.NATIVE;
            }

            @Override
            public Sandbox open(Consumer<String> progress) {
                return sandbox;
            }
        };
        Host here = Host.current(cache);
        python = LocalPythonSandbox.open(
                settings.cacheDir(cache).warmCache(false).warmPool(0).config(),
                new Host(variables, here.home(), cache, here.platform()),
                (host, runtime) -> List.of(provider));
    }

    private void open(FakeSupervisor.Behaviour behaviour) throws IOException {
        open(PythonSandbox.builder(), new FakeSupervisor((task, reports) -> {
            scripts.add(task.script());
            return behaviour.run(task, reports);
        }));
    }

    private ExecutionResult run(ExecutionRequest request) {
        return python.execute(request, ExecutionListener.NONE);
    }

    @Test
    void returnsOutputAndExitCode() throws IOException {
        open((task, reports) -> {
            reports.stdout("out");
            reports.stderr("err");
            return "code=3 cpu_us=2000 peak=4096";
        });
        ExecutionResult result = run(ExecutionRequest.of("x = 1"));
        assertEquals(Status.SCRIPT_ERROR, result.status());
        assertEquals(3, result.exitCode().orElseThrow());
        assertEquals("out", result.stdout().text());
        assertEquals("err", result.stderr().text());
        assertEquals(Duration.ofMillis(2), result.cpu().orElseThrow());
        assertEquals(List.of("x = 1"), scripts);
    }

    @Test
    void stopsAScriptAtItsTimeout() throws IOException {
        open((task, reports) -> {
            Thread.sleep(60_000);
            return "code=0";
        });
        ExecutionResult result = run(ExecutionRequest.of("wait").withTimeout(Duration.ofSeconds(1)));
        assertEquals(Status.TIMED_OUT, result.status());
        assertTrue(result.hint().orElseThrow().startsWith("stopped after 1 s"), result.hint()::toString);
    }

    @Test
    void saysWhyAScriptWasKilled() throws IOException {
        open((task, reports) -> task.script().equals("memory") ? "code=-9 oom=1 peak=1" : "code=-9 files=1");
        assertEquals(Status.OUT_OF_MEMORY, run(ExecutionRequest.of("memory")).status());
        ExecutionResult files = run(ExecutionRequest.of("files"));
        assertEquals(Status.SCRIPT_ERROR, files.status());
        assertTrue(files.hint().orElseThrow().contains("more than 100000 files"), files.hint()::toString);
    }

    @Test
    void saysHowManyFiguresAreMissing() throws IOException {
        open((task, reports) -> "code=0 figures=3");
        assertEquals(
                List.of("3 more figures were not returned: at most 16 are; draw several as subplots of one figure"),
                run(ExecutionRequest.of("x")).warnings());
    }

    @Test
    void takesAnotherSandboxIfTheFirstDiesBeforeTheScriptRuns() throws IOException {
        AtomicInteger starts = new AtomicInteger();
        FakeSupervisor honest = new FakeSupervisor((task, reports) -> "code=0");
        open(PythonSandbox.builder(), (job, stdin, stdout) -> {
            if (starts.incrementAndGet() > 1) {
                honest.play(job, stdin, stdout);
            }
        });
        assertEquals(Status.OK, run(ExecutionRequest.of("x")).status());
        assertEquals(2, starts.get());
    }

    @Test
    void neverRunsAScriptTwice() throws IOException {
        open((task, reports) -> {
            throw new IOException("the sandbox dies");
        });
        assertEquals(
                Status.SANDBOX_UNAVAILABLE, run(ExecutionRequest.of("once")).status());
        assertEquals(List.of("once"), scripts);
    }

    @Test
    void refusesAScriptThatIsNotValidWithoutASandbox() throws IOException {
        open((task, reports) -> "code=0");
        ExecutionResult result = run(ExecutionRequest.of("x").withDependencies(List.of("not a requirement!")));
        assertEquals(Status.INVALID_SCRIPT, result.status());
        assertEquals(List.of(), scripts);
    }

    @Test
    void aProxyThatIsNotSupportedDoesNotMatterWithoutNetwork() throws IOException {
        variables = Map.of("ALL_PROXY", "socks5://proxy.example:1080");
        open(PythonSandbox.builder().network(Network.NONE), new FakeSupervisor((task, reports) -> "code=0"));
        assertEquals(Status.OK, run(ExecutionRequest.of("x")).status());
    }

    @Test
    void namesAProxyVariableThatIsNotSupported() throws IOException {
        variables = Map.of("ALL_PROXY", "socks5://proxy.example:1080");
        open((task, reports) -> "code=0");
        String message = "ALL_PROXY has the scheme socks5://, only http:// is supported";
        ExecutionResult result = run(ExecutionRequest.of("x"));
        assertEquals(Status.SANDBOX_UNAVAILABLE, result.status());
        assertTrue(result.message().orElseThrow().contains(message), result.message()::toString);
        ExecutionResult install = run(ExecutionRequest.of("x").withDependencies(List.of("six")));
        assertEquals(Status.INSTALL_FAILED, install.status());
        assertTrue(install.message().orElseThrow().contains(message), install.message()::toString);
    }

    @Test
    void sendsTheLimitsOfTheSettings() throws IOException {
        List<String> rlimits = new CopyOnWriteArrayList<>();
        open(PythonSandbox.builder().maxProcesses(7), new FakeSupervisor((task, reports) -> {
            rlimits.addAll(task.all('l'));
            return "code=0";
        }));
        assertEquals(Status.OK, run(ExecutionRequest.of("x")).status());
        assertTrue(rlimits.contains("NPROC=7"), rlimits::toString);
    }

    @Test
    void reportsThePositionInTheQueue() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        open(PythonSandbox.builder().maxConcurrent(1), new FakeSupervisor((task, reports) -> {
            running.countDown();
            go.await();
            return "code=0";
        }));
        Thread first = new Thread(() -> run(ExecutionRequest.of("first")));
        first.start();
        running.await();
        List<String> progress = new CopyOnWriteArrayList<>();
        ExecutionResult second = python.execute(ExecutionRequest.of("second"), new ExecutionListener() {
            @Override
            public void progress(String message) {
                progress.add(message);
                go.countDown();
            }
        });
        first.join();
        assertEquals(Status.OK, second.status());
        assertEquals("waiting (next)", progress.get(0));
    }

    @Test
    void endsACancelledCallAndFreesItsSlot() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        open(PythonSandbox.builder().maxConcurrent(1), new FakeSupervisor((task, reports) -> {
            if (task.script().equals("forever")) {
                running.countDown();
                Thread.sleep(60_000);
            }
            return "code=0";
        }));
        List<Status> statuses = new CopyOnWriteArrayList<>();
        Thread call = new Thread(
                () -> statuses.add(run(ExecutionRequest.of("forever")).status()));
        call.start();
        running.await();
        call.interrupt();
        call.join();
        assertEquals(List.of(Status.CANCELLED), statuses);
        assertEquals(Status.OK, run(ExecutionRequest.of("next")).status());
    }
}
