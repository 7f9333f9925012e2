package dev.pysandbox.supervisor;

import dev.pysandbox.api.Limits;
import dev.pysandbox.sandbox.Capabilities;
import dev.pysandbox.sandbox.ProxyEndpoint;
import dev.pysandbox.sandbox.SandboxedProcess;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the server sends to a supervisor once, before its first task. It fits into the smallest pipe, so writing it does
 * not block.
 *
 * @param rlimits such as {@code NOFILE=1024}
 * @param options the options that supervisor.py lists
 * @param imports the modules to import before the task arrives
 */
record Setup(
        Limits limits,
        List<String> rlimits,
        List<String> options,
        List<String> imports,
        Optional<ProxyEndpoint> proxy) {
    /** Enough for most libraries, which reserve more address space than they use. */
    private static final long LEAST_ADDRESS_SPACE = 4L << 30;

    Setup {
        rlimits = List.copyOf(rlimits);
        options = List.copyOf(options);
        imports = List.copyOf(imports);
    }

    static Setup of(Limits limits, Capabilities capabilities, SandboxedProcess process, Preparation preparation) {
        long memory = limits.memory().bytes();
        List<String> rlimits = new ArrayList<>(List.of("NOFILE=" + limits.openFiles(), "CORE=0"));
        if (capabilities.limitsAddressSpace()) {
            rlimits.add("AS=" + Math.max(LEAST_ADDRESS_SPACE, 2 * memory));
        }
        List<String> options = new ArrayList<>();
        if (preparation.inAdvance()) {
            options.add("prepare");
        }
        if (capabilities.exposesFirstProcess()) {
            options.add("exposed");
        }
        if (process.memoryCount().limits()) {
            options.add("limited");
            if (process.memoryCount().peak().isEmpty()) {
                options.add("unreadable");
            }
        }
        if (!capabilities.isolates()) {
            rlimits.add("FSIZE=" + limits.scratch().bytes());
            options.add("subreaper");
        } else if (!capabilities.limitsProcesses()) {
            rlimits.add("NPROC=" + limits.processes()); // counts the processes of one user namespace
        }
        return new Setup(limits, rlimits, options, preparation.imports(), process.proxy());
    }

    void writeTo(OutputStream stream) throws IOException {
        OutputStream out = new BufferedOutputStream(stream, 1 << 12);
        Frame.write(out, CommandType.MEMORY, Long.toString(limits.memory().bytes()));
        for (String rlimit : rlimits) {
            Frame.write(out, CommandType.LIMIT, rlimit);
        }
        for (Bound bound : Bound.values()) {
            Frame.write(out, CommandType.BOUND, bound.name().toLowerCase(Locale.ROOT) + "=" + bound.most());
        }
        for (String option : options) {
            Frame.write(out, CommandType.OPTION, option);
        }
        for (String module : imports) {
            Frame.write(out, CommandType.IMPORT, module);
        }
        if (proxy.isPresent()) {
            Frame.write(out, CommandType.PROXY, text(proxy.get()));
        }
        Frame.write(out, CommandType.WAIT, "");
        out.flush();
    }

    private static String text(ProxyEndpoint endpoint) {
        if (endpoint instanceof ProxyEndpoint.Port port) {
            return "tcp " + port.address() + " " + port.port() + " " + port.secret();
        }
        return "unix " + ((ProxyEndpoint.UnixSocket) endpoint).path();
    }
}
