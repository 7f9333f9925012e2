package dev.pysandbox.api;

import static dev.pysandbox.settings.InvalidSettingException.expect;

import dev.pysandbox.settings.Settable;
import dev.pysandbox.settings.SettingGroup;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** The settings of Python and of the installation of packages. */
public record InstallSettings(String pythonVersion, String uvPath, Optional<Duration> packageAge)
        implements SettingGroup {
    private static final Pattern PYTHON_VERSION = Pattern.compile("3\\.\\d{1,2}(\\.\\d{1,2})?");

    static InstallSettings defaults() {
        return new InstallSettings("3.13", "uv", Optional.empty());
    }

    public InstallSettings {
        expect(
                PYTHON_VERSION.matcher(pythonVersion).matches(),
                "pythonVersion",
                "must look like 3.13, got '",
                pythonVersion,
                "'");
        expect(!uvPath.isBlank(), "uvPath", "must name a program, got nothing");
        expect(
                packageAge.filter(Duration::isNegative).isEmpty(),
                "packageAge",
                "must be 0 or more days, got ",
                packageAge.map(Duration::toDays).orElse(0L));
    }

    /** The methods of the builder for these settings. */
    public interface Setters extends Settable<PythonSandboxBuilder> {
        /** Sets the version of the Python that runs scripts, such as {@code 3.13}. */
        default PythonSandboxBuilder pythonVersion(String version) {
            return set("pythonVersion", version);
        }

        /** Sets the path of uv. {@code uv} without a path is searched, and downloaded if it is not found. */
        default PythonSandboxBuilder uvPath(String path) {
            return set("uvPath", path);
        }

        /** Sets how long a package must have been on the index to be installed. */
        default PythonSandboxBuilder packageAge(Duration age) {
            return set("packageAge", age);
        }
    }
}
