package dev.pysandbox.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Parses a marker by the grammar of the dependency specifiers specification. */
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

    /** Parses alternatives and the blanks after them. */
    Marker parse() throws InvalidScriptException {
        List<Marker> alternatives = new ArrayList<>();
        do {
            alternatives.add(conjunction());
        } while (skipWord("or"));
        return flat(
                alternatives, it -> it instanceof Marker.AnyOf any ? any.conditions() : List.of(it), Marker.AnyOf::new);
    }

    private Marker conjunction() throws InvalidScriptException {
        List<Marker> conditions = new ArrayList<>();
        do {
            conditions.add(condition());
        } while (skipWord("and"));
        return flat(
                conditions, it -> it instanceof Marker.AllOf all ? all.conditions() : List.of(it), Marker.AllOf::new);
    }

    private static Marker flat(
            List<Marker> markers, Function<Marker, List<Marker>> parts, Function<List<Marker>, Marker> joined) {
        List<Marker> flat =
                markers.stream().flatMap(it -> parts.apply(it).stream()).toList();
        return flat.size() == 1 ? flat.get(0) : joined.apply(flat);
    }

    private Marker condition() throws InvalidScriptException {
        cursor.skipBlanks();
        if (!cursor.skip("(")) {
            return comparison();
        }
        Marker inner = parse();
        if (!cursor.skip(")")) {
            throw cursor.expected("'and', 'or' or ')'");
        }
        cursor.skipBlanks();
        return inner;
    }

    private Marker comparison() throws InvalidScriptException {
        String left = operand();
        String operator = operator();
        String right = operand();
        return new Marker.Comparison(
                right.equals("extra") ? normalized(left) : left,
                operator,
                left.equals("extra") ? normalized(right) : right);
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
