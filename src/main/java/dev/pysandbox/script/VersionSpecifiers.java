package dev.pysandbox.script;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A set of comparisons that a version must satisfy, such as {@code >=3.9,<4}. */
public final class VersionSpecifiers {
    private final String written;
    private final List<VersionSpecifier> specifiers;

    private VersionSpecifiers(String written, List<VersionSpecifier> specifiers) {
        this.written = written;
        this.specifiers = List.copyOf(specifiers);
    }

    /** Parses comparisons separated by commas; an empty text allows every version. */
    public static VersionSpecifiers parse(String text) throws InvalidScriptException {
        try {
            if (text.length() > Version.MAX_LENGTH) {
                throw new InvalidScriptException("longer than " + Version.MAX_LENGTH + " characters");
            }
            Cursor cursor = new Cursor(text);
            cursor.skipBlanks();
            VersionSpecifiers parsed = cursor.atEnd() ? none() : parse(cursor);
            if (!cursor.atEnd()) {
                throw cursor.expected("a comma or nothing more");
            }
            return new VersionSpecifiers(text.strip(), parsed.specifiers);
        } catch (InvalidScriptException e) {
            throw e.at("version specifier " + InvalidScriptException.quote(text) + " can't be read");
        }
    }

    /** Parses at least one comparison and the blanks after the last; one comma may follow it. */
    static VersionSpecifiers parse(Cursor cursor) throws InvalidScriptException {
        List<VersionSpecifier> specifiers = new ArrayList<>();
        do {
            specifiers.add(VersionSpecifier.parse(cursor));
            cursor.skipBlanks();
        } while (cursor.skip(",") && startsComparison(cursor));
        VersionSpecifiers parsed = new VersionSpecifiers("", specifiers);
        return new VersionSpecifiers(parsed.toString(), specifiers);
    }

    private static boolean startsComparison(Cursor cursor) {
        cursor.skipBlanks();
        return !cursor.peekWhile(c -> "<>=!~".indexOf(c) >= 0).isEmpty();
    }

    static VersionSpecifiers none() {
        return new VersionSpecifiers("", List.of());
    }

    /**
     * Whether a version satisfies all comparisons. A pre-release counts like any other version; a caller that chooses
     * among several versions must prefer final releases.
     */
    public boolean contains(Version version) {
        return specifiers.stream().allMatch(specifier -> specifier.contains(version));
    }

    /**
     * Whether a patch release of a version such as 3.13 satisfies all comparisons; tests a version with a patch itself.
     */
    boolean containsSomePatchOf(Version version) {
        if (version.release().size() > 2) {
            return contains(version);
        }
        List<Version> named =
                specifiers.stream().flatMap(it -> it.version().stream()).toList();
        // The result can change only at the numbers in the comparisons, and directly after them.
        Stream<Version> finals = Stream.concat(
                        Stream.of(BigInteger.ZERO),
                        named.stream()
                                .map(it -> Version.segment(it.release(), 2))
                                .flatMap(patch -> Stream.of(patch, patch.add(BigInteger.ONE))))
                .map(patch -> version.withRelease(
                        List.of(version.release().get(0), Version.segment(version.release(), 1), patch)));
        Stream<Version> preReleases = named.stream()
                .filter(it -> it.release().size() == 3)
                .filter(it -> it.withRelease(it.release().subList(0, 2)).equals(version));
        return Stream.concat(finals, preReleases).anyMatch(this::contains);
    }

    public boolean isEmpty() {
        return specifiers.isEmpty();
    }

    /** Returns the parsed text without blanks around it. */
    public String written() {
        return written;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VersionSpecifiers that && toString().equals(that.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /** Returns the canonical form: sorted, without duplicates and blanks, each version in its normal form. */
    @Override
    public String toString() {
        return specifiers.stream()
                .map(VersionSpecifier::toString)
                .distinct()
                .sorted()
                .collect(Collectors.joining(","));
    }
}
