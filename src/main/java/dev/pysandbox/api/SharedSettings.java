package dev.pysandbox.api;

import static dev.pysandbox.settings.InvalidSettingException.expect;
import static dev.pysandbox.settings.InvalidSettingException.property;

import dev.pysandbox.api.Config.DataFolder;
import dev.pysandbox.settings.Settable;
import dev.pysandbox.settings.SettingGroup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The settings of what the host and scripts share: variables, folders, and files that scripts create. */
public record SharedSettings(Map<String, String> environment, List<DataFolder> mounts, Optional<Path> keepFiles)
        implements SettingGroup {
    private static final Pattern VARIABLE_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    static SharedSettings defaults() {
        return new SharedSettings(Map.of(), List.of(), Optional.empty());
    }

    public SharedSettings {
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        mounts = List.copyOf(mounts);
        keepFiles.ifPresent(SharedSettings::checkWritable);
        keepFiles = keepFiles.map(folder -> folder.toAbsolutePath().normalize());
        for (String name : environment.keySet()) {
            expect(
                    VARIABLE_NAME.matcher(name).matches(),
                    "environment",
                    "must look like NAME or NAME=VALUE, got '",
                    name,
                    "'");
        }
        List<String> targets = mounts.stream().map(DataFolder::target).toList();
        expect(
                targets.stream().distinct().count() == targets.size(),
                "mounts",
                "must name folders whose last parts differ, got two of ",
                targets);
        for (DataFolder folder : mounts) {
            // A script could replace it with a link to any folder of the host, which the next sandbox would mount.
            expect(
                    mounts.stream()
                            .noneMatch(other -> !other.equals(folder) && other.letsScriptsReplace(folder.path())),
                    "mounts",
                    "must not name a folder inside one that scripts can write to, got ",
                    folder.path());
            expect(
                    !folder.writable()
                            || keepFiles
                                    .filter(kept -> kept.startsWith(folder.path())
                                            || folder.path().startsWith(kept))
                                    .isEmpty(),
                    "keepFiles",
                    "must be out of reach of scripts, got a folder that ",
                    property("mounts"),
                    " lets them write to");
        }
    }

    private static void checkWritable(Path folder) {
        Path present = folder.toAbsolutePath().normalize();
        while (!Files.exists(present) && present.getParent() != null) {
            present = present.getParent();
        }
        expect(
                Files.isDirectory(present) && Files.isWritable(present),
                "keepFiles",
                "must name a writable folder, or one that can be created, got '",
                folder,
                "'");
    }

    /** The methods of the builder for these settings. */
    public interface Setters extends Settable<PythonSandboxBuilder> {
        /** Sets the environment variables of scripts. */
        default PythonSandboxBuilder environment(Map<String, String> variables) {
            return set("environment", variables);
        }

        /** Sets the folders and files of the host that are mounted under /data. */
        default PythonSandboxBuilder mounts(List<DataFolder> folders) {
            return set("mounts", folders);
        }

        /** Sets the folder in which files of scripts are kept. */
        default PythonSandboxBuilder keepFiles(Path folder) {
            return set("keepFiles", folder);
        }
    }
}
