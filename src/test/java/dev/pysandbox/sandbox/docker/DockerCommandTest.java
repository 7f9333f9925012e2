package dev.pysandbox.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.JobProxy;
import dev.pysandbox.sandbox.SandboxContract;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.sandbox.local.Mount;
import dev.pysandbox.support.ByteSize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class DockerCommandTest {
    private static final String ETC = " --mount type=bind,src=/run/etc/passwd,dst=/etc/passwd,readonly"
            + " --mount type=bind,src=/run/etc/group,dst=/etc/group,readonly";

    @Test
    void putsAJobIntoWords() {
        Job job = new Job(
                List.of("/env/bin/python", "script.py"),
                List.of(
                        Volume.Content.of("e1", Path.of("/cache/e1"), "/env"),
                        new Volume.HostFolder(Path.of("/data/x"), Path.of("/data/x"), true)),
                Map.of("LANG", "C.UTF-8"),
                new Limits(ByteSize.parse("1g"), 100, OptionalDouble.of(1.5), 1024, ByteSize.parse("512m")),
                Network.INTERNET,
                EgressPolicy.publicInternet(),
                Job.Priority.LOW);
        String expected = "run --interactive --rm --stop-signal KILL --pull never --name box-1 --hostname sandbox"
                + " --log-driver none --label server=/tmp/s"
                + " --read-only --cap-drop ALL --security-opt no-new-privileges:true"
                + " --security-opt seccomp=/run/seccomp.json --user 60700:60700 --ipc private --shm-size 64m"
                + " --cgroupns private"
                + " --runtime runsc --network none --memory 1140850688 --memory-swap 1140850688 --pids-limit 104 --cpu-shares 256"
                + " --cpus 1.50"
                + " --ulimit nofile=1024:1024 --ulimit core=0:0 --ulimit msgqueue=0:0"
                + " --tmpfs /tmp:rw,exec,nosuid,nodev,size=536870912,nr_inodes=100000,mode=1777"
                + " --tmpfs /home/user:rw,exec,nosuid,nodev,size=536870912,nr_inodes=100000,mode=0700,uid=60700,gid=60700"
                + " --tmpfs /work:rw,exec,nosuid,nodev,size=536870912,nr_inodes=100000,mode=0700,uid=60700,gid=60700"
                + " --tmpfs /sys:ro,size=4k,mode=0555 --tmpfs /var:ro,size=4k,mode=0555"
                + ETC
                + " --mount type=bind,src=/run/etc/resolv.conf,dst=/etc/resolv.conf,readonly"
                + " --mount type=bind,src=/run/etc/hosts,dst=/etc/hosts,readonly"
                + " --mount type=bind,src=/cache/e1,dst=/env,readonly --mount type=bind,src=/data/x,dst=/data/x"
                + " --mount type=bind,src=/run/proxy-1,dst=/run/proxy.sock,readonly"
                + " --workdir /work --entrypoint /usr/bin/env sha256:1234 -i "
                + String.join(" ", DockerVariables.reader()) + " /env/bin/python script.py";
        String proxy = DockerCommand.bind(new Mount(Path.of("/run/proxy-1"), JobProxy.SHARED_SOCKET, false));
        DockerCommand command = command(false, Optional.of("runsc"));
        assertEquals(expected, String.join(" ", command.build(job, "box-1", Optional.of(proxy))));
    }

    @Test
    void leavesTheEnginesUserNamespacesOnlyWhereItMust() {
        assertFalse(features("[\"name=seccomp,profile=default\",\"name=rootless\"]\n")
                .remapsUsers());
        assertFalse(features("null\n").remapsUsers());
        DockerFeatures remapping = features("[\"name=seccomp,profile=default\",\"name=userns\"]\n");
        List<Volume> readOnly = List.of(Volume.Content.of("a", Path.of("/a"), "/a"));
        List<Volume> writable = List.of(
                Volume.Content.of("a", Path.of("/a"), "/a"), new Volume.HostFolder(Path.of("/b"), Path.of("/b"), true));
        assertEquals(List.of(), namespaceOf(features(""), writable, Network.HOST));
        assertEquals(List.of(), namespaceOf(remapping, readOnly, Network.INTERNET));
        assertEquals(List.of("host"), namespaceOf(remapping, writable, Network.NONE));
        assertEquals(List.of("host"), namespaceOf(remapping, readOnly, Network.HOST));
    }

    private static List<String> namespaceOf(DockerFeatures features, List<Volume> mounts, Network network) {
        List<String> line = command(false, Optional.empty(), features)
                .build(SandboxContract.job("true", Map.of(), mounts, network), "box-1", Optional.empty());
        int at = line.indexOf("--userns");
        return at < 0 ? List.of() : List.of(line.get(at + 1));
    }

    @Test
    void sharesTheHostsNetworkAndNamesOnlyWhenToldSo() {
        for (Network network : Network.values()) {
            String line = line(SandboxContract.job("true", Map.of(), List.of(), network));
            assertEquals(network == Network.HOST, line.contains(" --network host "), network.label());
            assertEquals(network != Network.HOST, line.contains(" --network none "), network.label());
            assertEquals(network != Network.HOST, line.contains("dst=/etc/resolv.conf"), network.label());
        }
    }

    @Test
    void speaksPodmansDialect() {
        String line = line(true, SandboxContract.job("true", Map.of(), List.of()));
        assertTrue(line.contains(" --tmpfs /work:rw,exec,nosuid,nodev,size=536870912,mode=1777,notmpcopyup "), line);
        assertTrue(line.contains(" --tmpfs /var:ro,size=4k,mode=0555,notmpcopyup "), line);
        assertTrue(line.contains(" --ulimit nproc="), line);
    }

    @Test
    void quotesPathsThatWouldSplitAMount() {
        Volume mount = Volume.Content.of("odd", Path.of("/data/a,b \"c\""), "/data/a,b \"c\"");
        String line = line(SandboxContract.job("true", Map.of(), List.of(mount)));
        assertTrue(
                line.contains(" --mount type=bind,\"src=/data/a,b \"\"c\"\"\",\"dst=/data/a,b \"\"c\"\"\",readonly "),
                line);
    }

    @Test
    void passesVariablesAsOneLine() throws Exception {
        Map<String, String> variables = Map.of("A", "it's", "B", "x\ny$z");
        assertEquals(
                "export A='it'\\''s';export B='x'\"$python_sandbox_newline\"'y$z';\n",
                new String(DockerVariables.encode(variables), StandardCharsets.UTF_8));
        for (Map<String, String> refused :
                List.of(Map.of("A;id", ""), Map.of("A", "\0"), Map.of("A", "x".repeat(40_000)))) {
            assertThrows(IOException.class, () -> DockerVariables.encode(refused));
        }
    }

    @Test
    void leavesOutWhatNobodyChose() {
        String line = line(SandboxContract.job("true", Map.of(), List.of()));
        for (String option : List.of("--runtime", "--cpus", "nproc", "proxy.sock", "--privileged", "--init")) {
            assertEquals(-1, line.indexOf(option), option);
        }
    }

    private static String line(Job job) {
        return line(false, job);
    }

    private static String line(boolean podman, Job job) {
        return String.join(" ", command(podman, Optional.empty()).build(job, "box-1", Optional.empty()));
    }

    @Test
    void knowsFromTheApiWhetherThereAreCgroupNamespaces() {
        assertEquals(new DockerFeatures("20.10.24", true, false), DockerFeatures.parse(false, "20.10.24 1.41\n", ""));
        assertEquals(new DockerFeatures("19.03.1", false, false), DockerFeatures.parse(false, "19.03.1 1.40\n", ""));
        assertEquals(new DockerFeatures("?", false, false), DockerFeatures.parse(false, "?", ""));
        assertEquals(new DockerFeatures("4.3.1", true, false), DockerFeatures.parse(true, "4.3.1 4.3.1\n", ""));
    }

    private static DockerFeatures features(String securityOptions) {
        return DockerFeatures.parse(false, "20.10.24 1.41\n", securityOptions);
    }

    private static DockerEngine engine(boolean podman) {
        return new DockerEngine(Path.of("/usr/bin/docker"), podman, Map.of());
    }

    private static DockerCommand command(boolean podman, Optional<String> runtime) {
        return command(podman, runtime, features(""));
    }

    private static DockerCommand command(boolean podman, Optional<String> runtime, DockerFeatures features) {
        return new DockerCommand(
                engine(podman),
                features,
                "sha256:1234",
                runtime,
                new DockerUser(60700, 60700),
                Path.of("/run/etc"),
                List.of("--label", "server=/tmp/s"),
                Path.of("/run/seccomp.json"));
    }
}
