package dev.pysandbox.supervisor;

import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.ScriptedSandbox;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Implements the supervisor's side of the protocol. A test defines what each task does. */
public final class FakeSupervisor implements ScriptedSandbox.Part {
    private final Behaviour behaviour;

    public FakeSupervisor(Behaviour behaviour) {
        this.behaviour = behaviour;
    }

    /** What a task does. */
    public interface Behaviour {
        /** Runs a task and returns its exit words, such as {@code code=0}. */
        String run(Received task, Reports reports) throws IOException, InterruptedException;
    }

    /**
     * The frames that the server sent.
     *
     * @param frames the frames of setup and task, each as its letter and its text
     */
    public record Received(Job job, List<String> frames) {
        /** Returns the texts of all frames with a letter. */
        public List<String> all(char letter) {
            return frames.stream()
                    .filter(frame -> frame.charAt(0) == letter)
                    .map(frame -> frame.substring(1))
                    .toList();
        }

        public String script() {
            return all('s').get(0);
        }
    }

    /** Sends frames of the task. */
    public static final class Reports {
        private final DataOutputStream out;

        private Reports(OutputStream out) {
            this.out = new DataOutputStream(out);
        }

        public void stdout(String text) throws IOException {
            send('1', text);
        }

        public void stderr(String text) throws IOException {
            send('2', text);
        }

        public void stderr(byte[] bytes) throws IOException {
            send('2', bytes);
        }

        private void send(char type, String text) throws IOException {
            send(type, text.getBytes(StandardCharsets.UTF_8));
        }

        private void send(char type, byte[] bytes) throws IOException {
            out.writeByte(type);
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }

    @Override
    public void play(Job job, InputStream stdin, OutputStream stdout) throws IOException, InterruptedException {
        DataInputStream in = new DataInputStream(stdin);
        Reports reports = new Reports(stdout);
        List<String> frames = new ArrayList<>();
        try {
            readUntil('w', in, frames);
            reports.send('R', "0");
            readUntil('g', in, frames);
        } catch (EOFException e) {
            return; // closed while waiting
        }
        reports.send('A', "");
        String exit = behaviour.run(new Received(job, List.copyOf(frames)), reports);
        reports.send('D', "");
        reports.send('X', exit);
    }

    private static void readUntil(char last, DataInputStream in, List<String> frames) throws IOException {
        char type;
        do {
            type = (char) in.readUnsignedByte();
            frames.add(type + new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
        } while (type != last);
    }
}
