package dev.pysandbox.execution;

import dev.pysandbox.environment.PythonEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;

/**
 * The kind of a waiting sandbox.
 *
 * @param identity identifies the environment's files: the environment can be removed and created again with the same
 *     name
 * @param imports the modules that the sandbox imports in advance
 */
record WarmPoolKey(PythonEnvironment environment, Identity identity, List<String> imports) {
    /** The key and the time of a file that is written once for each environment. */
    record Identity(Optional<Object> fileKey, FileTime written) {}

    WarmPoolKey {
        imports = List.copyOf(imports);
    }

    static WarmPoolKey of(PythonEnvironment environment, List<String> imports) throws IOException {
        // Not of the folder, whose modification time every use changes.
        BasicFileAttributes file = Files.readAttributes(
                environment.folder().resolve("pyvenv.cfg"), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return new WarmPoolKey(
                new PythonEnvironment(environment.folder(), environment.python(), Optional.empty()),
                new Identity(Optional.ofNullable(file.fileKey()), file.lastModifiedTime()),
                imports);
    }
}
