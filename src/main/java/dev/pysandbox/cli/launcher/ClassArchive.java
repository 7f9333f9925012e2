package dev.pysandbox.cli.launcher;

import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.DiskCacheEntry;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.HostCommand;
import dev.pysandbox.support.SharedLocks;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A file with the classes of this JAR in the form in which the JVM needs them (class-data sharing), so that it neither
 * parses nor verifies them at each start.
 *
 * <p>The JVM ignores an archive that was written for another JAR, or by another build of Java. The flags also name the
 * standard archive of the Java: without it, a JVM that does not find this one would start without any. That is why it
 * is not an AOT cache of Java 24, which replaces the standard archive.
 */
public record ClassArchive(JavaCommand command, Path file) {
    /** Tells a JVM which archive it was started with, so that it writes one if there is none. */
    private static final String PROPERTY = "python.sandbox.archive";

    private static final int WRITABLE_FOR_GROUP = 0020;
    private static final int WRITABLE_FOR_OTHERS = 0002;
    private static final int STICKY = 01000;
    private static final String SUFFIX = ".jsa";
    private static final String PARTIAL = ".part";
    private static final String STAMP = ".properties";
    private static final Path NICE = Path.of("/usr/bin/nice");
    private static final Duration TIME_TO_CREATE = Duration.ofMinutes(5);
    private static final Duration KEPT_UNUSED = Duration.ofDays(30);

    /** Returns the archive of a command in a cache folder; the file may not exist. */
    public static ClassArchive in(Path cacheDir, JavaCommand command) {
        String subject = command.javaHome() + "\n" + command.jar();
        UUID name = UUID.nameUUIDFromBytes(subject.getBytes(StandardCharsets.UTF_8));
        return new ClassArchive(
                command, CacheFolder.ARCHIVES.in(cacheDir.toAbsolutePath()).resolve(name + SUFFIX));
    }

    /** Returns the archive that this process was told to use; empty if it was started without one. */
    public static Optional<ClassArchive> ofProcess() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .map(file -> new ClassArchive(JavaCommand.current(), Path.of(file)));
    }

    /** Returns the flags with which the JVM uses this archive; none if this Java has no standard archive. */
    List<String> flags() {
        Path standard = command.javaHome().resolve(Path.of("lib", "server", "classes.jsa"));
        // A path separator in either path would be read as the end of it.
        if (!Files.exists(standard)
                || (standard.toString() + file).contains(File.pathSeparator)
                || !isOutOfReachOfOthers()) {
            return List.of();
        }
        return List.of(
                "-XX:SharedArchiveFile=" + standard + File.pathSeparator + file,
                "-D" + PROPERTY + "=" + file,
                "-Xlog:disable"); // by default the JVM reports an archive that it can't use on stdout
    }

    /**
     * Whether no other user can put a file in place of the archive: the JVM executes what is in it. Members of a group
     * to which the user or root opened a folder are trusted.
     */
    private boolean isOutOfReachOfOthers() {
        try {
            Path nearest = folder().toAbsolutePath();
            while (!Files.exists(nearest) && nearest.getParent() != null) {
                nearest = nearest.getParent();
            }
            // Somebody could replace the folder, or a link on the way to it.
            return isOutOfReachOfOthers(nearest) && isOutOfReachOfOthers(nearest.toRealPath());
        } catch (IOException e) {
            return false;
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return true; // Windows, where folders of a user are closed to others
        }
    }

    private static boolean isOutOfReachOfOthers(Path folder) throws IOException {
        boolean closed = (mode(folder) & (WRITABLE_FOR_GROUP | WRITABLE_FOR_OTHERS)) == 0;
        for (Path above = folder; above != null; above = above.getParent()) {
            boolean open = (mode(above) & WRITABLE_FOR_OTHERS) != 0 && !(closed && (mode(above) & STICKY) != 0);
            String owner = Files.getOwner(above, LinkOption.NOFOLLOW_LINKS).getName();
            if (open || !List.of("root", System.getProperty("user.name", "")).contains(owner)) {
                return false;
            }
        }
        return true;
    }

    private static int mode(Path folder) throws IOException {
        return (Integer) Files.getAttribute(folder, "unix:mode");
    }

    /**
     * Creates the archive unless it exists and fits to the JAR and to Java; deletes archives that were not used.
     *
     * @param training the main class of the JVM that loads the classes
     * @param options its arguments
     */
    public void refresh(Class<?> training, List<String> options) throws IOException, InterruptedException {
        if (isCurrent()) {
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            return;
        }
        Path folder = folder();
        Folders.createPrivate(folder.toAbsolutePath().resolveSibling(""));
        Folders.createPrivate(folder);
        Optional<SharedLocks.Held> alone = SharedLocks.in(folder).tryExclusive("archive");
        if (alone.isPresent()) {
            try {
                create(training, options);
                deleteUnused();
            } finally {
                alone.get().close();
            }
        }
    }

    /** Returns whether the archive exists and was written for this JAR by this build of Java. */
    public boolean isCurrent() {
        return Files.exists(file)
                && stamp().recall()
                        .map(values -> origin().equals(values.get("origin")))
                        .orElse(false);
    }

    private void create(Class<?> training, List<String> options) throws IOException, InterruptedException {
        String origin = origin();
        Path partial = file.resolveSibling(file.getFileName() + PARTIAL);
        // Its own, because the JVM is killed if this one ends; sandboxes of root must be able to enter it.
        Path temporary = Files.createTempDirectory("archive-");
        try {
            Folders.setPermissions(temporary, "rwx--x--x");
            List<String> arguments = new ArrayList<>();
            if (Files.isExecutable(NICE)) {
                arguments.addAll(List.of(NICE.toString(), "-n", "19"));
            }
            arguments.addAll(command.programThatArchives(partial));
            arguments.add("-Djava.io.tmpdir=" + temporary);
            // The class path must be the one of -jar, else the JVM refuses the archive.
            arguments.addAll(List.of("-cp", command.jar().toString(), training.getName()));
            arguments.addAll(options);
            run(arguments);
            writeToDisk(partial);
            List<String> trial = new ArrayList<>(command.program(new ClassArchive(command, partial)));
            trial.addAll(List.of("-jar", command.jar().toString(), "--version"));
            run(trial);
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            stamp().remember(Map.of("origin", origin), Duration.ofDays(365));
        } finally {
            Files.deleteIfExists(partial);
            Folders.delete(temporary);
        }
    }

    /** Makes sure that the file is complete before it gets its name: a JVM can crash on a part of it. */
    private static void writeToDisk(Path written) throws IOException {
        Folders.setPermissions(written, "rw-------");
        try (FileChannel channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private static void run(List<String> arguments) throws IOException, InterruptedException {
        Path here = Path.of("").toAbsolutePath();
        HostCommand.Outcome outcome = new HostCommand(arguments, System.getenv(), here, TIME_TO_CREATE).run();
        if (!outcome.succeeded()) {
            throw new IOException(outcome.stderr().strip());
        }
    }

    private String origin() {
        return DiskCacheEntry.stamp(command.jar()) + " " + System.getProperty("java.vm.version");
    }

    private DiskCacheEntry stamp() {
        return new DiskCacheEntry(file.resolveSibling(file.getFileName() + STAMP));
    }

    private void deleteUnused() throws IOException {
        FileTime limit = FileTime.from(Instant.now().minus(KEPT_UNUSED));
        try (Stream<Path> files = Files.list(folder())) {
            for (Path each :
                    files.filter(path -> path.toString().endsWith(SUFFIX)).toList()) {
                if (Files.getLastModifiedTime(each).compareTo(limit) < 0) {
                    Files.delete(each);
                    Files.deleteIfExists(new ClassArchive(command, each).stamp().file());
                }
            }
        }
    }

    /** Deletes all archives in a cache folder, and nothing else: the user may have named a folder of another kind. */
    public static void deleteAll(Path cacheDir) throws IOException {
        Path folder = CacheFolder.ARCHIVES.in(cacheDir);
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> left = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path each : files.toList()) {
                if (isOwn(each.getFileName().toString())) {
                    Files.delete(each);
                } else {
                    left.add(each);
                }
            }
        }
        if (left.isEmpty()) {
            Files.delete(folder);
        }
    }

    private static boolean isOwn(String name) {
        return name.equals(SharedLocks.FILE)
                || Stream.of("", PARTIAL, STAMP).anyMatch(end -> name.endsWith(SUFFIX + end));
    }

    private Path folder() {
        return file.resolveSibling("");
    }
}
