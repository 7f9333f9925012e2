package dev.pysandbox.execution;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.EnvironmentReport;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.InputFile;
import dev.pysandbox.api.Status;
import dev.pysandbox.sandbox.SandboxFactory;
import dev.pysandbox.toolchain.MissingToolException;
import dev.pysandbox.toolchain.Uv;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Tests what works on this machine, also from inside the sandbox. */
record EnvironmentProbe(
        Config config,
        SandboxSelection selection,
        Environments environments,
        ScriptSandboxes sandboxes,
        Executor executor) {
    /** Measured with a limit of 256 MiB on a machine with 24 GiB; SECURITY.md explains the numbers. */
    private static final String UNCOUNTED =
            "Memory limit: counted by the supervisor, because this server can't create control groups; a script can"
                    + " exceed it by about 1.4 GiB for a second, and by 4 % of the machine's memory for as long as it"
                    + " runs. To fix: start the server with systemd-run --user --scope -p Delegate=yes";

    EnvironmentReport report(Consumer<String> progress) {
        List<String> remedies = new ArrayList<>();
        SandboxFactory.Choice choice = selection.getOrCancel(progress);
        choice.refusals().forEach(refusal -> remedies.add(refusal.toString()));
        String uv = choice.sandbox()
                .ownPython()
                .map(own -> own.uvVersion().replaceFirst("^uv (\\S+).*", "$1") + " (" + own.uv() + " in the image)")
                .orElseGet(() -> uv(remedies));
        ExecutionResult inside = probe(progress);
        List<String> probes = new ArrayList<>();
        if (inside.status() == Status.OK) {
            probes.addAll(inside.stdout().text().lines().toList());
        } else {
            remedies.add(inside.message()
                    .orElse("the probe failed: " + inside.stderr().text().strip()));
        }
        if (inside.status() == Status.OK
                && choice.sandbox().capabilities().isolates()
                && !choice.sandbox().capabilities().limitsMemory()) {
            probes.add(UNCOUNTED);
        }
        for (Config.DataFolder folder : config.shared().mounts()) {
            probes.add("Data: " + folder.description());
        }
        if (choice.sandbox().capabilities().isolates() && sandboxes.lacksPublicNames()) {
            remedies.add("this machine does not resolve public names, so scripts reach no host through the proxy;"
                    + " to fix: name the hosts that scripts may reach with --allow-host, or configure DNS");
        }
        config.shared().keepFiles().ifPresent(folder -> probes.add("Files kept in: " + folder));
        return new EnvironmentReport(
                inside.pythonVersion(),
                uv,
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                choice.sandbox().name(),
                status(choice, inside),
                config.limits().defaultTimeout(),
                config.limits().maxTimeout(),
                config.limits().maxOutputBytes(),
                config.cache().warm(),
                probes,
                remedies);
    }

    private static String status(SandboxFactory.Choice choice, ExecutionResult inside) {
        if (inside.status() != Status.OK) {
            return "not working";
        }
        return choice.sandbox().capabilities().isolates()
                ? "active (" + choice.sandbox().description() + ")"
                : "NOT SANDBOXED: scripts can read and change this machine's files";
    }

    private String uv(List<String> remedies) {
        try {
            Optional<Uv> uv = environments.presentUv();
            return uv.map(found -> found.version() + " (" + found.executable() + ")")
                    .orElse("not installed; it is fetched when a script first needs a dependency");
        } catch (MissingToolException e) {
            remedies.add(String.valueOf(e.getMessage()));
            return "not usable";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }

    /**
     * Runs a script that tests whether it can reach the host's home folder and a port of the host's loopback interface.
     */
    private ExecutionResult probe(Consumer<String> progress) {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String host = System.getProperty("user.home") + "\n" + listener.getLocalPort() + "\n";
            InputFile file = new InputFile("host.txt", host.getBytes(StandardCharsets.UTF_8));
            return executor.executeBundled("probe.py", List.of(file), progress);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
