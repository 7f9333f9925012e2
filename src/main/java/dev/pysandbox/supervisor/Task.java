package dev.pysandbox.supervisor;

import dev.pysandbox.support.ByteSize;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A script or a command for the supervisor to run.
 *
 * @param argv the command; empty to run the script
 * @param variables names of the script's variables to report at its end
 * @param live whether stdout is flushed after each line
 * @param restricted whether the restricted policy applies
 * @param keep the most bytes of large files to send
 */
public record Task(
        List<String> argv,
        Optional<byte[]> script,
        List<TaskFile> files,
        List<String> variables,
        Map<String, String> environment,
        boolean live,
        boolean restricted,
        ByteSize keep) {

    public Task {
        argv = List.copyOf(argv);
        files = List.copyOf(files);
        variables = List.copyOf(variables);
        environment = Map.copyOf(environment);
    }

    /** Returns a task that runs a command. */
    public static Task command(List<String> argv, Map<String, String> environment) {
        return new Task(argv, Optional.empty(), List.of(), List.of(), environment, false, false, new ByteSize(0));
    }

    /** A file for the working folder. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record TaskFile(String name, byte[] content) {}

    /** Returns whether it fits into the smallest pipe, 4 KiB, so that writing it does not block. */
    boolean isShort() {
        long size = script.map(text -> text.length).orElse(0) + 512L;
        for (TaskFile file : files) {
            size += file.content().length + length(file.name());
        }
        for (List<String> texts : List.of(argv, variables)) {
            for (String text : texts) {
                size += length(text);
            }
        }
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            size += length(variable.getKey()) + length(variable.getValue());
        }
        return size <= 4096;
    }

    /** Returns an upper bound of the bytes of a text with its frame. */
    private static long length(String text) {
        return 3L * text.length() + 8;
    }

    void writeTo(OutputStream stream) throws IOException {
        OutputStream out = new BufferedOutputStream(stream, 1 << 16);
        for (String argument : argv) {
            Frame.write(out, CommandType.ARGUMENT, argument);
        }
        if (script.isPresent()) {
            Frame.write(out, CommandType.SCRIPT, script.get());
        }
        for (TaskFile file : files) {
            Frame.write(out, CommandType.FILE, file.name(), file.content());
        }
        for (String variable : variables) {
            Frame.write(out, CommandType.VARIABLE, variable);
        }
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            Frame.write(out, CommandType.ENVIRONMENT, variable.getKey() + "=" + variable.getValue());
        }
        if (live) {
            Frame.write(out, CommandType.OPTION, "live");
        }
        if (restricted) {
            Frame.write(out, CommandType.OPTION, "restricted");
        }
        Frame.write(out, CommandType.KEEP, Long.toString(keep.bytes()));
        Frame.write(out, CommandType.GO, "");
        out.flush();
    }
}
