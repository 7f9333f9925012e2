package dev.pysandbox.hints;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The names that numpy 1.24 and 2.0 removed, with their replacements. */
final class NumpyNames {
    private static final Set<String> BUILTINS = Set.of("bool", "int", "float", "complex", "object", "str");
    private static final Map<String, String> RENAMED = Map.ofEntries(
            Map.entry("NaN", "nan"),
            Map.entry("NAN", "nan"),
            Map.entry("Inf", "inf"),
            Map.entry("Infinity", "inf"),
            Map.entry("infty", "inf"),
            Map.entry("PINF", "inf"),
            Map.entry("float_", "float64"),
            Map.entry("complex_", "complex128"),
            Map.entry("cfloat", "complex128"),
            Map.entry("singlecomplex", "complex64"),
            Map.entry("longfloat", "longdouble"),
            Map.entry("clongfloat", "clongdouble"),
            Map.entry("longcomplex", "clongdouble"),
            Map.entry("string_", "bytes_"),
            Map.entry("unicode_", "str_"),
            Map.entry("round_", "round"),
            Map.entry("alltrue", "all"),
            Map.entry("sometrue", "any"),
            Map.entry("product", "prod"),
            Map.entry("cumproduct", "cumprod"),
            Map.entry("row_stack", "vstack"),
            Map.entry("in1d", "isin"),
            Map.entry("trapz", "trapezoid"));

    private NumpyNames() {}

    /** @param name the name after {@code np.} */
    static Optional<String> instead(String name) {
        return BUILTINS.contains(name)
                ? Optional.of(name)
                : Optional.ofNullable(RENAMED.get(name)).map(renamed -> "np." + renamed);
    }
}
