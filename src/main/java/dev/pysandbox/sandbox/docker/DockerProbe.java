package dev.pysandbox.sandbox.docker;

import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.sandbox.ImagePython;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.JobProxy;
import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxedProcess;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.support.BundledFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Runs the first container of an image to find out whether the engine can mount files and sockets of the host, and
 * which Python and uv the image has.
 *
 * @param network {@link Network#INTERNET} to test whether a socket of the host can be mounted
 */
record DockerProbe(DockerSettings settings, DockerDiagnosis diagnosis, Network network) {
    private static final String MARK = "/run/mark";
    private static final String SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final String WHEELS = "/usr/local/lib/python-sandbox/wheels";
    private static final int LINES = 8;

    /**
     * Prints the content of the mounted file, which shows that the engine mounts the host's files, then the image's
     * tools.
     */
    private static final String SCRIPT =
            "cat " + MARK + " && exec python%s -I -c \"$1\" " + WHEELS + " " + JobProxy.SHARED_SOCKET;

    /** @param seesSockets whether the container can connect to a socket of the host */
    record Findings(ImagePython python, boolean seesSockets) {}

    /** @param image the id of the image */
    Findings run(Sandbox sandbox, Path file, String image) throws IOException, InterruptedException, RefusedException {
        String mark = UUID.randomUUID().toString();
        Files.writeString(file, mark + "\n");
        try (SandboxedProcess process = sandbox.start(job(file))) {
            List<String> output = new String(process.stdout().readNBytes(4000), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            String errorOutput = new String(process.stderr().readNBytes(4000), StandardCharsets.UTF_8);
            process.waitFor();
            judge(mark, output, errorOutput);
            return new Findings(python(output, image), seesSockets(output));
        }
    }

    private Job job(Path mark) throws IOException {
        String program = BundledFile.text(DockerProbe.class, "container_probe.py");
        return new Job(
                List.of("/bin/sh", "-c", SCRIPT.formatted(settings.pythonSeries()), "sh", program),
                List.of(new Volume.HostFolder(mark, Path.of(MARK), false)),
                Map.of("PATH", SEARCH_PATH),
                Limits.DEFAULT,
                network,
                EgressPolicy.only(List.of()));
    }

    private void judge(String mark, List<String> output, String errorOutput) throws RefusedException {
        boolean unseen = (output.isEmpty() && errorOutput.contains(MARK)) || errorOutput.contains("bind source path");
        if (unseen || (!output.isEmpty() && !output.get(0).equals(mark))) {
            throw diagnosis.filesNotShared();
        }
        if (output.isEmpty()) {
            throw diagnosis.of(errorOutput);
        }
        if (output.size() == 1 || !(output.get(1) + ".").startsWith(settings.pythonVersion() + ".")) {
            throw diagnosis.wrongPython(settings.pythonVersion(), output.size() > 1 ? output.get(1) : "");
        }
        if (output.size() < LINES) {
            throw diagnosis.of(errorOutput);
        }
        if (output.get(4).isEmpty()) {
            throw diagnosis.noUv();
        }
        // A relay would not help: its sockets too come from outside the container.
        if (settings.runtime().isPresent() && network == Network.INTERNET && !seesSockets(output)) {
            throw diagnosis.socketsNotShown(settings.runtime().get());
        }
    }

    private static boolean seesSockets(List<String> output) {
        return output.get(7).equals("0");
    }

    private static ImagePython python(List<String> output, String image) {
        Optional<Path> wheels =
                Optional.of(output.get(6)).filter(path -> !path.isEmpty()).map(Path::of);
        return new ImagePython(
                output.get(1),
                Path.of(output.get(2)),
                Path.of(output.get(3)),
                Path.of(output.get(4)),
                output.get(5),
                wheels,
                image);
    }
}
