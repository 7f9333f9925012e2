package dev.pysandbox.script;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks a marker, the condition behind a requirement's semicolon, by the grammar of the dependency specifiers'
 * specification, and writes it in its canonical form. It is never evaluated.
 */
final class MarkerParser {
    private static final Set<String> VARIABLES = Set.of(
            "python_version",
            "python_full_version",
            "os_name",
            "sys_platform",
            "platform_release",
            "platform_system",
            "platform_version",
            "platform_machine",
            "platform_python_implementation",
            "implementation_name",
            "implementation_version",
            "extra");

    /** Spellings from before PEP 508 that are still in use. */
    private static final Map<String, String> OLD_SPELLINGS = Map.of(
            "os.name", "os_name",
            "sys.platform", "sys_platform",
            "platform.version", "platform_version",
            "platform.machine", "platform_machine",
            "platform.python_implementation", "platform_python_implementation",
            "python_implementation", "platform_python_implementation");

    private static final Set<String> OF_LOCK_FILES = Set.of("extras", "dependency_groups");
    private static final List<String> COMPARISONS = List.of("===", "==", "~=", "!=", "<=", ">=", "<", ">");

    private final Cursor cursor;

    MarkerParser(Cursor cursor) {
        this.cursor = cursor;
    }

    /** Reads a marker and the blanks behind it; returns its canonical form. */
    String parse() throws InvalidScriptException {
        return alternatives().text();
    }

    /** A condition in its canonical form, and whether that is several joined by {@code or}. */
    private record Condition(String text, boolean alternatives) {}

    private Condition alternatives() throws InvalidScriptException {
        Condition first = conjunction();
        if (!skipWord("or")) {
            return first;
        }
        StringBuilder text = new StringBuilder(first.text());
        do {
            text.append(" or ").append(conjunction().text());
        } while (skipWord("or"));
        return new Condition(text.toString(), true);
    }

    private Condition conjunction() throws InvalidScriptException {
        Condition first = condition();
        if (!skipWord("and")) {
            return first;
        }
        StringBuilder text = new StringBuilder(withinConjunction(first));
        do {
            text.append(" and ").append(withinConjunction(condition()));
        } while (skipWord("and"));
        return new Condition(text.toString(), false);
    }

    private static String withinConjunction(Condition condition) {
        return condition.alternatives() ? "(" + condition.text() + ")" : condition.text();
    }

    private Condition condition() throws InvalidScriptException {
        cursor.skipBlanks();
        if (!cursor.skip("(")) {
            return new Condition(comparison(), false);
        }
        Condition inner = alternatives();
        if (!cursor.skip(")")) {
            throw cursor.expected("'and', 'or' or ')'");
        }
        cursor.skipBlanks();
        return inner;
    }

    private String comparison() throws InvalidScriptException {
        String left = operand();
        String operator = operator();
        String right = operand();
        return (right.equals("extra") ? normalized(left) : left)
                + " "
                + operator
                + " "
                + (left.equals("extra") ? normalized(right) : right);
    }

    private static String normalized(String operand) {
        return VARIABLES.contains(operand) ? operand : Requirement.normalize(operand);
    }

    private String operator() throws InvalidScriptException {
        for (String comparison : COMPARISONS) {
            if (cursor.skip(comparison)) {
                return comparison;
            }
        }
        if (skipWord("in")) {
            return "in";
        }
        if (skipWord("not") && skipWord("in")) {
            return "not in";
        }
        throw cursor.expected("a comparison (" + String.join(" ", COMPARISONS) + "), 'in' or 'not in'");
    }

    private String operand() throws InvalidScriptException {
        cursor.skipBlanks();
        String operand = cursor.isAt('"') || cursor.isAt('\'') ? string() : variable();
        cursor.skipBlanks();
        return operand;
    }

    private String variable() throws InvalidScriptException {
        String word = cursor.peekWhile(MarkerParser::isWordPart);
        String name = OLD_SPELLINGS.getOrDefault(word, word);
        if (OF_LOCK_FILES.contains(name)) {
            throw new InvalidScriptException("the marker variable '" + name + "' is known in lock files only");
        }
        if (!VARIABLES.contains(name)) {
            throw cursor.expected("a quoted string or one of the marker variables "
                    + String.join(", ", VARIABLES.stream().sorted().toList()));
        }
        cursor.skip(word);
        return name;
    }

    private String string() throws InvalidScriptException {
        String quote = cursor.isAt('"') ? "\"" : "'";
        cursor.skip(quote);
        // The grammar excludes backslashes, because tools interpret them differently.
        String value = cursor.takeWhile(c -> c >= ' ' && c <= '~' && c != '\\' && c != quote.charAt(0));
        if (!cursor.skip(quote)) {
            throw cursor.expected("the closing " + quote + " of a string of plain ASCII characters without backslash");
        }
        String canonicalQuote = value.contains("\"") ? "'" : "\"";
        return canonicalQuote + value + canonicalQuote;
    }

    /** Skips a whole word and the blanks after it, if it is next. */
    private boolean skipWord(String word) {
        boolean found = cursor.peekWhile(MarkerParser::isWordPart).equals(word) && cursor.skip(word);
        if (found) {
            cursor.skipBlanks();
        }
        return found;
    }

    private static boolean isWordPart(int c) {
        return Cursor.isLetterOrDigit(c) || c == '_' || c == '.';
    }
}
