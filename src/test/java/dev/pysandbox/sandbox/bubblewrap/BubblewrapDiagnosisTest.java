package dev.pysandbox.sandbox.bubblewrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.local.PackageManager;
import org.junit.jupiter.api.Test;

class BubblewrapDiagnosisTest {
    @Test
    void namesTheCommandThatInstallsAMissingProgram() {
        RefusedException refusal = BubblewrapDiagnosis.missing("setpriv", "util-linux", PackageManager.PACMAN);
        assertEquals("setpriv is not installed", refusal.reason());
        assertEquals("sudo pacman -S --noconfirm util-linux", refusal.remedy());
    }

    @Test
    void quotesTheErrorAsOneLine() {
        String reason = BubblewrapDiagnosis.of("bwrap: No\n permissions\n").reason();
        assertTrue(reason.startsWith("bubblewrap can't create a sandbox here (bwrap: No permissions)"), reason);
    }
}
