package dev.pysandbox.settings;

import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One setting.
 *
 * @param name unique among all settings
 * @param type the type of the record component, with its type arguments
 */
public record Property(String name, Type type, Object defaultValue) {
    /** Returns the settings of a group and of the groups in it, in the order of their declaration. */
    public static List<Property> of(SettingGroup defaults) {
        List<Property> properties = new ArrayList<>();
        for (RecordComponent component : components(defaults)) {
            Object value = value(component, defaults);
            if (value instanceof SettingGroup group) {
                properties.addAll(of(group));
            } else {
                properties.add(new Property(name(component), component.getGenericType(), value));
            }
        }
        return properties;
    }

    static RecordComponent[] components(SettingGroup group) {
        return Optional.ofNullable(group.getClass().getRecordComponents())
                .orElseThrow(() -> new IllegalArgumentException(group.getClass() + " is not a record"));
    }

    static String name(RecordComponent component) {
        return Optional.ofNullable(component.getAnnotation(PropertyName.class))
                .map(PropertyName::value)
                .orElse(component.getName());
    }

    static Object value(RecordComponent component, SettingGroup group) {
        try {
            component.getAccessor().setAccessible(true); // the record may be package-private
            return component.getAccessor().invoke(group);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component + " can't be read", e);
        }
    }
}
