package dev.pysandbox.script;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Parses a requirement by the grammar of the dependency specifiers specification. */
final class RequirementParser {
    private final Cursor cursor;

    RequirementParser(String text) {
        cursor = new Cursor(text);
    }

    Requirement parse() throws InvalidScriptException {
        cursor.skipBlanks();
        String name = identifier("a package name");
        ForbiddenSource.checkName(name);
        cursor.skipBlanks();
        List<String> extras = extras();
        cursor.skipBlanks();
        boolean direct = cursor.skip("@");
        Optional<String> url = direct ? Optional.of(url()) : Optional.empty();
        VersionSpecifiers specifiers = direct ? VersionSpecifiers.none() : specifiers();
        cursor.skipBlanks();
        Optional<String> marker = cursor.skip(";") ? Optional.of(new MarkerParser(cursor).parse()) : Optional.empty();
        if (!cursor.atEnd()) {
            throw cursor.expected(
                    marker.isPresent()
                            ? "'and', 'or' or nothing more"
                            : direct
                                    ? "'; marker' behind the URL"
                                    : "a comparison such as '>=1.0', '@ https://…' or '; marker'");
        }
        return new Requirement(name, extras, url, specifiers, marker);
    }

    private List<String> extras() throws InvalidScriptException {
        if (!cursor.skip("[")) {
            return List.of();
        }
        Set<String> extras = new TreeSet<>();
        cursor.skipBlanks();
        while (!cursor.skip("]")) {
            if (!extras.isEmpty()) {
                if (!cursor.skip(",")) {
                    throw cursor.expected("',' or ']'");
                }
                cursor.skipBlanks();
            }
            extras.add(Requirement.normalize(identifier("the name of an extra")));
            cursor.skipBlanks();
        }
        return List.copyOf(extras);
    }

    private VersionSpecifiers specifiers() throws InvalidScriptException {
        if (cursor.skip("(")) {
            cursor.skipBlanks();
            VersionSpecifiers specifiers = VersionSpecifiers.parse(cursor);
            if (!cursor.skip(")")) {
                throw cursor.expected("')'");
            }
            return specifiers;
        }
        return cursor.peekWhile(c -> "<>=!~".indexOf(c) >= 0).isEmpty()
                ? VersionSpecifiers.none()
                : VersionSpecifiers.parse(cursor);
    }

    private String url() throws InvalidScriptException {
        cursor.skipBlanks();
        String url = cursor.takeWhile(c -> !Cursor.isBlank(c));
        ForbiddenSource.checkUrl(url);
        return url;
    }

    private String identifier(String what) throws InvalidScriptException {
        String identifier = cursor.peekWhile(c -> Cursor.isLetterOrDigit(c) || "-_.".indexOf(c) >= 0);
        if (identifier.isEmpty() || !Cursor.isLetterOrDigit(identifier.charAt(0))) {
            throw cursor.expected(what);
        }
        cursor.skip(identifier);
        if (!Cursor.isLetterOrDigit(identifier.charAt(identifier.length() - 1))) {
            throw new InvalidScriptException(
                    what + " ends with a letter or digit, not as in " + InvalidScriptException.quote(identifier));
        }
        return identifier;
    }
}
