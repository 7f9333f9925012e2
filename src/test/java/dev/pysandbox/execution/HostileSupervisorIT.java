package dev.pysandbox.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.Fuzz;
import dev.pysandbox.api.Backend;
import dev.pysandbox.api.Config;
import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.api.Status;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxProvider;
import dev.pysandbox.sandbox.ScriptedSandbox;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests calls whose sandbox an attacker controls. Whatever it does with its streams, each call must end in time and
 * release its slot and its memory.
 */
class HostileSupervisorIT {
    private static final int CALLS = Fuzz.rounds(2_000);
    private static final int AT_ONCE = 50;
    private static final Duration TIMEOUT = Duration.ofSeconds(1); // the shortest possible timeout
    private static final Duration MOST_OVER_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration MOST_AFTER_CANCEL = Duration.ofSeconds(1);
    private static final long MOST_MEMORY = 64 << 20;
    private static final String FRAMES = "RA12DVFLCNX!TGS?";

    @TempDir
    private Path folder;

    private final Random seeds = Fuzz.random(14);
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private final AtomicInteger floods = new AtomicInteger();

    /** A random behaviour. */
    private final class Hostile {
        private final Random random;
        private final OutputStream out;
        private final InputStream in;

        Hostile(Random random, InputStream in, OutputStream out) {
            this.random = random;
            this.in = in;
            this.out = out;
        }

        void behave() throws IOException, InterruptedException {
            if (random.nextInt(4) > 0) {
                in.read(new byte[1 << 16]); // reads the task; else it never reads
            }
            pause(random.nextInt(200));
            int steps = 1 + random.nextInt(5);
            for (int step = 0; step < steps; step++) {
                act(random.nextInt(14));
            }
            if (random.nextBoolean()) {
                pause(60_000); // else it ends at once
            }
        }

        private void act(int what) throws IOException, InterruptedException {
            switch (what) {
                case 0 -> send('A', 0);
                case 1 -> send('D', 0);
                case 2 -> sendText('X', "code=" + random.nextInt(300) + " cpu_us=1 peak=1 oom=" + random.nextInt(2));
                case 3 -> honestRun();
                case 4 -> send(FRAMES.charAt(random.nextInt(FRAMES.length())), random.nextInt(100));
                case 5 -> half();
                case 6 -> drip();
                case 7 -> flood();
                case 8 -> sums();
                case 9 -> garbage();
                case 10 -> in.read(new byte[1 << 16]);
                case 11 -> earlyD();
                case 12 -> lateX();
                default -> pause(random.nextInt(1500));
            }
        }

        private void honestRun() throws IOException {
            send('A', 0);
            sendText('1', "hello\n");
            send('D', 0);
            sendText('X', "code=0 cpu_us=1 peak=1 oom=0");
        }

        private void half() throws IOException, InterruptedException {
            byte[] frame = frame(FRAMES.charAt(random.nextInt(FRAMES.length())), new byte[1 + random.nextInt(5000)]);
            write(frame, random.nextInt(frame.length));
            pause(60_000);
        }

        private void drip() throws IOException, InterruptedException {
            send('A', 0);
            for (byte each : frame('1', new byte[100])) {
                write(new byte[] {each}, 1);
                pause(1000);
            }
        }

        private void flood() throws IOException {
            char type = FRAMES.charAt(random.nextInt(FRAMES.length()));
            send('A', 0);
            if (floods.incrementAndGet() > 3) { // limits the load of the test machine
                floods.decrementAndGet();
                return;
            }
            try {
                byte[] frame = frame(type, new byte[random.nextBoolean() ? 0 : 1 << 16]);
                for (int sent = 0; sent < 2_000; sent++) {
                    write(frame, frame.length);
                }
            } finally {
                floods.decrementAndGet();
            }
        }

        /** Sends items that are each within the limits but exceed the limit of their sum. */
        private void sums() throws IOException {
            send('A', 0);
            send('D', 0);
            byte[] payload = new byte[random.nextBoolean() ? 8 << 20 : 1 << 20];
            payload[0] = 'f';
            char type = "FVLN".charAt(random.nextInt(4));
            for (int number = 0; number < 20; number++) {
                byte[] frame = frame(type, payload);
                write(frame, frame.length);
            }
        }

        private void garbage() throws IOException {
            byte[] bytes = new byte[random.nextInt(1 << 14)];
            random.nextBytes(bytes);
            write(bytes, bytes.length);
        }

        private void earlyD() throws IOException, InterruptedException {
            send('A', 0);
            send('D', 0);
            pause(60_000);
        }

        private void lateX() throws IOException, InterruptedException {
            send('A', 0);
            pause(1000 + random.nextInt(3000));
            send('D', 0);
            sendText('X', "code=0");
        }

        private void pause(int millis) throws InterruptedException {
            Thread.sleep(millis);
        }

        void send(char type, int length) throws IOException {
            byte[] frame = frame(type, new byte[length]);
            write(frame, frame.length);
        }

        void sendText(char type, String text) throws IOException {
            byte[] frame = frame(type, text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            write(frame, frame.length);
        }

        private void write(byte[] bytes, int length) throws IOException {
            out.write(bytes, 0, length);
        }
    }

    private static byte[] frame(char type, byte[] payload) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(bytes);
        data.writeByte(type);
        data.writeInt(payload.length);
        data.write(payload);
        return bytes.toByteArray();
    }

    /** Measures how late threads of this machine wake up at the moment. */
    private static final class Lag implements AutoCloseable {
        private volatile long most;
        private final Thread thread = new Thread(this::measure, "lag");

        Lag() {
            thread.start();
        }

        private void measure() {
            try {
                while (true) {
                    long before = System.nanoTime();
                    Thread.sleep(20);
                    most = Math.max(most, System.nanoTime() - before - 20_000_000);
                }
            } catch (InterruptedException e) {
                // interrupted by close
            }
        }

        @Override
        public void close() {
            thread.interrupt();
        }
    }

    @Test
    void everyCallIsAnsweredInTimeAndLeavesNothing() throws Exception {
        ScriptedSandbox sandbox = new ScriptedSandbox((job, in, out) -> {
            Hostile hostile = new Hostile(new Random(nextSeed()), in, out);
            hostile.sendText('R', "1000");
            hostile.behave();
        });
        Config config = PythonSandbox.builder()
                .warmCache(false)
                .cacheDir(folder.resolve("cache"))
                .maxConcurrent(AT_ONCE)
                .config();
        try (LocalPythonSandbox python = LocalPythonSandbox.open(config, (host, runtime) -> List.of(only(sandbox)));
                Lag lag = new Lag()) {
            Executor executor = python.executor();
            call(executor, TIMEOUT, Optional.empty()); // loads classes before memory is measured
            long before = usedMemory();
            ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
            List<Callable<String>> calls = new ArrayList<>();
            for (int number = 0; number < CALLS; number++) {
                boolean cancelled = seeds.nextInt(4) == 0;
                Optional<Duration> cancel =
                        cancelled ? Optional.of(Duration.ofMillis(seeds.nextInt(900))) : Optional.empty();
                calls.add(() -> judged(executor, cancel, lag));
            }
            Map<String, Integer> outcomes = new TreeMap<>();
            for (Future<String> each : threads.invokeAll(calls)) {
                outcomes.merge(each.get(), 1, Integer::sum);
            }
            threads.shutdown();
            timer.shutdown();
            System.out.println("hostile supervisors: " + outcomes + ", lag " + lag.most / 1_000_000 + " ms");
            assertTrue(outcomes.keySet().stream().noneMatch(outcome -> outcome.startsWith("late")), outcomes::toString);
            assertTrue(executor.isIdle(), "every slot is free");
            assertEquals(0, executor.heldBytes().taken(), "no file counts any more");
            awaitNone(sandbox);
            long more = usedMemory() - before;
            assertTrue(more < MOST_MEMORY, () -> (more >> 20) + " MiB more than before");
        }
    }

    private static SandboxProvider only(Sandbox sandbox) {
        return new SandboxProvider() {
            @Override
            public Backend backend() {
                return Backend.NATIVE;
            }

            @Override
            public Sandbox open(Consumer<String> progress) {
                return sandbox;
            }
        };
    }

    private synchronized long nextSeed() {
        return seeds.nextLong();
    }

    /** The result of a call: how long it took, when it was cancelled, if it was, and its status. */
    private record Outcome(Duration taken, Optional<Duration> cancelled, Status status) {}

    private String judged(Executor executor, Optional<Duration> cancel, Lag lag) {
        Outcome outcome = call(executor, TIMEOUT, cancel);
        Duration allowed = outcome.cancelled().map(MOST_AFTER_CANCEL::plus).orElse(TIMEOUT.plus(MOST_OVER_TIMEOUT));
        return outcome.taken().compareTo(allowed.plusNanos(10 * lag.most)) > 0
                ? "late: " + outcome
                : outcome.status().toString();
    }

    private Outcome call(Executor executor, Duration timeout, Optional<Duration> cancel) {
        ExecutionRequest request =
                ExecutionRequest.of("print('hello')" + " ".repeat(100_000)).withTimeout(timeout);
        long start = System.nanoTime();
        Cancel cancelling = new Cancel(Thread.currentThread());
        if (cancel.isPresent()) {
            var unused = timer.schedule(cancelling::now, cancel.get().toMillis(), TimeUnit.MILLISECONDS);
        }
        ExecutionResult result = executor.execute(request, ExecutionListener.NONE, done -> done);
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        Optional<Duration> cancelled = cancelling.end().map(at -> Duration.ofNanos(at - start));
        return new Outcome(taken, cancelled, result.status());
    }

    /** Interrupts the thread of a call while the call runs. */
    private static final class Cancel {
        private final Thread caller;
        private Optional<Long> at = Optional.empty();
        private boolean over;

        Cancel(Thread caller) {
            this.caller = caller;
        }

        synchronized void now() {
            if (!over) {
                at = Optional.of(System.nanoTime());
                caller.interrupt();
            }
        }

        /** Returns when the call was cancelled, if it was. */
        synchronized Optional<Long> end() {
            over = true;
            Thread.interrupted();
            return at;
        }
    }

    private static void awaitNone(ScriptedSandbox sandbox) throws InterruptedException {
        for (int tries = 0; sandbox.running() > 0 && tries < 200; tries++) {
            Thread.sleep(50);
        }
        assertEquals(0, sandbox.running(), "every sandbox is dead");
    }

    private static long usedMemory() throws InterruptedException {
        for (int round = 0; round < 3; round++) {
            System.gc();
            Thread.sleep(50);
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
