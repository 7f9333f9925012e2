package dev.pysandbox.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A setting has an invalid value.
 *
 * <p>The message names settings by their properties. A command line replaces them with the names of its options: see
 * {@link #message}.
 */
public final class InvalidSettingException extends IllegalArgumentException {
    private final transient List<Object> parts;

    private InvalidSettingException(List<Object> parts) {
        super(join(parts, UnaryOperator.identity()));
        this.parts = parts;
    }

    /**
     * Refuses a value unless the condition is true.
     *
     * @param property the property with the value; the message begins with it
     * @param expected the rest of the message, as parts that are joined: text, values, {@link #property}
     */
    public static void expect(boolean condition, String property, Object... expected) {
        if (!condition) {
            throw of(property, expected);
        }
    }

    /** Returns the exception with the message of {@link #expect}. */
    public static InvalidSettingException of(String property, Object... expected) {
        List<Object> parts = new ArrayList<>(List.of(property(property), " "));
        parts.addAll(List.of(expected));
        return new InvalidSettingException(parts);
    }

    /** Returns a part of a message that names another property. */
    public static Object property(String name) {
        return new Name(name);
    }

    /** Returns the message with other names for the properties. */
    public String message(UnaryOperator<String> names) {
        return join(parts, names);
    }

    private static String join(List<Object> parts, UnaryOperator<String> names) {
        return parts.stream()
                .map(part -> part instanceof Name name ? names.apply(name.property()) : part.toString())
                .collect(Collectors.joining());
    }

    private record Name(String property) {}
}
