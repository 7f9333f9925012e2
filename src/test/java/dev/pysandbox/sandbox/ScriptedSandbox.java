package dev.pysandbox.sandbox;

import dev.pysandbox.sandbox.local.LocalProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A sandbox whose processes are threads of the test. Each runs code of the test with pipes that block like the
 * kernel's.
 */
public final class ScriptedSandbox implements Sandbox {
    private final Part part;
    private final AtomicInteger running = new AtomicInteger();

    /** The behaviour of a process: uses its streams until it ends or is killed. */
    public interface Part {
        void play(Job job, InputStream stdin, OutputStream stdout) throws IOException, InterruptedException;
    }

    public ScriptedSandbox(Part part) {
        this.part = part;
    }

    /** Returns how many processes have not ended. */
    public int running() {
        return running.get();
    }

    @Override
    public String name() {
        return "scripted";
    }

    @Override
    public String description() {
        return name();
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, false, false, false, false);
    }

    @Override
    public Optional<ImagePython> ownPython() {
        Path python = Path.of("/usr/bin/python");
        return Optional.of(new ImagePython("3.13.0", python, python, python, "uv 0", Optional.empty(), "scripted"));
    }

    @Override
    public SandboxedProcess start(Job job) {
        ScriptedProcess process = new ScriptedProcess(job);
        running.incrementAndGet();
        process.thread.start();
        return new LocalProcess(process, () -> {}, List.of(), Optional.empty(), MemoryCount.NONE, Optional::empty);
    }

    /** A pipe of 64 KiB that blocks its writer when it is full. Like the kernel's, it ignores interrupts. */
    private static final class Pipe {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final byte[] ring = new byte[1 << 16];
        private long written;
        private long read;
        private boolean closed;

        void write(byte[] bytes, int from, int length) throws IOException {
            lock.lock();
            try {
                for (int done = 0; done < length; ) {
                    while (!closed && written - read == ring.length) {
                        changed.awaitUninterruptibly();
                    }
                    if (closed) {
                        throw new IOException("broken pipe");
                    }
                    int at = (int) (written % ring.length);
                    long room = Math.min(ring.length - at, ring.length - (written - read));
                    int piece = (int) Math.min(length - done, room);
                    System.arraycopy(bytes, from + done, ring, at, piece);
                    written += piece;
                    done += piece;
                    changed.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }

        int read(byte[] bytes, int from, int length) {
            lock.lock();
            try {
                while (!closed && written == read) {
                    changed.awaitUninterruptibly();
                }
                if (written == read) {
                    return -1;
                }
                int at = (int) (read % ring.length);
                int piece = (int) Math.min(Math.min(length, ring.length - at), written - read);
                System.arraycopy(ring, at, bytes, from, piece);
                read += piece;
                changed.signalAll();
                return piece;
            } finally {
                lock.unlock();
            }
        }

        void close() {
            lock.lock();
            try {
                closed = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        InputStream input() {
            return new InputStream() {
                @Override
                public int read() {
                    byte[] one = new byte[1];
                    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
                }

                @Override
                public int read(byte[] bytes, int from, int length) {
                    return length == 0 ? 0 : Pipe.this.read(bytes, from, length);
                }
            };
        }

        OutputStream output() {
            return new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    write(new byte[] {(byte) b}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    Pipe.this.write(bytes, from, length);
                }

                @Override
                public void close() {
                    Pipe.this.close();
                }
            };
        }
    }

    private final class ScriptedProcess extends Process {
        private final Pipe stdin = new Pipe();
        private final Pipe stdout = new Pipe();
        private final Pipe stderr = new Pipe();
        private final OutputStream input = stdin.output();
        private final CountDownLatch ended = new CountDownLatch(1);
        private final Thread thread = new Thread(this::play, "scripted");

        private final Job job;

        ScriptedProcess(Job job) {
            this.job = job;
            thread.setDaemon(true);
        }

        private void play() {
            try {
                part.play(job, stdin.input(), stdout.output());
            } catch (IOException | InterruptedException e) {
                // It was killed.
            } finally {
                stdin.close();
                stdout.close();
                stderr.close();
                running.decrementAndGet();
                ended.countDown();
            }
        }

        @Override
        public OutputStream getOutputStream() {
            return input;
        }

        @Override
        public InputStream getInputStream() {
            return stdout.input();
        }

        @Override
        public InputStream getErrorStream() {
            return stderr.input();
        }

        @Override
        public int waitFor() throws InterruptedException {
            ended.await();
            return 0;
        }

        @Override
        public int exitValue() {
            if (ended.getCount() > 0) {
                throw new IllegalThreadStateException("it runs");
            }
            return 0;
        }

        @Override
        public void destroy() {
            stdin.close();
            stdout.close();
            stderr.close();
            thread.interrupt();
        }

        @Override
        public Process destroyForcibly() {
            destroy();
            return this;
        }

        @Override
        public long pid() {
            return 0;
        }
    }
}
