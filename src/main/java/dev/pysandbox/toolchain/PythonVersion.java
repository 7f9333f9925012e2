package dev.pysandbox.toolchain;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of Python as in options and folder names: {@code 3.13}, {@code 3.13.2}, {@code 3.15.0rc1}. */
record PythonVersion(int major, int minor, Optional<Integer> micro, Optional<String> preRelease)
        implements Comparable<PythonVersion> {
    private static final Pattern FORM =
            Pattern.compile("(\\d{1,3})\\.(\\d{1,3})(?:\\.(\\d{1,3})((?:a|b|rc)\\d{1,3})?)?");
    /** A version without its last number is an alias and sorts after the full one. */
    private static final Comparator<PythonVersion> AGE = Comparator.comparingInt(PythonVersion::major)
            .thenComparingInt(PythonVersion::minor)
            .thenComparingInt(version -> version.micro().orElse(-1))
            .thenComparing(version -> version.preRelease().orElse("release"));

    /**
     * Parses the version in an option.
     *
     * @throws IllegalArgumentException if it has another form
     */
    static PythonVersion parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected a Python version such as 3.13 or 3.13.2, got '" + text + "'");
        }
        return of(matcher);
    }

    /** Returns the first version in a folder name, such as {@code cpython-3.13.2-linux-x86_64-gnu}. */
    static Optional<PythonVersion> in(String name) {
        Matcher matcher = FORM.matcher(name);
        return matcher.find() ? Optional.of(of(matcher)) : Optional.empty();
    }

    /** Whether this may be the wanted version; parts that are missing here match anything. */
    boolean mayBe(PythonVersion wanted) {
        return major == wanted.major
                && minor == wanted.minor
                && (micro.isEmpty() || wanted.micro.isEmpty() || micro.equals(wanted.micro))
                && (wanted.preRelease.isEmpty() || preRelease.equals(wanted.preRelease) || micro.isEmpty());
    }

    /** Returns the series, such as {@code 3.13}. */
    String series() {
        return major + "." + minor;
    }

    @Override
    public int compareTo(PythonVersion other) {
        return AGE.compare(this, other);
    }

    @Override
    public String toString() {
        return series() + micro.map(number -> "." + number).orElse("") + preRelease.orElse("");
    }

    private static PythonVersion of(Matcher matcher) {
        return new PythonVersion(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Optional.ofNullable(matcher.group(3)).map(Integer::valueOf),
                Optional.ofNullable(matcher.group(4)));
    }
}
