package dev.pysandbox.environment;

import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.supervisor.SupervisorProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Inspects a newly installed environment before the server moves, mounts or keeps it. All processes of the installer
 * have ended by then. Links are read but never followed. The files that the server wrote must be unchanged.
 */
final class EnvironmentInspector {
    private static final int DEEPEST = 64;
    private static final int MOST_ENTRIES = 500_000;
    private static final int LONGEST_NAME = 200;

    /** Must be the first .pth file: Python reads the .pth files of a folder in the order of their names. */
    private static final String START = SupervisorProgram.PTH_NAME;

    /** Python 3.15 ignores a .pth file if there is a .start file of the same name. */
    private static final String INSTEAD_OF_START = START.replaceFirst("pth$", "start");

    /** S_ISUID and S_ISGID of sys/stat.h. */
    private static final int SET_USER_OR_GROUP = 06000;

    private static final Set<PosixFilePermission> EXECUTE = EnumSet.of(
            PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);

    private final Path environment;
    private final Skeleton skeleton;
    private final boolean hasModes;
    private final Path packages;
    private final Path otherPackages;
    private final Path otherConfiguration;
    private final Deque<Folder> left = new ArrayDeque<>();
    private int entries;

    private record Folder(Path path, int depth) {}

    private EnvironmentInspector(Path environment, Skeleton skeleton) {
        this.environment = environment;
        this.skeleton = skeleton;
        this.hasModes =
                environment.getFileSystem().supportedFileAttributeViews().contains("unix");
        this.packages = environment.resolve(skeleton.packages());
        // Some Pythons read these packages before those in lib.
        this.otherPackages = environment
                .resolve("lib64")
                .resolve(skeleton.packages().subpath(1, skeleton.packages().getNameCount()));
        // Python reads it in place of the one in the folder above.
        this.otherConfiguration = environment.resolve("bin").resolve("pyvenv.cfg");
    }

    /** Refuses an environment with forbidden content; removes the write permission of others. */
    static void inspect(Path environment, Skeleton skeleton) throws InstallException {
        EnvironmentInspector inspector = new EnvironmentInspector(environment, skeleton);
        inspector.inspectSkeleton();
        inspector.walk();
    }

    private void inspectSkeleton() throws InstallException {
        for (Path folder : skeleton.folders()) {
            Path path = environment.resolve(folder);
            require(attributes(path).isDirectory(), path, "is not a folder");
        }
        for (Map.Entry<Path, String> file : skeleton.files().entrySet()) {
            Path path = environment.resolve(file.getKey());
            require(holds(path, file.getValue()), path, "was changed");
        }
        for (Map.Entry<Path, Path> link : skeleton.links().entrySet()) {
            Path path = environment.resolve(link.getKey());
            require(leadsTo(path, link.getValue()), path, "was changed");
        }
    }

    private boolean holds(Path file, String content) throws InstallException {
        if (!attributes(file).isRegularFile()) {
            return false;
        }
        byte[] expected = content.getBytes(StandardCharsets.UTF_8);
        try (InputStream stream = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return Arrays.equals(expected, stream.readNBytes(expected.length + 1));
        } catch (IOException e) {
            throw refusal(file, "can't be read");
        }
    }

    private boolean leadsTo(Path link, Path target) throws InstallException {
        try {
            return attributes(link).isSymbolicLink()
                    && Files.readSymbolicLink(link).equals(target);
        } catch (IOException e) {
            throw refusal(link, "can't be read");
        }
    }

    private void walk() throws InstallException {
        inspectEntry(environment, 0);
        while (!left.isEmpty()) {
            Folder folder = left.pop();
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder.path())) {
                for (Path entry : found) {
                    inspectEntry(entry, folder.depth());
                }
            } catch (IOException | DirectoryIteratorException e) {
                throw refusal(folder.path(), "can't be read");
            }
        }
    }

    private void inspectEntry(Path entry, int depth) throws InstallException {
        require(++entries <= MOST_ENTRIES, entry, "is one of more than " + MOST_ENTRIES + " files");
        require(!comesFirst(entry), entry, "would run before the sandbox is set up");
        BasicFileAttributes found = attributes(entry);
        if (found.isSymbolicLink()) {
            // The compiler must write only in the environment, and lib64 could lead to files that are not inspected.
            require(!entry.endsWith("__pycache__") && !otherPackages.startsWith(entry), entry, "is a link");
            return;
        }
        Set<PosixFilePermission> permissions = permissions(found);
        require(permissions.contains(PosixFilePermission.OWNER_READ), entry, "can't be read");
        if (found.isDirectory()) {
            require(depth < DEEPEST, entry, "lies more than " + DEEPEST + " folders deep");
            require(permissions.contains(PosixFilePermission.OWNER_EXECUTE), entry, "can't be opened");
            left.push(new Folder(entry, depth + 1));
        } else {
            require(found.isRegularFile(), entry, "is neither a file nor a folder");
            require(!runsAsItsOwner(entry, permissions), entry, "would run with its owner's rights");
        }
        if (permissions.remove(PosixFilePermission.OTHERS_WRITE)) {
            try {
                Files.setPosixFilePermissions(entry, permissions);
            } catch (IOException e) {
                throw refusal(entry, "could be written to by every user");
            }
        }
    }

    /**
     * Returns whether the interpreter would read a file, and run code because of it, before it loads the supervisor.
     */
    private boolean comesFirst(Path entry) {
        String name = entry.getFileName().toString();
        if (name.endsWith(".pth") || name.endsWith(".start")) {
            boolean earlier = name.endsWith(".pth") && !name.startsWith(".") && name.compareTo(START) < 0;
            return otherPackages.equals(entry.getParent())
                    || (packages.equals(entry.getParent()) && (earlier || name.equals(INSTEAD_OF_START)));
        }
        // In the folder of the interpreter: a configuration, or a file that sets the path of its library (getpath.py).
        return Objects.equals(entry.getParent(), otherConfiguration.getParent())
                && (name.equals("pyvenv.cfg") || name.equals("pybuilddir.txt") || name.endsWith("._pth"));
    }

    /**
     * Returns whether a file is executable with a set-user-ID or set-group-ID bit, which has no effect on other files.
     */
    private boolean runsAsItsOwner(Path entry, Set<PosixFilePermission> permissions) throws InstallException {
        try {
            return hasModes
                    && permissions.stream().anyMatch(EXECUTE::contains)
                    && ((Integer) Files.getAttribute(entry, "unix:mode", LinkOption.NOFOLLOW_LINKS) & SET_USER_OR_GROUP)
                            != 0;
        } catch (IOException e) {
            throw refusal(entry, "can't be read");
        }
    }

    private BasicFileAttributes attributes(Path path) throws InstallException {
        try {
            return hasModes
                    ? Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    : Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw refusal(path, "can't be read");
        }
    }

    private static Set<PosixFilePermission> permissions(BasicFileAttributes found) {
        return found instanceof PosixFileAttributes posix
                ? posix.permissions()
                : EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_EXECUTE);
    }

    private void require(boolean condition, Path path, String otherwise) throws InstallException {
        if (!condition) {
            throw refusal(path, otherwise);
        }
    }

    private InstallException refusal(Path path, String reason) {
        String shown = environment.relativize(path).toString().replaceAll("\\p{Cntrl}", "?");
        shown = shown.length() > LONGEST_NAME ? "…" + shown.substring(shown.length() - LONGEST_NAME) : shown;
        return new InstallException(
                "The installed packages are refused: " + (shown.isEmpty() ? "the environment" : shown) + " " + reason
                        + ". To fix: leave out the package that brings it.");
    }
}
