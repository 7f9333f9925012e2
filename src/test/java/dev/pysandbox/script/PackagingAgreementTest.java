package dev.pysandbox.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Compares with results of Python's packaging library. The first line of each table names its version. */
class PackagingAgreementTest {

    @Test
    void versionsAreNormalised() {
        check("versions.txt", row -> Version.parse(row.get(0)).toString(), 1);
    }

    @Test
    void versionsAreOrdered() {
        check(
                "version-order.txt",
                row -> {
                    Version left = Version.parse(row.get(0));
                    Version right = Version.parse(row.get(2));
                    int order = Integer.signum(left.compareTo(right));
                    assertEquals(-order, Integer.signum(right.compareTo(left)));
                    assertEquals(order == 0, left.equals(right));
                    assertTrue(order != 0 || left.hashCode() == right.hashCode());
                    return List.of("<", "=", ">").get(order + 1);
                },
                1);
    }

    @Test
    void specifiersContain() {
        check(
                "specifiers.txt",
                row -> Boolean.toString(VersionSpecifiers.parse(row.get(0)).contains(Version.parse(row.get(1)))),
                2);
    }

    @Test
    void requirementsAreRead() {
        check("requirements.txt", row -> Requirement.parse(row.get(0)).toString(), 1);
    }

    private interface Answer {
        String to(List<String> row) throws InvalidScriptException;
    }

    private static void check(String table, Answer answer, int expected) {
        List<String> differences = new ArrayList<>();
        for (List<String> row : Table.read(table)) {
            String actual = answerOrInvalid(() -> answer.to(row));
            if (!actual.equals(row.get(expected))) {
                differences.add(row + " -> " + actual);
            }
        }
        assertEquals(List.of(), differences.stream().limit(20).toList(), differences.size() + " differences");
    }

    private static String answerOrInvalid(Callable<String> answer) {
        try {
            return answer.call();
        } catch (InvalidScriptException e) {
            return "invalid";
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
