package dev.pysandbox.support;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A file inside the JAR, by its name beside a class, or from the root if that begins with a slash. */
public final class BundledFile {
    private BundledFile() {}

    public static byte[] bytes(Class<?> beside, String name) throws IOException {
        try (InputStream resource = beside.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IOException("the resource " + name + " is missing");
            }
            return resource.readAllBytes();
        }
    }

    public static String text(Class<?> beside, String name) throws IOException {
        return new String(bytes(beside, name), StandardCharsets.UTF_8);
    }
}
