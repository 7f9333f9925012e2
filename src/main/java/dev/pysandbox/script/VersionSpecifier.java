package dev.pysandbox.script;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One comparison such as {@code >=1.2}, {@code ==3.13.*} or {@code ===anything}.
 *
 * @param text the version in its normal form; for {@code ===}, as written
 * @param version empty if {@code ===} is followed by text that is not a version
 * @param wildcard whether {@code .*} followed the version
 */
record VersionSpecifier(Operator operator, String text, Optional<Version> version, boolean wildcard) {

    /** The comparisons of PEP 440; longer ones first, so that the first match is the right one. */
    enum Operator {
        ARBITRARY("==="),
        EQUAL("=="),
        NOT_EQUAL("!="),
        COMPATIBLE("~="),
        AT_MOST("<="),
        AT_LEAST(">="),
        BELOW("<"),
        ABOVE(">");

        private final String symbol;

        Operator(String symbol) {
            this.symbol = symbol;
        }
    }

    static VersionSpecifier parse(Cursor cursor) throws InvalidScriptException {
        Operator operator = Stream.of(Operator.values())
                .filter(candidate -> cursor.skip(candidate.symbol))
                .findFirst()
                .orElseThrow(() -> cursor.expected("a comparison such as '>=1.0'"));
        cursor.skipBlanks();
        String text = cursor.takeWhile(c -> Cursor.isLetterOrDigit(c) || "-_.*+!".indexOf(c) >= 0);
        if (text.isEmpty()) {
            throw cursor.expected("a version after '" + operator.symbol + "'");
        }
        return of(operator, text);
    }

    private static VersionSpecifier of(Operator operator, String text) throws InvalidScriptException {
        if (operator == Operator.ARBITRARY) {
            return new VersionSpecifier(operator, text, versionIn(text), false);
        }
        boolean wildcard = text.endsWith(".*");
        Version version = Version.parse(wildcard ? text.substring(0, text.length() - 2) : text);
        boolean exact = operator == Operator.EQUAL || operator == Operator.NOT_EQUAL;
        if (wildcard && !exact) {
            throw new InvalidScriptException(
                    "'.*' can follow a version only after '==' or '!=', not in '" + operator.symbol + text + "'");
        }
        if (wildcard
                && !version.toString()
                        .equals(version.withRelease(version.release()).toString())) {
            throw new InvalidScriptException("'.*' can follow only a final version, not '" + version + "'");
        }
        if (!exact && !version.local().isEmpty()) {
            throw new InvalidScriptException("a local version such as '" + version
                    + "' can be compared only by '==' or '!=', not by '" + operator.symbol + "'");
        }
        if (operator == Operator.COMPATIBLE && version.release().size() < 2) {
            throw new InvalidScriptException("'~=" + version + "' needs at least two numbers, such as '~="
                    + version.release().get(0) + ".0'");
        }
        return new VersionSpecifier(operator, version + (wildcard ? ".*" : ""), Optional.of(version), wildcard);
    }

    private static Optional<Version> versionIn(String text) {
        try {
            return Optional.of(Version.parse(text));
        } catch (InvalidScriptException e) {
            return Optional.empty();
        }
    }

    boolean contains(Version candidate) {
        if (operator == Operator.ARBITRARY) {
            return candidate.toString().equalsIgnoreCase(text);
        }
        Version limit = version.orElseThrow();
        return switch (operator) {
            case EQUAL -> equal(candidate, limit);
            case NOT_EQUAL -> !equal(candidate, limit);
            case COMPATIBLE ->
                candidate.compareTo(limit) >= 0
                        && candidate.compareTo(afterPrefix(
                                        limit,
                                        limit.release()
                                                .subList(0, limit.release().size() - 1)))
                                < 0;
            case AT_MOST -> candidate.withoutLocal().compareTo(limit) <= 0;
            case AT_LEAST -> candidate.compareTo(limit) >= 0;
            case BELOW -> candidate.compareTo(limit.isPreRelease() ? limit : limit.firstDev()) < 0;
            case ABOVE -> candidate.withoutLocal().compareTo(limit) > 0 && !isPostReleaseOf(candidate, limit);
            case ARBITRARY -> throw new AssertionError(operator);
        };
    }

    private boolean equal(Version candidate, Version limit) {
        if (wildcard) {
            return candidate.compareTo(limit.firstDev()) >= 0
                    && candidate.compareTo(afterPrefix(limit, limit.release())) < 0;
        }
        return limit.local().isEmpty() ? candidate.withoutLocal().equals(limit) : candidate.equals(limit);
    }

    /** {@code >1.7} excludes 1.7.post1; {@code >1.7.post1} does not exclude 1.7.post2. */
    private static boolean isPostReleaseOf(Version candidate, Version limit) {
        return limit.post().isEmpty()
                && limit.dev().isEmpty()
                && candidate.pre().equals(limit.pre())
                && candidate.withRelease(candidate.release()).equals(limit.withRelease(limit.release()));
    }

    /** Returns the first version after all those with the prefix: 1.3.dev0 for 1.2. */
    private static Version afterPrefix(Version version, List<BigInteger> prefix) {
        List<BigInteger> next = new ArrayList<>(prefix);
        int last = next.size() - 1;
        next.set(last, next.get(last).add(BigInteger.ONE));
        return version.withRelease(next).firstDev();
    }

    @Override
    public String toString() {
        return operator.symbol + text;
    }
}
