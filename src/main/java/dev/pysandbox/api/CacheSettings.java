package dev.pysandbox.api;

import dev.pysandbox.settings.PropertyName;
import dev.pysandbox.settings.Settable;
import dev.pysandbox.settings.SettingGroup;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Platform;
import java.nio.file.Path;
import java.util.Map;

/** The settings of the cache on disk. */
public record CacheSettings(
        @PropertyName("cacheDir") Path folder,
        @PropertyName("maxCacheSize") ByteSize maxSize,
        @PropertyName("warmCache") boolean warm)
        implements SettingGroup {

    static CacheSettings defaults() {
        return new CacheSettings(defaultFolder(System.getenv()), ByteSize.parse("5g"), true);
    }

    public CacheSettings {
        folder = folder.toAbsolutePath();
    }

    /** Returns the folder of this program in the platform's folder for caches. */
    private static Path defaultFolder(Map<String, String> environment) {
        String home = System.getProperty("user.home", "");
        Platform.Os system = Platform.Os.current();
        if (system == Platform.Os.WINDOWS) {
            return Path.of(environment.getOrDefault("LOCALAPPDATA", home + "\\AppData\\Local"), "python-sandbox");
        }
        if (system == Platform.Os.MACOS) {
            return Path.of(home, "Library", "Caches", "python-sandbox");
        }
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        return cache.startsWith("/") ? Path.of(cache, "python-sandbox") : Path.of(home, ".cache", "python-sandbox");
    }

    /** The methods of the builder for these settings. */
    public interface Setters extends Settable<PythonSandboxBuilder> {
        /** Sets the folder for uv, Pythons and environments. */
        default PythonSandboxBuilder cacheDir(Path folder) {
            return set("cacheDir", folder);
        }

        /** Sets the size limit of environments and uv's cache together. It also limits what one installation writes. */
        default PythonSandboxBuilder maxCacheSize(ByteSize size) {
            return set("maxCacheSize", size);
        }

        /** Sets whether a server downloads common packages in the background. */
        default PythonSandboxBuilder warmCache(boolean warm) {
            return set("warmCache", warm);
        }
    }
}
