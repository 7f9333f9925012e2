package dev.pysandbox.settings;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/** The values of settings that differ from the defaults, by name. */
public final class SettingValues {
    private final Map<String, Object> values = new HashMap<>();

    /** Sets a value. For an optional setting, the value is passed without the Optional. */
    public void set(String property, Object value) {
        values.put(property, Objects.requireNonNull(value, property));
    }

    /** Returns the value of a property, or the default if it was not set. */
    public <T> T get(String property, Class<T> type, T defaultValue) {
        return type.cast(values.getOrDefault(property, defaultValue));
    }

    /**
     * Returns a copy of a group in which the values that were set replace the defaults.
     *
     * @throws InvalidSettingException if the group refuses a value
     */
    public <G extends SettingGroup> G over(G defaults) {
        RecordComponent[] components = Property.components(defaults);
        Class<?>[] types = new Class<?>[components.length];
        Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            arguments[i] = value(components[i], Property.value(components[i], defaults));
        }
        @SuppressWarnings("unchecked") // the class of a G
        Class<G> type = (Class<G>) defaults.getClass();
        return create(type, types, arguments);
    }

    private Object value(RecordComponent component, Object defaultValue) {
        if (defaultValue instanceof SettingGroup group) {
            return over(group);
        }
        Object value = values.getOrDefault(Property.name(component), defaultValue);
        if (component.getType() == Optional.class && !(value instanceof Optional)) {
            return Optional.of(value);
        }
        return value instanceof Double number && component.getType() == OptionalDouble.class
                ? OptionalDouble.of(number)
                : value;
    }

    private static <G> G create(Class<G> type, Class<?>[] types, Object[] arguments) {
        try {
            Constructor<G> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true); // the record may be package-private
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refusal) {
                throw refusal;
            }
            throw new IllegalStateException(type + " can't be created", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " can't be created", e);
        }
    }
}
