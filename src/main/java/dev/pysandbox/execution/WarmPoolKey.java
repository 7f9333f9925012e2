package dev.pysandbox.execution;

import dev.pysandbox.environment.PythonEnvironment;
import dev.pysandbox.script.LeadingImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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

    /** The generated method takes 10 ms when it is first called, because of the records in this one. */
    @Override
    public int hashCode() {
        return environment.folder().hashCode() * 31 + imports.hashCode();
    }

    WarmPoolKey {
        imports = List.copyOf(imports);
    }

    /** Returns whether a sandbox of this kind has imported nothing that a script of the other kind does not import. */
    boolean serves(WarmPoolKey wanted) {
        return environment.equals(wanted.environment)
                && identity.equals(wanted.identity)
                && wanted.importsWithImplied().containsAll(imports);
    }

    /** Returns the modules that a sandbox of this kind has imported, and those known to be imported by these. */
    Set<String> importsWithImplied() {
        return LeadingImports.withImplied(imports);
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
