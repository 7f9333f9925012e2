package dev.pysandbox.api;

import static dev.pysandbox.settings.InvalidSettingException.expect;

import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.Requirement;
import dev.pysandbox.script.ScriptRequirements;
import dev.pysandbox.settings.Settable;
import dev.pysandbox.settings.SettingGroup;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** The Python that runs scripts, and how packages are installed. */
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

    /** Refuses a URL as a dependency if packages must have an age, because the age of its file is not known. */
    public void check(ScriptRequirements requirements) throws InvalidScriptException {
        for (Requirement requirement : requirements.requirements()) {
            if (requirement.url().isPresent()
                    && packageAge.filter(age -> !age.isZero()).isPresent()) {
                throw new InvalidScriptException("dependency '" + requirement.normalizedName()
                        + " @ …': --package-age asks for packages that were public for "
                        + packageAge.get().toDays() + " days, and how old the file of a URL is can't be known. To fix:"
                        + " name the package without a URL, as in \"" + requirement.normalizedName() + "\"");
            }
        }
    }

    /** The methods of the builder for these settings. */
    public interface Setters extends Settable<PythonSandboxBuilder> {
        /** The Python that runs the scripts, such as {@code 3.13}. */
        default PythonSandboxBuilder pythonVersion(String version) {
            return set("pythonVersion", version);
        }

        /** The uv to use; plain {@code uv} means to look for it, and to download it if it is not found. */
        default PythonSandboxBuilder uvPath(String path) {
            return set("uvPath", path);
        }

        /** Installs only packages that have been on the index for so long. */
        default PythonSandboxBuilder packageAge(Duration age) {
            return set("packageAge", age);
        }
    }
}
