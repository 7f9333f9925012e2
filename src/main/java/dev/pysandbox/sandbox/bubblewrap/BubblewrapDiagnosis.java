package dev.pysandbox.sandbox.bubblewrap;

import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.local.PackageManager;
import dev.pysandbox.support.ShortText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds out why bwrap does not work and how to fix it, from its error message and the kernel's settings. */
final class BubblewrapDiagnosis {
    private static final int LONGEST_QUOTE = 300;

    private BubblewrapDiagnosis() {}

    static RefusedException missing(String program, String packageName, PackageManager packages) {
        return new RefusedException(program + " is not installed", packages.install(packageName));
    }

    static RefusedException of(String errorOutput) {
        String output = errorOutput.strip().replaceAll("\\s+", " ");
        String reason = "bubblewrap can't create a sandbox here"
                + (output.isEmpty() ? "" : " (" + ShortText.start(output, LONGEST_QUOTE) + ")");
        if (setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").equals("1")) {
            return new RefusedException(
                    reason + ": AppArmor forbids user namespaces to programs without a profile",
                    "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0");
        }
        if (setting("/proc/sys/kernel/unprivileged_userns_clone").equals("0")) {
            return new RefusedException(
                    reason + ": the kernel forbids unprivileged user namespaces",
                    "sudo sysctl -w kernel.unprivileged_userns_clone=1");
        }
        if (setting("/proc/sys/user/max_user_namespaces").equals("0")) {
            return new RefusedException(
                    reason + ": no user namespaces are allowed", "sudo sysctl -w user.max_user_namespaces=15000");
        }
        if (Files.exists(Path.of("/.dockerenv")) || Files.exists(Path.of("/run/.containerenv"))) {
            return new RefusedException(
                    reason + ": the container in which the server runs forbids it",
                    "start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
                            + " --security-opt systempaths=unconfined");
        }
        return new RefusedException(reason, "run 'bwrap --ro-bind / / --unshare-all true' to see the error");
    }

    private static String setting(String path) {
        try {
            return Files.readString(Path.of(path)).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
