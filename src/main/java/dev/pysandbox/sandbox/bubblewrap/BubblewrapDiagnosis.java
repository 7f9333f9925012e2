package dev.pysandbox.sandbox.bubblewrap;

import dev.pysandbox.sandbox.Sandbox.Refusal;
import dev.pysandbox.sandbox.local.HostSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds out why bwrap does not work and how to fix it, from its error message and the kernel's settings. */
final class BubblewrapDiagnosis {
    private static final String NATIVE = "native";
    private static final List<String[]> INSTALLERS = List.of(
            new String[] {"apt-get", "sudo apt-get install -y bubblewrap"},
            new String[] {"dnf", "sudo dnf install -y bubblewrap"},
            new String[] {"yum", "sudo yum install -y bubblewrap"},
            new String[] {"pacman", "sudo pacman -S --noconfirm bubblewrap"},
            new String[] {"zypper", "sudo zypper install -y bubblewrap"},
            new String[] {"apk", "sudo apk add bubblewrap"});

    private BubblewrapDiagnosis() {}

    static Refusal missing() {
        String remedy = INSTALLERS.stream()
                .filter(row -> HostSystem.program(row[0], Optional.empty()).isPresent())
                .map(row -> row[1])
                .findFirst()
                .orElse("install the package bubblewrap");
        return new Refusal(NATIVE, "bubblewrap is not installed", remedy);
    }

    static Refusal of(String errorOutput) {
        String output = errorOutput.strip().replaceAll("\\s+", " ");
        if (output.contains("not installed")) {
            return new Refusal(NATIVE, output, "sudo apt-get install -y util-linux");
        }
        String reason = "bubblewrap can't create a sandbox here"
                + (output.isEmpty() ? "" : " (" + output.substring(0, Math.min(300, output.length())) + ")");
        if (setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").equals("1")) {
            return new Refusal(
                    NATIVE,
                    reason + ": AppArmor forbids user namespaces to programs without a profile",
                    "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0");
        }
        if (setting("/proc/sys/kernel/unprivileged_userns_clone").equals("0")) {
            return new Refusal(
                    NATIVE,
                    reason + ": the kernel forbids unprivileged user namespaces",
                    "sudo sysctl -w kernel.unprivileged_userns_clone=1");
        }
        if (setting("/proc/sys/user/max_user_namespaces").equals("0")) {
            return new Refusal(
                    NATIVE,
                    reason + ": no user namespaces are allowed",
                    "sudo sysctl -w user.max_user_namespaces=15000");
        }
        if (Files.exists(Path.of("/.dockerenv")) || Files.exists(Path.of("/run/.containerenv"))) {
            return new Refusal(
                    NATIVE,
                    reason + ": the container in which the server runs forbids it",
                    "start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
                            + " --security-opt systempaths=unconfined");
        }
        return new Refusal(NATIVE, reason, "run 'bwrap --ro-bind / / --unshare-all true' to see the error");
    }

    private static String setting(String path) {
        try {
            return Files.readString(Path.of(path)).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
