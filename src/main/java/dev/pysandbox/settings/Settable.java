package dev.pysandbox.settings;

/**
 * A builder of settings.
 *
 * @param <B> the builder itself
 */
public interface Settable<B> {
    /** Sets the property with this name to a value of its type. */
    B set(String property, Object value);
}
