package dev.pysandbox.api;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A file that the script made or changed in its working folder.
 *
 * @param sha256 of its content, in hexadecimal; empty where it was too large to be looked at
 * @param content empty where it was too large to be held in memory
 * @param kept where it is kept on this machine, if it is
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; wrapping megabytes would copy them
public record ProducedFile(
        String name, String mimeType, long size, Optional<String> sha256, byte[] content, Optional<Path> kept) {

    /** Whether {@code content} is all of it. */
    public boolean isWhole() {
        return content.length == size;
    }
}
