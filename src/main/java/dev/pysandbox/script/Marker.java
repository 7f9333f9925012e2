package dev.pysandbox.script;

import java.util.List;
import java.util.stream.Collectors;

/** The condition after a requirement's semicolon. It is kept, not evaluated; {@code toString} is its canonical form. */
public sealed interface Marker {

    /** A comparison of two operands, each the name of a variable or a quoted string. */
    record Comparison(String left, String operator, String right) implements Marker {
        @Override
        public String toString() {
            return left + " " + operator + " " + right;
        }
    }

    /** Conditions that must all hold. */
    record AllOf(List<Marker> conditions) implements Marker {
        public AllOf {
            conditions = List.copyOf(conditions);
        }

        @Override
        public String toString() {
            return conditions.stream()
                    .map(it -> it instanceof AnyOf ? "(" + it + ")" : it.toString())
                    .collect(Collectors.joining(" and "));
        }
    }

    /** Conditions of which one must hold. */
    record AnyOf(List<Marker> conditions) implements Marker {
        public AnyOf {
            conditions = List.copyOf(conditions);
        }

        @Override
        public String toString() {
            return conditions.stream().map(Marker::toString).collect(Collectors.joining(" or "));
        }
    }
}
