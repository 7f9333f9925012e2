package dev.pysandbox.script;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A version of PEP 440. Versions that differ only in trailing zeros or in spelling are equal.
 *
 * @param local the segments of the local version label; empty if it has none
 */
public record Version(
        BigInteger epoch,
        List<BigInteger> release,
        Optional<PreRelease> pre,
        Optional<BigInteger> post,
        Optional<BigInteger> dev,
        List<String> local)
        implements Comparable<Version> {

    /** The phase of a pre-release (a, b or rc) and its number. */
    public record PreRelease(String phase, BigInteger number) {}

    static final int MAX_LENGTH = 1000;

    private static final List<String> PHASES = List.of("a", "b", "rc");

    private static final Pattern FORM = Pattern.compile("""
            v?
            (?:(?<epoch>[0-9]+)!)?
            (?<release>[0-9]+(?:\\.[0-9]+)*)
            (?:[-_.]?(?<phase>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?<pre>[0-9]+)?)?
            (?:-(?<implicitpost>[0-9]+)|[-_.]?(?<postword>post|rev|r)[-_.]?(?<post>[0-9]+)?)?
            (?:[-_.]?(?<devword>dev)[-_.]?(?<dev>[0-9]+)?)?
            (?:\\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?
            """, Pattern.CASE_INSENSITIVE | Pattern.COMMENTS);

    private static final Comparator<Version> ORDER = Comparator.comparing(Version::epoch)
            .thenComparing(Version::release, Version::compareReleases)
            .thenComparing(Version::preRank)
            .thenComparing(version -> version.pre.map(PreRelease::number).orElse(BigInteger.ZERO))
            .thenComparing(version -> version.post.orElse(BigInteger.ONE.negate()))
            .thenComparing(version -> version.dev.isEmpty())
            .thenComparing(version -> version.dev.orElse(BigInteger.ZERO))
            .thenComparing(Version::local, Version::compareLocals);

    public Version {
        release = List.copyOf(release);
        local = List.copyOf(local);
    }

    /** Parses any spelling that PEP 440 allows. */
    public static Version parse(String text) throws InvalidScriptException {
        Matcher form = FORM.matcher(text.strip());
        if (text.length() > MAX_LENGTH || !form.matches()) {
            throw new InvalidScriptException(
                    InvalidScriptException.quote(text) + " is not a version: write one such as 1.2.3 (PEP 440)");
        }
        return new Version(
                number(form.group("epoch")).orElse(BigInteger.ZERO),
                Arrays.stream(form.group("release").split("\\."))
                        .map(BigInteger::new)
                        .toList(),
                Optional.ofNullable(form.group("phase"))
                        .map(word -> new PreRelease(
                                phase(word), number(form.group("pre")).orElse(BigInteger.ZERO))),
                number(form.group("implicitpost")).or(() -> numberAfter(form.group("postword"), form.group("post"))),
                numberAfter(form.group("devword"), form.group("dev")),
                Optional.ofNullable(form.group("local"))
                        .map(Version::localSegments)
                        .orElse(List.of()));
    }

    /** Whether it is a development release or pre-release. */
    public boolean isPreRelease() {
        return pre.isPresent() || dev.isPresent();
    }

    Version withoutLocal() {
        return new Version(epoch, release, pre, post, dev, List.of());
    }

    /** Returns its first development release. */
    Version firstDev() {
        return new Version(epoch, release, pre, post, Optional.of(BigInteger.ZERO), List.of());
    }

    /** Returns another final release of the same epoch. */
    Version withRelease(List<BigInteger> other) {
        return new Version(epoch, other, Optional.empty(), Optional.empty(), Optional.empty(), List.of());
    }

    @Override
    public int compareTo(Version other) {
        return ORDER.compare(this, other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Version version && compareTo(version) == 0;
    }

    @Override
    public int hashCode() {
        int significant = release.size();
        while (significant > 0 && release.get(significant - 1).signum() == 0) {
            significant--;
        }
        return Arrays.asList(epoch, release.subList(0, significant), pre, post, dev, local)
                .hashCode();
    }

    /** Returns the normal form, with the zeros of the release as written. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (epoch.signum() != 0) {
            text.append(epoch).append('!');
        }
        text.append(release.stream().map(BigInteger::toString).collect(Collectors.joining(".")));
        pre.ifPresent(it -> text.append(it.phase()).append(it.number()));
        post.ifPresent(number -> text.append(".post").append(number));
        dev.ifPresent(number -> text.append(".dev").append(number));
        if (!local.isEmpty()) {
            text.append('+').append(String.join(".", local));
        }
        return text.toString();
    }

    /** Sorts a development release before all others of its number, and a final release after its pre-releases. */
    private int preRank() {
        if (pre.isPresent()) {
            return PHASES.indexOf(pre.get().phase());
        }
        return post.isEmpty() && dev.isPresent() ? -1 : PHASES.size();
    }

    private static int compareReleases(List<BigInteger> left, List<BigInteger> right) {
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            int order = segment(left, i).compareTo(segment(right, i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** Returns the number at an index; 0 after the end of the release. */
    static BigInteger segment(List<BigInteger> release, int index) {
        return index < release.size() ? release.get(index) : BigInteger.ZERO;
    }

    private static int compareLocals(List<String> left, List<String> right) {
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            int order = compareLocalSegments(left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    private static int compareLocalSegments(String left, String right) {
        boolean bothNumbers = isNumber(left) && isNumber(right);
        if (bothNumbers) {
            return new BigInteger(left).compareTo(new BigInteger(right));
        }
        return isNumber(left) == isNumber(right)
                ? left.compareTo(right)
                : Boolean.compare(isNumber(left), isNumber(right));
    }

    private static List<String> localSegments(String label) {
        return Arrays.stream(label.toLowerCase(Locale.ROOT).split("[-_.]"))
                .map(segment -> isNumber(segment) ? new BigInteger(segment).toString() : segment)
                .toList();
    }

    private static boolean isNumber(String segment) {
        return segment.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static String phase(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "a", "alpha" -> "a";
            case "b", "beta" -> "b";
            default -> "rc";
        };
    }

    private static Optional<BigInteger> number(@Nullable String digits) {
        return Optional.ofNullable(digits).map(BigInteger::new);
    }

    private static Optional<BigInteger> numberAfter(@Nullable String word, @Nullable String digits) {
        return Optional.ofNullable(word).map(present -> number(digits).orElse(BigInteger.ZERO));
    }
}
