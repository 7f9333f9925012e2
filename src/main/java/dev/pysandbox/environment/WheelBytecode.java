package dev.pysandbox.environment;

import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.Folders;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Shares the bytecode of wheels between environments.
 *
 * <p>uv unpacks each wheel once into its cache and creates environments by hard links to those files, also to bytecode
 * that it finds there. After an environment is compiled, this class links its bytecode into the unpacked wheels, so
 * later environments have it from the start. Only bytecode of a source that is the same file in both is shared: what
 * another package has put in its place is not. Marks of shared wheels are outside of what any sandbox can write.
 *
 * @param known the folder of the marks
 * @param wheels the folder in which uv unpacks wheels
 * @param tag the part of the names of bytecode files that depends on the Python, such as {@code cpython-313}
 */
record WheelBytecode(Path known, Path wheels, String tag) {
    private static final String MARKS = "wheel-";
    private static final String UNPACKED = "archive-v0";
    private static final String IMPLEMENTATION = "cpython-";
    private static final String BYTECODE = "__pycache__";
    private static final String SOURCE = ".py";
    private static final String TESTS = "tests";

    /** The end of the name of the folder whose files are not installed beside the packages, such as scripts. */
    private static final String OUTSIDE = ".data";

    private static final int MOST_SOURCES = 100_000;

    /** @param uvCache the folder of uv's cache */
    static WheelBytecode in(Path cacheDir, Path uvCache, String libraryName) {
        String tag = libraryName.replace("python", IMPLEMENTATION).replace(".", "");
        return new WheelBytecode(CacheFolder.KNOWN.in(cacheDir), uvCache.resolve(UNPACKED), tag);
    }

    /**
     * Removes the marks of the wheels in a cache of uv that is deleted.
     *
     * @param known the folder of the marks
     */
    static void forget(Path known, Path uvCache) throws IOException {
        for (Path mark : entries(known, MARKS + "*")) {
            String name = mark.getFileName().toString();
            int end = name.lastIndexOf("-" + IMPLEMENTATION);
            if (end < MARKS.length()
                    || Files.exists(uvCache.resolve(UNPACKED).resolve(name.substring(MARKS.length(), end)))) {
                Files.deleteIfExists(mark);
            }
        }
    }

    /**
     * The unpacked wheels of an environment.
     *
     * @param shared those whose bytecode is shared
     * @param unshared the others
     * @param complete whether each package of the environment has a wheel
     */
    record Wheels(List<Path> shared, List<Path> unshared, boolean complete) {
        Wheels {
            shared = List.copyOf(shared);
            unshared = List.copyOf(unshared);
        }
    }

    /** Finds the unpacked wheels from which an environment is linked. */
    Wheels wheelsOf(Path packages) throws IOException {
        Map<Object, Path> unpacked = new HashMap<>();
        for (Path wheel : entries(wheels, "*")) {
            metadata(wheel).forEach(key -> unpacked.put(key, wheel));
        }
        List<Object> installed = metadata(packages);
        List<Path> shared = new ArrayList<>();
        List<Path> unshared = new ArrayList<>();
        for (Object key : installed) {
            Optional.ofNullable(unpacked.get(key))
                    .ifPresent(wheel ->
                            (Files.exists(mark(wheel), LinkOption.NOFOLLOW_LINKS) ? shared : unshared).add(wheel));
        }
        return new Wheels(shared, unshared, unpacked.keySet().containsAll(installed));
    }

    /**
     * Removes bytecode that wheels brought along from a new environment, also for modules of other wheels: it need not
     * belong to the sources. Returns whether the rest is the shared bytecode of all packages.
     */
    boolean keepShared(Path packages, Wheels found) throws IOException {
        boolean whole = found.complete() && found.unshared().isEmpty();
        for (Path wheel : found.unshared()) {
            for (Path source : sources(wheel)) {
                remove(packages.resolve(bytecodeOf(source)));
            }
        }
        for (Path wheel : found.shared()) {
            for (Path source : sources(wheel)) {
                Path bytecode = bytecodeOf(source);
                if (!isSame(packages.resolve(bytecode), wheel.resolve(bytecode))) {
                    whole &= !remove(packages.resolve(bytecode));
                }
            }
        }
        return whole;
    }

    private static boolean remove(Path bytecode) throws IOException {
        return isFolder(bytecode.resolveSibling("")) && Files.deleteIfExists(bytecode);
    }

    /**
     * Links the bytecode of a compiled environment into unpacked wheels. Marks those of which no source was replaced by
     * another package: a later environment completes the others.
     */
    void share(Path packages, List<Path> unshared) throws IOException {
        Folders.createPrivate(known);
        for (Path wheel : unshared) {
            boolean complete = true;
            for (Path source : sources(wheel)) {
                if (isSame(packages.resolve(source), wheel.resolve(source))) {
                    link(packages.resolve(bytecodeOf(source)), wheel.resolve(bytecodeOf(source)));
                } else {
                    complete = false;
                }
            }
            if (complete && !Files.exists(mark(wheel), LinkOption.NOFOLLOW_LINKS)) {
                Files.createFile(mark(wheel));
            }
        }
    }

    /** Returns the size of the sources in an unpacked wheel that are compiled. */
    static long sourceBytes(Path wheel) throws IOException {
        long size = 0;
        for (Path source : sources(wheel)) {
            size += Files.size(wheel.resolve(source));
        }
        return size;
    }

    private static void link(Path compiled, Path shared) throws IOException {
        if (!isFile(compiled) || !isFolder(compiled.resolveSibling(""))) {
            return; // it could not be compiled
        }
        Path folder = shared.resolveSibling("");
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(folder);
        }
        if (isFolder(folder)) {
            try {
                Files.deleteIfExists(shared); // the wheel's own
                Files.createLink(shared, compiled);
            } catch (FileAlreadyExistsException e) {
                // Another server has linked it meanwhile.
            }
        }
    }

    private Path mark(Path wheel) {
        return known.resolve(MARKS + wheel.getFileName() + "-" + tag);
    }

    private Path bytecodeOf(Path source) {
        String name = source.getFileName().toString();
        String module = name.substring(0, name.length() - SOURCE.length());
        return source.resolveSibling(BYTECODE).resolve(module + "." + tag + ".pyc");
    }

    /** Returns the sources in a wheel that are compiled, relative to it. Follows no link. */
    private static List<Path> sources(Path wheel) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(wheel, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return folder.endsWith(TESTS)
                                || folder.endsWith(BYTECODE)
                                || folder.toString().endsWith(OUTSIDE)
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile() && file.toString().endsWith(SOURCE)) {
                    found.add(wheel.relativize(file));
                }
                return found.size() < MOST_SOURCES ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
            }
        });
        return found;
    }

    /** Returns the file keys of the descriptions of the packages in a folder. */
    private static List<Object> metadata(Path folder) throws IOException {
        List<Object> keys = new ArrayList<>();
        for (Path description : entries(folder, "*.dist-info")) {
            fileKey(description.resolve("METADATA")).ifPresent(keys::add);
        }
        return keys;
    }

    private static List<Path> entries(Path folder, String names) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, names)) {
            entries.forEach(found::add);
        } catch (NoSuchFileException e) {
            return List.of();
        }
        return found;
    }

    private static boolean isSame(Path first, Path second) {
        Optional<Object> key = fileKey(first);
        return key.isPresent() && key.equals(fileKey(second));
    }

    private static Optional<Object> fileKey(Path file) {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return found.isRegularFile() ? Optional.ofNullable(found.fileKey()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean isFile(Path path) {
        return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean isFolder(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }
}
