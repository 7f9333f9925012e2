package dev.pysandbox.sandbox.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;

class PackageManagerTest {
    @Test
    void namesTheCommandOfTheInstalledManager() {
        assertEquals(
                "sudo apt-get install -y util-linux",
                PackageManager.among(Set.of("apk", "apt-get")::contains).install("util-linux"));
        assertEquals(
                "sudo dnf install -y util-linux",
                PackageManager.among(Set.of("yum", "dnf")::contains).install("util-linux"));
        assertEquals(
                "sudo apk add util-linux",
                PackageManager.among(Set.of("apk")::contains).install("util-linux"));
        assertEquals(
                "install the package util-linux",
                PackageManager.among(name -> false).install("util-linux"));
    }
}
