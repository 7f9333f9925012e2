package dev.pysandbox.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the examples of PEP 440; {@link PackagingAgreementTest} has many more. */
class VersionTest {

    @ParameterizedTest
    @CsvSource({
        "1.1RC1, 1.1rc1",
        "00, 0",
        "09000, 9000",
        "1.0+foo0100, 1.0+foo0100",
        "1.0+0100, 1.0+100",
        "1.1.a1, 1.1a1",
        "1.1-a1, 1.1a1",
        "1.1_a1, 1.1a1",
        "1.0a.1, 1.0a1",
        "1.1alpha1, 1.1a1",
        "1.1beta2, 1.1b2",
        "1.1c3, 1.1rc3",
        "1.1pre3, 1.1rc3",
        "1.1preview3, 1.1rc3",
        "1.2a, 1.2a0",
        "1.2-post2, 1.2.post2",
        "1.2.post-2, 1.2.post2",
        "1.0-r4, 1.0.post4",
        "1.0-rev4, 1.0.post4",
        "1.2.post, 1.2.post0",
        "1.0-1, 1.0.post1",
        "1.2-dev2, 1.2.dev2",
        "1.2dev2, 1.2.dev2",
        "1.2.dev, 1.2.dev0",
        "1.0+ubuntu-1, 1.0+ubuntu.1",
        "1.0+UBUNTU_1, 1.0+ubuntu.1",
        "v1.0, 1.0",
        "' 1.0\n', 1.0",
        "1!1.0, 1!1.0",
        "0!1.0, 1.0",
        "2013.10, 2013.10"
    })
    void isNormalised(String written, String normal) throws InvalidScriptException {
        assertEquals(normal, Version.parse(written).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "abc", "1.", ".1", "1..2", "1.0x", "1.0-", "1.0--1", "1.0+", "1.0+a+b", "!1", "1 .0", "１"})
    void isRefused(String text) {
        String message = assertThrows(InvalidScriptException.class, () -> Version.parse(text))
                .getMessage();
        assertTrue(message.startsWith("'" + text + "' is not a version"), message);
    }

    @Test
    void isOrdered() throws InvalidScriptException {
        List<Version> ordered = new ArrayList<>();
        for (String text : List.of(
                "1.0.dev456",
                "1.0a1",
                "1.0a2.dev456",
                "1.0a12.dev456",
                "1.0a12",
                "1.0b1.dev456",
                "1.0b2",
                "1.0b2.post345.dev456",
                "1.0b2.post345",
                "1.0rc1.dev456",
                "1.0rc1",
                "1.0",
                "1.0+abc.5",
                "1.0+abc.7",
                "1.0+5",
                "1.0.post456.dev34",
                "1.0.post456",
                "1.0.15",
                "1.1.dev1",
                "2013.10",
                "1!1.0",
                "1!2")) {
            ordered.add(Version.parse(text));
        }
        List<Version> shuffled = new ArrayList<>(ordered);
        Collections.shuffle(shuffled, new Random(1));
        Collections.sort(shuffled);

        assertEquals(ordered, shuffled);
    }

    @Test
    void trailingZerosDoNotCount() throws InvalidScriptException {
        assertEquals(Version.parse("1"), Version.parse("1.0.0"));
        assertEquals(Version.parse("1").hashCode(), Version.parse("1.0.0").hashCode());
        assertFalse(Version.parse("1").equals(Version.parse("1.0.1")));
    }

    @ParameterizedTest
    @CsvSource({
        "~= 2.2, 2.2, true",
        "~= 2.2, 2.9, true",
        "~= 2.2, 3.0, false",
        "~= 1.4.5, 1.4.9, true",
        "~= 1.4.5, 1.5, false",
        "~= 2.2.post3, 2.2.post2, false",
        "~= 2.2.post3, 2.3, true",
        "~= 1.4.5a4, 1.4.5a3, false",
        "~= 2.2.0, 2.2.7, true",
        "~= 2.2.0, 2.3.0, false",
        "~= 1.4.5.0, 1.4.5.9, true",
        "== 1.1, 1.1.post1, false",
        "== 1.1.post1, 1.1.post1, true",
        "== 1.1.*, 1.1.post1, true",
        "== 1.1, 1.1a1, false",
        "== 1.1.*, 1.1a1, true",
        "== 1.1, 1.1.0, true",
        "== 1.1, 1.1+local, true",
        "== 1.1+local, 1.1, false",
        "!= 1.1, 1.1.post1, true",
        "!= 1.1.post1, 1.1.post1, false",
        "!= 1.1.*, 1.1.post1, false",
        "> 1.7, 1.7.1, true",
        "> 1.7, 1.7.0.post1, false",
        "> 1.7.post2, 1.7.1, true",
        "> 1.7.post2, 1.7.0.post3, true",
        "> 1.7.post2, 1.7.0, false",
        "> 1.7, 1.7+local, false",
        "< 1.7, 1.7rc1, false",
        "< 1.7rc2, 1.7rc1, true",
        "<= 1.7, 1.7+local, true",
        "===1.0, 1.0, true",
        "===1.0, 1.0.0, false",
        "===1.0+Downstream1, 1.0+downstream1, true",
        "===foobar, 1.0, false",
        "'>= 1.0, != 1.3.4.*, < 2.0', 1.3.4, false",
        "'>= 1.0, != 1.3.4.*, < 2.0', 1.3.5, true",
        "'~= 0.9, >= 1.0, != 1.3.4.*, < 2.0', 0.9, false",
        "== 1!1.*, 1.1, false",
        "'', 1.0a1, true"
    })
    void isContained(String specifiers, String version, boolean contained) throws InvalidScriptException {
        assertEquals(contained, VersionSpecifiers.parse(specifiers).contains(Version.parse(version)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.13", ">=3.13 <4", "=>3", ">=3,,<4", ",", ">=3\n", "^3.13", ">=3.13; x", "~=3"})
    void specifiersAreRefused(String text) {
        String message = assertThrows(InvalidScriptException.class, () -> VersionSpecifiers.parse(text))
                .getMessage();
        assertTrue(message.startsWith("version specifier '"), message);
    }

    @Test
    void lengthIsBounded() {
        assertThrows(InvalidScriptException.class, () -> Version.parse("1".repeat(1001)));
        assertThrows(InvalidScriptException.class, () -> VersionSpecifiers.parse(">=" + "1".repeat(1000)));
    }
}
