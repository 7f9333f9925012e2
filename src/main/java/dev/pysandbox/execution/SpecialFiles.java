package dev.pysandbox.execution;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * The sockets, named pipes and devices in a folder, found without following links.
 *
 * @param paths relative to the folder
 * @param complete false if the search ended after {@link #MOST_ENTRIES} entries
 */
record SpecialFiles(List<Path> paths, boolean complete) {
    static final int MOST_ENTRIES = 10_000;

    static SpecialFiles in(Path folder) throws IOException {
        return in(folder, MOST_ENTRIES);
    }

    static SpecialFiles in(Path folder, int mostEntries) throws IOException {
        Search search = new Search(folder, mostEntries);
        Files.walkFileTree(folder, search);
        return new SpecialFiles(List.copyOf(search.paths), search.left >= 0);
    }

    private static final class Search extends SimpleFileVisitor<Path> {
        private final Path folder;
        private final List<Path> paths = new ArrayList<>();
        private int left;

        Search(Path folder, int mostEntries) {
            this.folder = folder;
            this.left = mostEntries;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return counted();
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            // The user mounted this very socket or pipe.
            if (attributes.isOther() && !file.equals(folder)) {
                paths.add(folder.relativize(file));
            }
            return counted();
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return counted();
        }

        private FileVisitResult counted() {
            left--;
            return left >= 0 ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
        }
    }
}
