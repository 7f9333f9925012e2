package dev.pysandbox.sandbox.local;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The package managers of Linux distributions, in the order in which they are searched. */
public enum PackageManager {
    APT_GET("apt-get", "sudo apt-get install -y "),
    DNF("dnf", "sudo dnf install -y "),
    YUM("yum", "sudo yum install -y "),
    PACMAN("pacman", "sudo pacman -S --noconfirm "),
    ZYPPER("zypper", "sudo zypper install -y "),
    APK("apk", "sudo apk add "),
    /** None of the others is installed. */
    UNKNOWN("", "install the package ");

    private final String program;
    private final String install;

    PackageManager(String program, String install) {
        this.program = program;
        this.install = install;
    }

    /** Returns the package manager of this machine. */
    public static PackageManager current() {
        return among(name -> HostSystem.program(name, Optional.empty()).isPresent());
    }

    static PackageManager among(Predicate<String> installed) {
        return Stream.of(values())
                .filter(manager -> manager == UNKNOWN || installed.test(manager.program))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the command that installs a package. */
    public String install(String packageName) {
        return install + packageName;
    }
}
