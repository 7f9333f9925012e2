package dev.pysandbox.execution;

import dev.pysandbox.environment.PythonEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What distinguishes one waiting sandbox from another.
 *
 * @param identity of the environment, which can be removed and made anew under the same name
 * @param imports modules that are loaded already
 */
record WarmPoolKey(PythonEnvironment environment, List<@Nullable Object> identity, List<String> imports) {
    WarmPoolKey {
        imports = List.copyOf(imports);
    }

    static WarmPoolKey of(PythonEnvironment environment, List<String> imports) throws IOException {
        // Written once; the folder itself is touched by every use.
        BasicFileAttributes written = Files.readAttributes(
                environment.folder().resolve("pyvenv.cfg"), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return new WarmPoolKey(
                new PythonEnvironment(environment.folder(), environment.python(), Optional.empty()),
                Arrays.asList(written.fileKey(), written.lastModifiedTime()),
                imports);
    }
}
