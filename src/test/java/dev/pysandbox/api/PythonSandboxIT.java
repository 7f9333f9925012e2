package dev.pysandbox.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses one instance from many threads. */
class PythonSandboxIT {
    @TempDir
    private Path folder;

    private final ExecutorService threads = Executors.newFixedThreadPool(8);
    private PythonSandbox sandbox;

    @BeforeEach
    void open() throws IOException {
        sandbox = PythonSandbox.builder()
                .warmCache(false)
                .network(Network.NONE)
                .cacheDir(Files.createDirectories(folder.resolve("cache")))
                .build();
    }

    @AfterEach
    void close() {
        sandbox.close();
        threads.shutdownNow();
    }

    @Test
    void threadsGetTheirOwnResults() throws Exception {
        List<Future<ExecutionResult>> results = new ArrayList<>();
        for (int number = 0; number < 24; number++) {
            String script = "import os\nopen('own', 'x').close()\nprint(%d, sorted(os.listdir()))\nsquare = %<d ** 2";
            ExecutionRequest request =
                    ExecutionRequest.of(script.formatted(number)).withVariables(List.of("square"));
            results.add(threads.submit(() -> sandbox.execute(request)));
        }
        for (int number = 0; number < results.size(); number++) {
            ExecutionResult result = results.get(number).get(2, TimeUnit.MINUTES);
            assertEquals(number + " ['own', 'script.py']\n", result.stdout().text());
            assertTrue(
                    result.variables().toString().contains(String.valueOf(number * number)),
                    () -> result.variables().toString());
        }
    }

    /** Also cancels processes that are just starting, without a sandbox whose end would kill them. */
    @Test
    void cancellingLeavesNothingRunning() throws Exception {
        String mark = "cancelled-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        ExecutionRequest request = ExecutionRequest.of(
                "import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99)', '"
                        + mark + "'])\ntime.sleep(99)");
        try (PythonSandbox unwalled = PythonSandbox.builder()
                .backend(Backend.NONE)
                .warmCache(false)
                .cacheDir(Files.createDirectories(folder.resolve("unwalled")))
                .build()) {
            unwalled.execute(ExecutionRequest.of("pass"));
            for (int delay = 0; delay < 120; delay += 3) {
                Future<ExecutionResult> call = threads.submit(() -> unwalled.execute(request));
                Thread.sleep(delay);
                call.cancel(true);
            }
        }
        Thread.sleep(500); // waits for processes that were about to start
        assertEquals(
                0,
                ProcessHandle.allProcesses()
                        .filter(process ->
                                process.info().commandLine().orElse("").contains(mark))
                        .count());
    }

    @Test
    void saysThatItIsClosed() {
        sandbox.close();
        ExecutionResult result = sandbox.execute(ExecutionRequest.of("print(1)"));
        assertEquals(Status.CANCELLED, result.status());
        assertEquals("The sandbox is closed.", result.message().orElseThrow());
        CancellationException cancelled =
                assertThrows(CancellationException.class, () -> sandbox.validate("def broken(:", List.of()));
        assertEquals("the sandbox is closed", cancelled.getMessage());
    }

    @Test
    void closingKillsWhatOtherThreadsRun() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        ExecutionListener listener = new ExecutionListener() {
            @Override
            public void output(Stream stream, byte[] bytes) {
                running.countDown();
            }

            @Override
            public boolean wantsLiveOutput() {
                return true;
            }
        };
        Future<ExecutionResult> endless = threads.submit(() -> sandbox.execute(
                ExecutionRequest.of("import time\nprint('up', flush=True)\nwhile True: time.sleep(1)"), listener));
        assertTrue(running.await(1, TimeUnit.MINUTES));
        sandbox.close();
        assertEquals(Status.CANCELLED, endless.get(20, TimeUnit.SECONDS).status());
        assertEquals(
                0,
                ProcessHandle.current()
                        .descendants()
                        .filter(process ->
                                process.info().commandLine().orElse("").endsWith("script.py"))
                        .count());
    }
}
