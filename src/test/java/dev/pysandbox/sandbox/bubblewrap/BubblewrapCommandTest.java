package dev.pysandbox.sandbox.bubblewrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.SandboxContract;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.sandbox.local.Mount;
import dev.pysandbox.sandbox.local.SyntheticEtc;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BubblewrapCommandTest {
    private static final List<String> SYSTEM = List.of("--ro-bind", "/usr/lib", "/usr/lib");

    @Test
    void putsAJobIntoWords() {
        Job job = new Job(
                List.of("/env/bin/python", "script.py"),
                List.of(
                        Volume.Content.of("e1", Path.of("/cache/e1"), "/env"),
                        new Volume.HostFolder(Path.of("/data/x"), Path.of("/data/x"), true)),
                Map.of("LANG", "C.UTF-8"),
                Limits.DEFAULT,
                Network.INTERNET,
                EgressPolicy.publicInternet());
        List<String> expected =
                List.of(("--unshare-all --unshare-user --disable-userns --new-session --die-with-parent --as-pid-1"
                                + " --cap-drop ALL --clearenv --hostname sandbox --uid 1000 --gid 1000"
                                + " --ro-bind /usr/lib /usr/lib"
                                + " --ro-bind /run/etc /etc --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache"
                                + " --ro-bind-try /etc/ssl /etc/ssl"
                                + " --ro-bind-try /etc/java-17-openjdk /etc/java-17-openjdk"
                                + " --proc /proc --ro-bind /proc/sys /proc/sys --size 4096 --perms 0555 --tmpfs /proc/1"
                                + " --remount-ro /proc/1"
                                + " --ro-bind-try /sys/devices/system/cpu /sys/devices/system/cpu"
                                + " --dev /dev --size 67108864 --perms 1777 --tmpfs /dev/shm --remount-ro /dev"
                                + " --size 536870912 --perms 1777 --tmpfs /tmp --size 536870912 --perms 0700 --tmpfs /home/user"
                                + " --size 536870912 --perms 0700 --tmpfs /work"
                                + " --ro-bind /cache/e1 /env --bind /data/x /data/x"
                                + " --remount-ro / --chdir /work"
                                + " --setenv HOME /home/user --setenv LANG C.UTF-8 --setenv TMPDIR /tmp"
                                + " --seccomp 9")
                        .split(" ", -1));
        assertEquals(expected, command(true).options(job, Mount.of(job)));
        assertEquals(
                "/usr/bin/bwrap --args 8 -- /usr/bin/prlimit --nproc=192 --msgqueue=0 -- /env/bin/python script.py",
                String.join(" ", command(true).commandLine(job)));
    }

    @Test
    void hidesWhatIsBesideAPythonInAHomeFolder() {
        Job job = SandboxContract.job("true", Map.of(), List.of());
        Path python = Path.of("/root/.pyenv/3.13");
        String options = String.join(" ", command(true).options(job, List.of(new Mount(python, python, false))));
        assertTrue(
                options.contains(" --perms 0111 --dir /root --perms 0111 --dir /root/.pyenv --ro-bind " + python),
                options);
    }

    @Test
    void sharesTheHostsNetworkOnlyWhenToldSo() {
        for (Network network : Network.values()) {
            Job job = SandboxContract.job("true", Map.of(), List.of(), network);
            boolean shared = command(true).options(job, List.of()).contains("--share-net");
            assertEquals(network == Network.HOST, shared, network.label());
        }
    }

    @Test
    void leavesOutWhatAnOldBubblewrapDoesNotKnow() {
        Job job = SandboxContract.job("true", Map.of(), List.of());
        List<String> arguments = command(false).options(job, List.of());
        assertFalse(arguments.contains("--size"));
        assertFalse(arguments.contains("--disable-userns"));
    }

    @Test
    void comparesVersionsAsNumbers() {
        assertTrue(BubblewrapSandbox.atLeast("0.8.0", 0, 8));
        assertTrue(BubblewrapSandbox.atLeast("0.11.0", 0, 8));
        assertTrue(BubblewrapSandbox.atLeast("1.0", 0, 8));
        assertFalse(BubblewrapSandbox.atLeast("0.6.1", 0, 8));
    }

    private static BubblewrapCommand command(boolean bounded) {
        return new BubblewrapCommand(
                Path.of("/usr/bin/bwrap"),
                SYSTEM,
                new SyntheticEtc(Path.of("/run/etc"), List.of("ld.so.cache", "ssl", "java-17-openjdk")),
                Optional.of(Path.of("/run/filter")),
                Optional.of(Path.of("/usr/bin/prlimit")),
                bounded);
    }
}
