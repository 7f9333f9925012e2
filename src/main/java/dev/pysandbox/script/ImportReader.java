package dev.pysandbox.script;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the import statements at the beginning of a script, each character once.
 *
 * <p>It passes over comments, texts such as a docstring, and the selection of matplotlib's only backend. It stops at
 * any other statement and at syntax that it does not know; the statements before that count.
 */
final class ImportReader {
    /**
     * A module that a statement imports.
     *
     * @param names what the statement takes from the module; empty for {@code import module}
     */
    record Import(String module, List<String> names) {
        Import {
            names = List.copyOf(names);
        }
    }

    private final Cursor cursor;
    private final List<Import> found = new ArrayList<>();
    private boolean parenthesised;

    private ImportReader(String source) {
        this.cursor = new Cursor(source);
    }

    /** Returns the imports in the order of the script. */
    static List<Import> read(String source) {
        if (source.lines().limit(2).anyMatch(ImportReader::namesOtherEncoding)) {
            return List.of();
        }
        ImportReader reader = new ImportReader(source);
        reader.cursor.skip("\uFEFF");
        boolean more = true;
        while (more) {
            more = reader.toStatement() && reader.statement();
        }
        return reader.found;
    }

    /** In another encoding, such as UTF-7, the text could have other statements. */
    private static boolean namesOtherEncoding(String line) {
        return line.contains("coding") && !line.contains("utf-8") && !line.contains("UTF-8");
    }

    /** Skips empty lines and comments. Returns false at the end and before an indented statement. */
    private boolean toStatement() {
        while (!cursor.atEnd()) {
            boolean indented = cursor.skipBlanks();
            skipComment();
            if (!skipLineEnd()) {
                return !indented && !cursor.atEnd();
            }
        }
        return false;
    }

    /** Returns whether the statement was understood up to its end. */
    private boolean statement() {
        List<Import> imports = new ArrayList<>();
        boolean understood = switch (cursor.peekWhile(ImportReader::isNamePart)) {
            case "import" -> plainImport(imports);
            case "from" -> fromImport(imports);
            case "matplotlib", "mpl" -> sameBackend();
            default -> text();
        };
        if (understood && endOfStatement()) {
            found.addAll(imports);
            return true;
        }
        return false;
    }

    private boolean plainImport(List<Import> imports) {
        cursor.skip("import");
        do {
            skipSpace();
            imports.add(new Import(cursor.takeWhile(ImportReader::isModulePart), List.of()));
            if (!alias()) {
                return false;
            }
        } while (cursor.skip(","));
        return imports.stream().noneMatch(each -> each.module().isEmpty());
    }

    private boolean fromImport(List<Import> imports) {
        cursor.skip("from");
        skipSpace();
        String module = cursor.takeWhile(ImportReader::isModulePart);
        skipSpace();
        if (module.isEmpty() || !name().equals("import")) {
            return false;
        }
        skipSpace();
        List<String> names = new ArrayList<>();
        if (cursor.skip("*")) {
            names.add("*");
        } else if (!names(names)) {
            return false;
        }
        imports.add(new Import(module, names));
        return true;
    }

    private boolean names(List<String> names) {
        parenthesised = cursor.skip("(");
        do {
            skipSpace();
            if (parenthesised && !names.isEmpty() && cursor.isAt(')')) {
                break; // after the last comma
            }
            names.add(name());
            if (!alias()) {
                return false;
            }
        } while (cursor.skip(","));
        boolean closed = !parenthesised || cursor.skip(")");
        parenthesised = false;
        return closed && !names.contains("");
    }

    /** Skips {@code as name}, if it is next, and the space around it. Returns whether the syntax is right. */
    private boolean alias() {
        skipSpace();
        if (!cursor.peekWhile(ImportReader::isNamePart).equals("as")) {
            return true;
        }
        cursor.skip("as");
        skipSpace();
        boolean named = !name().isEmpty();
        skipSpace();
        return named;
    }

    private String name() {
        return cursor.takeWhile(ImportReader::isNamePart);
    }

    /** Skips {@code matplotlib.use("agg")}: there is no other backend, before and after the import of pyplot. */
    private boolean sameBackend() {
        name();
        return cursor.skip(".use(")
                && (cursor.skip("'agg'") || cursor.skip("'Agg'") || cursor.skip("\"agg\"") || cursor.skip("\"Agg\""))
                && cursor.skip(")");
    }

    /** Skips a text, which does nothing as a statement. */
    private boolean text() {
        cursor.takeWhile(c -> "rRuU".indexOf(c) >= 0);
        for (String quotes : List.of("\"\"\"", "'''", "\"", "'")) {
            if (cursor.skip(quotes)) {
                return restOfText(quotes);
            }
        }
        return false;
    }

    private boolean restOfText(String quotes) {
        boolean oneLine = quotes.length() == 1;
        while (!cursor.skip(quotes)) {
            if (cursor.atEnd() || (oneLine && skipLineEnd())) {
                return false;
            }
            boolean escaped = cursor.skip("\\");
            if (!escaped || !skipLineEnd()) {
                cursor.skipCharacter();
            }
        }
        return true;
    }

    /** Skips the end of a statement, and of its line if no other statement is on it. */
    private boolean endOfStatement() {
        skipSpace();
        boolean separated = cursor.skip(";");
        skipSpace();
        skipComment();
        return cursor.atEnd() || skipLineEnd() || separated;
    }

    /** Skips blanks, continued lines and, between parentheses, line ends and comments. */
    private void skipSpace() {
        boolean more = true;
        while (more) {
            more = cursor.skipBlanks() || cursor.skip("\\\n") || cursor.skip("\\\r\n");
            if (parenthesised) {
                more |= skipComment() || skipLineEnd();
            }
        }
    }

    private boolean skipComment() {
        return cursor.isAt('#')
                && !cursor.takeWhile(c -> c != '\n' && c != '\r').isEmpty();
    }

    private boolean skipLineEnd() {
        return cursor.skip("\r\n") || cursor.skip("\n") || cursor.skip("\r");
    }

    private static boolean isNamePart(int c) {
        return Cursor.isLetterOrDigit(c) || c == '_';
    }

    private static boolean isModulePart(int c) {
        return isNamePart(c) || c == '.';
    }
}
