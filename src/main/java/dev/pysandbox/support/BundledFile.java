package dev.pysandbox.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads a file in the JAR; its name is relative to a class, or absolute if it begins with a slash. */
public final class BundledFile {
    private BundledFile() {}

    public static byte[] bytes(Class<?> beside, String name) {
        try (InputStream resource = beside.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IllegalStateException("the resource " + name + " is missing");
            }
            return resource.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String text(Class<?> beside, String name) {
        return new String(bytes(beside, name), StandardCharsets.UTF_8);
    }
}
