package dev.pysandbox.hints;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The text of a script, against which a hint checks each name before it repeats it.
 *
 * <p>A script, its data and its packages can print anything to stderr. A name from there would look like a statement of
 * the server, so a hint repeats it only if the script's text contains it too. Long names and long lines are treated as
 * absent, which keeps every check linear.
 */
record ScriptText(String text) {
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_LINE = 1000;

    /** Whether the text contains exactly these characters. */
    boolean has(String part) {
        return !part.isBlank() && part.length() <= LONGEST_NAME && text.contains(part);
    }

    /** Whether the text contains this identifier as a whole word. */
    boolean hasWord(String word) {
        return !word.isEmpty() && word.length() <= LONGEST_NAME && hasWord(text, word);
    }

    /** Whether a line of the text imports the module or package. */
    boolean imports(String module) {
        return !module.isEmpty()
                && module.length() <= LONGEST_NAME
                && lines().anyMatch(line -> line.contains("import") && hasWord(line, module));
    }

    /** Whether the text assigns a dictionary to a variable of this name. */
    boolean hasDictionary(String variable) {
        return !variable.isEmpty() && has(variable + " = {");
    }

    /** Returns the lines, without very long ones. */
    Stream<String> lines() {
        return text.lines().filter(line -> line.length() <= LONGEST_LINE);
    }

    /** @param number counted from 1 */
    Optional<String> line(int number) {
        return text.lines().skip(Math.max(0, number - 1L)).findFirst();
    }

    /** Whether a name can be repeated: relative, short, without {@code ..}, of harmless characters. */
    static boolean isPlain(String name) {
        return name.length() <= LONGEST_NAME / 2
                && !name.isBlank()
                && name.codePoints().allMatch(c -> Character.isLetterOrDigit(c) || " ._-()/".indexOf(c) >= 0)
                && Arrays.stream(name.split("/", -1))
                        .noneMatch(part -> part.isBlank() || part.equals(".") || part.equals(".."));
    }

    private static boolean hasWord(String text, String word) {
        for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length())) {
            int end = at + word.length();
            if ((at == 0 || !Character.isJavaIdentifierPart(text.charAt(at - 1)))
                    && (end == text.length() || !Character.isJavaIdentifierPart(text.charAt(end)))) {
                return true;
            }
        }
        return false;
    }
}
