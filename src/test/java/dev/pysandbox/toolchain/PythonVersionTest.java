package dev.pysandbox.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PythonVersionTest {
    @ParameterizedTest
    @CsvSource({
        "3.13, 3.13, true",
        "3.13.2, 3.13, true",
        "3.13, 3.13.2, true",
        "3.13.2, 3.13.2, true",
        "3.13.1, 3.13.2, false",
        "3.1, 3.13, false",
        "3.13.2, 3.1, false",
        "3.15.0rc1, 3.15, true",
        "3.15.0rc1, 3.15.0rc1, true",
        "3.15.0rc2, 3.15.0rc1, false",
        "3.15.0, 3.15.0rc1, false",
    })
    void compares(String version, String wanted, boolean expected) {
        assertEquals(expected, PythonVersion.parse(version).mayBe(PythonVersion.parse(wanted)));
    }

    @ParameterizedTest
    @CsvSource({"3.9, 3.10", "3.13.2, 3.13.10", "3.15.0rc1, 3.15.0", "3.15.0a7, 3.15.0b1", "3.13, 3.13.0"})
    void orders(String older, String newer) {
        assertTrue(PythonVersion.parse(older).compareTo(PythonVersion.parse(newer)) < 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "3.x", "python3.13", "3.13 ", "3.13.1.2", "-3.13", "3.13rc1", "3.9999"})
    void refusesOtherForms(String text) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> PythonVersion.parse(text));
        assertTrue(e.getMessage().endsWith("got '" + text + "'"), e.getMessage());
    }
}
