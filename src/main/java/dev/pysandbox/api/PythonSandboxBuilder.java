package dev.pysandbox.api;

import dev.pysandbox.api.Config.Policy;
import dev.pysandbox.settings.Property;
import dev.pysandbox.settings.SettingValues;
import java.io.IOException;

/**
 * Creates a {@link PythonSandbox}, or only its settings.
 *
 * <p>Each group of settings declares its methods, defaults and checks: {@link SandboxSettings}, {@link
 * NetworkSettings}, {@link LimitSettings}, {@link SharedSettings}, {@link CacheSettings}, {@link InstallSettings}.
 */
public final class PythonSandboxBuilder
        implements SandboxSettings.Setters,
                SandboxSettings.Docker.Setters,
                NetworkSettings.Setters,
                LimitSettings.Setters,
                SharedSettings.Setters,
                CacheSettings.Setters,
                InstallSettings.Setters {
    private final SettingValues values = new SettingValues();

    PythonSandboxBuilder() {}

    /**
     * Sets a property. Its name is the name of its method in this class.
     *
     * @param value the argument of that method
     */
    @Override
    public PythonSandboxBuilder set(String property, Object value) {
        if (Config.properties().stream().map(Property::name).noneMatch(property::equals)) {
            throw new IllegalArgumentException("no setting has the name '" + property + "'");
        }
        values.set(property, value);
        return this;
    }

    /**
     * Returns the settings.
     *
     * @throws dev.pysandbox.settings.InvalidSettingException if a value is not valid; the message says what was
     *     expected
     */
    public Config config() {
        return values.over(Config.defaults(values.get("policy", Policy.class, Policy.OPEN)));
    }

    /** Opens a sandbox. Slow steps are delayed until they are needed. */
    public PythonSandbox build() throws IOException {
        return PythonSandbox.open(config());
    }
}
