package dev.pysandbox.execution.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pysandbox.api.CapturedText;
import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.api.ProducedFile;
import dev.pysandbox.supervisor.TaskListener;
import dev.pysandbox.support.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Collects what a task sends and passes its output to the listener. */
public final class OutputCollector implements TaskListener, AutoCloseable {
    /** A script that prints more than this is stopped. */
    public static final long MOST_OUTPUT = 4L << 30;

    private static final String OFFICE = "application/vnd.openxmlformats-officedocument.";
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("csv", "text/csv"),
            Map.entry("tsv", "text/tab-separated-values"),
            Map.entry("json", "application/json"),
            Map.entry("md", "text/markdown"),
            Map.entry("py", "text/x-python"),
            Map.entry("pdf", "application/pdf"),
            Map.entry("parquet", "application/vnd.apache.parquet"),
            Map.entry("db", "application/vnd.sqlite3"),
            Map.entry("sqlite", "application/vnd.sqlite3"),
            Map.entry("sqlite3", "application/vnd.sqlite3"),
            Map.entry("webp", "image/webp"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("docx", OFFICE + "wordprocessingml.document"),
            Map.entry("pptx", OFFICE + "presentationml.presentation"),
            Map.entry("xlsx", OFFICE + "spreadsheetml.sheet"));

    private final OutputCapture stdout;
    private final OutputCapture stderr;
    private final ExecutionListener listener;
    private final Runnable tooMuch;
    private final Optional<FileKeeper> keeper;
    private final HeldBytes held;
    private final Map<String, Object> variables = new LinkedHashMap<>();
    private Optional<String> value = Optional.empty();
    private final List<ProducedFile> files = new ArrayList<>();
    private long bytesHeld;
    private int notHeld;
    private boolean closed;
    private long total;
    private boolean overflowed;
    private volatile long end;

    /**
     * @param tooMuch runs once when the output exceeds {@link #MOST_OUTPUT}
     * @param held counts the content of files in memory until this is closed
     */
    public OutputCollector(
            long maxOutputBytes,
            ExecutionListener listener,
            Runnable tooMuch,
            Optional<FileKeeper> keeper,
            HeldBytes held) {
        this.stdout = new OutputCapture(maxOutputBytes);
        this.stderr = new OutputCapture(maxOutputBytes);
        this.listener = listener;
        this.tooMuch = tooMuch;
        this.keeper = keeper;
        this.held = held;
    }

    @Override
    public void output(ExecutionListener.Stream stream, byte[] bytes, int length) {
        (stream == ExecutionListener.Stream.STDOUT ? stdout : stderr).append(bytes, length);
        if (listener.wantsLiveOutput()) {
            listener.output(stream, Arrays.copyOf(bytes, length));
        }
        total += length;
        if (total > MOST_OUTPUT && !overflowed) {
            overflowed = true;
            tooMuch.run();
        }
    }

    @Override
    public synchronized void variable(String name, byte[] json) {
        Object described;
        try {
            described = new ObjectMapper().readValue(json, Object.class);
        } catch (JsonProcessingException e) {
            described = Map.of("error", "it could not be described");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        boolean plain = described instanceof Map<?, ?> map && map.size() == 1 && map.containsKey("value");
        variables.put(name, plain ? ((Map<?, ?>) described).get("value") : described);
    }

    @Override
    public synchronized void value(String repr) {
        value = Optional.of(repr);
    }

    @Override
    public synchronized void file(String name, byte[] content) {
        if (closed) {
            return; // the result was already used
        }
        Optional<Path> kept = keeper.flatMap(folder -> folder.keep(name, content));
        boolean fits = held.take(content.length);
        if (fits) {
            bytesHeld += content.length;
        } else {
            notHeld++;
        }
        byte[] shown = fits ? content : new byte[0];
        files.add(new ProducedFile(name, typeOf(name), content.length, Optional.of(Sha256.of(content)), shown, kept));
    }

    @Override
    public synchronized OutputStream largeFile(String name, long size) {
        return keeper.map(folder -> folder.keep(
                        name,
                        size,
                        (path, sha256) -> add(unseen(name, size, Optional.of(sha256), Optional.of(path))),
                        () -> fileNotSent(name, size)))
                .orElseGet(OutputStream::nullOutputStream);
    }

    @Override
    public synchronized void fileNotSent(String name, long size) {
        add(unseen(name, size, Optional.empty(), Optional.empty()));
    }

    private synchronized void add(ProducedFile file) {
        files.add(file);
    }

    private static ProducedFile unseen(String name, long size, Optional<String> sha256, Optional<Path> kept) {
        return new ProducedFile(name, typeOf(name), size, sha256, new byte[0], kept);
    }

    @Override
    public void over() {
        end = System.nanoTime();
    }

    /** Returns the {@link System#nanoTime} at which the last process of the script had ended. */
    public long end() {
        return end == 0 ? System.nanoTime() : end;
    }

    /** Returns which files could not be kept or returned, and why. */
    public synchronized List<String> failures() {
        List<String> failures = new ArrayList<>(keeper.map(FileKeeper::failures).orElse(List.of()));
        if (notHeld > 0) {
            failures.add("the content of " + notHeld + (notHeld == 1 ? " file" : " files")
                    + " is not returned: files of other calls fill the server's memory; call again");
        }
        return failures;
    }

    /** Releases the memory for other calls. Called when the result has been used. */
    @Override
    public synchronized void close() {
        closed = true;
        held.release(bytesHeld);
        bytesHeld = 0;
    }

    public CapturedText stdout() {
        return stdout.text();
    }

    public CapturedText stderr() {
        return stderr.text();
    }

    public String lastLine() {
        return stdout.lastLine();
    }

    public synchronized Map<String, Object> variables() {
        return new LinkedHashMap<>(variables);
    }

    /** Returns the value of the last statement, if the script printed nothing. */
    public synchronized Optional<String> value() {
        return value.filter(repr -> stdout.isEmpty());
    }

    public synchronized List<ProducedFile> files() {
        return List.copyOf(files);
    }

    public boolean overflowed() {
        return overflowed;
    }

    private static String typeOf(String name) {
        String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return Optional.ofNullable(TYPES.get(extension))
                .or(() -> Optional.ofNullable(URLConnection.guessContentTypeFromName(name)))
                .orElse("application/octet-stream");
    }
}
