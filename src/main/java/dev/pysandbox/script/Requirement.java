package dev.pysandbox.script;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One dependency by the dependency specifiers specification (PEP 508); {@code toString} is its canonical form.
 *
 * @param name the project's name as written
 * @param extras normalised, sorted, without repetitions
 * @param marker in its canonical form; never evaluated
 */
public record Requirement(
        String name, List<String> extras, Optional<String> url, VersionSpecifiers specifiers, Optional<String> marker) {
    static final int MAX_LENGTH = 1000;

    private static final Pattern SEPARATORS = Pattern.compile("[-_.]+");

    public Requirement {
        extras = List.copyOf(extras);
    }

    /** Parses a dependency; refuses all that are not from the package index or an https URL. */
    public static Requirement parse(String text) throws InvalidScriptException {
        if (text.length() > MAX_LENGTH) {
            throw new InvalidScriptException("dependency " + InvalidScriptException.quote(text) + " is longer than "
                    + MAX_LENGTH + " characters: shorten it");
        }
        try {
            ForbiddenSource.check(text);
            return new RequirementParser(text).parse();
        } catch (InvalidScriptException e) {
            throw e.at("dependency " + InvalidScriptException.quote(text));
        }
    }

    /** Returns the name by which projects are compared (PEP 503). */
    public String normalizedName() {
        return normalize(name);
    }

    static String normalize(String name) {
        return SEPARATORS.matcher(name).replaceAll("-").toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(normalizedName());
        if (!extras.isEmpty()) {
            text.append('[').append(String.join(",", extras)).append(']');
        }
        text.append(specifiers);
        url.ifPresent(it -> text.append(" @ ").append(it));
        // After a URL, a semicolon needs a blank before it; otherwise it is part of the URL.
        marker.ifPresent(it -> text.append(url.isPresent() ? " ; " : "; ").append(it));
        return text.toString();
    }
}
