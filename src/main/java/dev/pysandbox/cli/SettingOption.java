package dev.pysandbox.cli;

import dev.pysandbox.api.Config.DataFolder;
import dev.pysandbox.settings.InvalidSettingException;
import dev.pysandbox.settings.Property;
import dev.pysandbox.support.ByteSize;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/**
 * An option that sets one setting; the type of the setting decides how its value is written.
 *
 * @param section the heading in the help screens
 * @param label the value in the help, empty for an option without one
 */
record SettingOption(String section, String name, String label, Property property, String help) {
    /** Types that picocli reads; the values of the others are read as text and converted in {@link #value}. */
    private static final Map<Type, Class<?>> READ_AS = Map.of(
            boolean.class, Boolean.class,
            int.class, Integer.class,
            long.class, Long.class,
            OptionalDouble.class, Double.class,
            Duration.class, Integer.class,
            String.class, String.class,
            ByteSize.class, ByteSize.class,
            Path.class, Path.class);

    /** Creates the option for picocli, which keeps its value. */
    OptionSpec spec() {
        OptionSpec.Builder option = OptionSpec.builder(name)
                .description(help)
                .paramLabel(label)
                .scopeType(ScopeType.INHERIT)
                .type(readAs());
        if (isRepeatable()) {
            option.auxiliaryTypes(String.class);
        }
        if (itemType() == String.class && rawType() == List.class) {
            option.splitRegex(","); // values of variables may contain commas, names of hosts can't
        }
        if (type() == ByteSize.class) {
            option.converters(new Commands.SizeConverter());
        }
        if (readAs().isEnum()) {
            option.completionCandidates(List.of(label.split("\\|", -1)));
        }
        return option.build();
    }

    /** Reads a value that {@link FastPathArguments} accepts, as picocli would. */
    Object read(String text) {
        if (type() instanceof Class<?> plain && plain.isEnum()) {
            for (Object constant : plain.getEnumConstants()) {
                if (constant.toString().equalsIgnoreCase(text)) {
                    return constant;
                }
            }
        }
        if (type() == boolean.class) {
            return Boolean.valueOf(text);
        }
        if (type() == int.class) {
            return Integer.valueOf(text);
        }
        return type() == Path.class ? Path.of(text) : text;
    }

    /** Returns the value of the setting for a value that picocli has read. */
    Object value(Object read) {
        InvalidSettingException.expect(
                !(read instanceof Path path) || !path.toString().isBlank(), property.name(), "must not be empty");
        if (type() == Duration.class) {
            return Duration.of((Integer) read, ChronoUnit.valueOf(label));
        }
        if (type() == boolean.class) {
            // What is on by default has an option that turns it off.
            return property.defaultValue().equals(true) != (Boolean) read;
        }
        if (itemType() == DataFolder.class) {
            return texts(read).stream().map(DataFolder::parse).toList();
        }
        return rawType() == Map.class ? variables(texts(read)) : read;
    }

    /** Returns whether the value names files, so that it depends on the working folder. */
    boolean namesFiles() {
        return type() == Path.class || itemType() == DataFolder.class;
    }

    private Map<String, String> variables(List<String> texts) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            InvalidSettingException.expect(
                    !text.isEmpty() && equals != 0,
                    property.name(),
                    "must look like NAME or NAME=VALUE, got '",
                    text,
                    "'");
            if (equals >= 0) {
                variables.put(text.substring(0, equals), text.substring(equals + 1));
            } else {
                Optional.ofNullable(System.getenv(text)).ifPresent(value -> variables.put(text, value));
            }
        }
        return variables;
    }

    private static List<String> texts(Object read) {
        return ((List<?>) read).stream().map(String.class::cast).toList();
    }

    private Class<?> readAs() {
        if (isRepeatable()) {
            return List.class;
        }
        if (type() instanceof Class<?> plain && plain.isEnum()) {
            return plain;
        }
        return Optional.<Class<?>>ofNullable(READ_AS.get(type()))
                .orElseThrow(() -> new IllegalStateException("no option can set a " + property.type()));
    }

    private boolean isRepeatable() {
        return rawType() == List.class || rawType() == Map.class;
    }

    /** Returns the type of the setting, or of what is in its Optional. */
    private Type type() {
        return rawType() == Optional.class ? itemType() : property.type();
    }

    private Type rawType() {
        return property.type() instanceof ParameterizedType generic ? generic.getRawType() : property.type();
    }

    private Type itemType() {
        return property.type() instanceof ParameterizedType generic
                ? generic.getActualTypeArguments()[0]
                : property.type();
    }
}
