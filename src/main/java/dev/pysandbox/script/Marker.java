package dev.pysandbox.script;

import java.util.List;
import java.util.stream.Collectors;

/** The condition behind a requirement's semicolon, kept but never evaluated; {@code toString} is its canonical form. */
public sealed interface Marker {

    /** Two operands, each the name of a variable or a quoted string, and what is between them. */
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
