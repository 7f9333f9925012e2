package dev.pysandbox.mcp.tools;

import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.mcp.render.VisibleText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Reports each step of a call as progress, and each line of the script's output as a log message. */
final class LiveReport implements ExecutionListener {
    private static final int LONGEST_LINE = 500;
    private static final int MOST_LOGGED_LINES = 1000;

    private final CallContext caller;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private int logged;

    LiveReport(CallContext caller) {
        this.caller = caller;
    }

    @Override
    public void progress(String message) {
        String visible = VisibleText.line(message.substring(0, Math.min(LONGEST_LINE, message.length())));
        caller.progress(visible);
        caller.log(LogLevel.INFO, visible);
    }

    @Override
    public boolean wantsLiveOutput() {
        return caller.listens();
    }

    @Override
    public synchronized void output(Stream stream, byte[] bytes) {
        if (stream != Stream.STDOUT || !caller.listens()) {
            return;
        }
        for (byte each : bytes) {
            if (each == '\n') {
                tell(VisibleText.line(line.toString(StandardCharsets.UTF_8)));
                line.reset();
            } else if (line.size() < LONGEST_LINE) {
                line.write(each);
            }
        }
    }

    private void tell(String text) {
        if (!text.isBlank()) {
            caller.progress("running: " + text);
        }
        if (logged++ < MOST_LOGGED_LINES) {
            caller.log(LogLevel.INFO, text);
        }
    }
}
