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
 * The kind of a waiting sandbox.
 *
 * @param identity identifies the environment's files: the environment can be removed and created again with the same
 *     name
 * @param imports the modules that the sandbox imports in advance
 */
record WarmPoolKey(PythonEnvironment environment, List<@Nullable Object> identity, List<String> imports) {
    WarmPoolKey {
        imports = List.copyOf(imports);
    }

    static WarmPoolKey of(PythonEnvironment environment, List<String> imports) throws IOException {
        // This file is written once; every use changes the modification time of the folder.
        BasicFileAttributes written = Files.readAttributes(
                environment.folder().resolve("pyvenv.cfg"), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return new WarmPoolKey(
                new PythonEnvironment(environment.folder(), environment.python(), Optional.empty()),
                Arrays.asList(written.fileKey(), written.lastModifiedTime()),
                imports);
    }
}
