package dev.pysandbox.api;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A file that the script created or changed in its working folder, or a figure that it showed.
 *
 * @param sha256 the hash of its content, in hexadecimal; empty if the content was not sent to the server
 * @param content empty if it was too large to be held in memory
 * @param kept the path of the kept copy on this machine, if there is one
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; wrapping megabytes would copy them
public record ProducedFile(
        String name, String mimeType, long size, Optional<String> sha256, byte[] content, Optional<Path> kept) {

    /** Returns whether {@code content} is complete. */
    public boolean isWhole() {
        return content.length == size;
    }
}
