package dev.pysandbox.api;

import static dev.pysandbox.settings.InvalidSettingException.expect;

import dev.pysandbox.settings.PropertyName;
import dev.pysandbox.settings.Settable;
import dev.pysandbox.settings.SettingGroup;
import dev.pysandbox.support.Platform;
import java.util.Optional;
import java.util.regex.Pattern;

/** The settings of sandboxes. */
public record SandboxSettings(Backend backend, boolean requireSandbox, int warmPool, int maxConcurrent)
        implements SettingGroup {

    static SandboxSettings defaults() {
        boolean linux = Platform.Os.current() == Platform.Os.LINUX;
        return new SandboxSettings(linux ? Backend.NATIVE : Backend.DOCKER, false, 2, 16);
    }

    public SandboxSettings {
        expect(warmPool >= 0, "warmPool", "must be 0 or more, got ", warmPool);
        expect(maxConcurrent >= 1, "maxConcurrent", "must be at least 1, got ", maxConcurrent);
    }

    /** The methods of the builder for these settings. */
    public interface Setters extends Settable<PythonSandboxBuilder> {
        /** Sets the backend that isolates scripts. The default is native on Linux and docker elsewhere. */
        default PythonSandboxBuilder backend(Backend backend) {
            return set("backend", backend);
        }

        /** Sets whether scripts are refused if no sandbox works. */
        default PythonSandboxBuilder requireSandbox(boolean required) {
            return set("requireSandbox", required);
        }

        /** Sets how many sandboxes are started in advance for each environment; 0 turns this off. */
        default PythonSandboxBuilder warmPool(int sandboxes) {
            return set("warmPool", sandboxes);
        }

        /** Sets how many scripts run at a time; others wait. */
        default PythonSandboxBuilder maxConcurrent(int scripts) {
            return set("maxConcurrent", scripts);
        }
    }

    /** The settings of the docker backend. */
    public record Docker(
            @PropertyName("dockerImage") Optional<String> image,
            @PropertyName("dockerRuntime") Optional<String> runtime)
            implements SettingGroup {
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/:@-]*");

        static Docker defaults() {
            return new Docker(Optional.empty(), Optional.empty());
        }

        public Docker {
            expect(isName(image), "dockerImage", "must look like name:tag, got '", image.orElse(""), "'");
            expect(isName(runtime), "dockerRuntime", "must be a name such as runsc, got '", runtime.orElse(""), "'");
        }

        private static boolean isName(Optional<String> text) {
            return text.isEmpty() || NAME.matcher(text.get()).matches();
        }

        /** The methods of the builder for these settings. */
        public interface Setters extends Settable<PythonSandboxBuilder> {
            /** Sets the image. The default is built from the Dockerfile in the JAR. */
            default PythonSandboxBuilder dockerImage(String name) {
                return set("dockerImage", name);
            }

            /** Sets the container runtime, such as {@code runsc}. The default is that of the engine. */
            default PythonSandboxBuilder dockerRuntime(String name) {
                return set("dockerRuntime", name);
            }
        }
    }
}
