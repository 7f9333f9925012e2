package dev.pysandbox.supervisor;

import dev.pysandbox.api.Limits;
import dev.pysandbox.support.ByteSize;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the supervisor is asked to do: run a script, or a command.
 *
 * @param argv the command; empty to run the script
 * @param variables names of the script's variables to describe at its end
 * @param live whether output is wanted line by line
 * @param restricted whether the script is held to the restricted policy
 * @param keep how many bytes of large files are wanted
 */
public record Task(
        List<String> argv,
        Optional<byte[]> script,
        List<TaskFile> files,
        List<String> variables,
        Map<String, String> environment,
        Limits limits,
        boolean live,
        boolean restricted,
        ByteSize keep) {

    /** Room for libraries that reserve much more address space than they ever touch. */
    private static final long LEAST_ADDRESS_SPACE = 4L << 30;

    public Task {
        argv = List.copyOf(argv);
        files = List.copyOf(files);
        variables = List.copyOf(variables);
        environment = Map.copyOf(environment);
    }

    /** A command, or a script that may do what the sandbox lets it. */
    public Task(
            List<String> argv,
            Optional<byte[]> script,
            List<TaskFile> files,
            List<String> variables,
            Map<String, String> environment,
            Limits limits,
            boolean live) {
        this(argv, script, files, variables, environment, limits, live, false, new ByteSize(0));
    }

    /** A file for the working folder. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record TaskFile(String name, byte[] content) {}

    /**
     * How the sandbox that the task goes to differs from others.
     *
     * @param controlGroup whether the kernel counts and bounds its memory as a whole
     */
    record Surroundings(
            Optional<String> proxySocket, boolean ownPidNamespace, boolean container, boolean controlGroup) {}

    /** Whether all of it fits into the smallest of pipes, 4 KiB, so that writing it can't block. */
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

    /** An upper bound for a text with its frame. */
    private static long length(String text) {
        return 3L * text.length() + 8;
    }

    void writeTo(OutputStream stream, Surroundings surroundings) throws IOException {
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
        writeLimits(out, surroundings);
        if (surroundings.proxySocket().isPresent()) {
            Frame.write(out, CommandType.PROXY, surroundings.proxySocket().get());
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

    private void writeLimits(OutputStream out, Surroundings surroundings) throws IOException {
        ByteSize memory = limits.memory();
        Frame.write(out, CommandType.MEMORY, Long.toString(memory.bytes()));
        Frame.write(out, CommandType.LIMIT, "AS=" + Math.max(LEAST_ADDRESS_SPACE, 2 * memory.bytes()));
        Frame.write(out, CommandType.LIMIT, "NOFILE=" + limits.openFiles());
        Frame.write(out, CommandType.LIMIT, "CORE=0");
        if (surroundings.controlGroup()) {
            Frame.write(out, CommandType.OPTION, "counted");
        }
        if (surroundings.container()) {
            Frame.write(out, CommandType.OPTION, "container");
        } else if (surroundings.ownPidNamespace()) {
            // Elsewhere it would count all processes of the host's user.
            Frame.write(out, CommandType.LIMIT, "NPROC=" + limits.processes());
        } else {
            Frame.write(out, CommandType.LIMIT, "FSIZE=" + limits.scratch().bytes());
            Frame.write(out, CommandType.OPTION, "subreaper");
        }
    }
}
