package dev.pysandbox.mcp.render;

import java.time.Duration;
import javax.imageio.ImageReader;
import javax.imageio.event.IIOReadProgressListener;

/**
 * Aborts reading an image when its time is over or the thread is interrupted.
 *
 * <p>The readers report after each line, on the thread that reads: another thread can't abort the JPEG reader.
 */
final class ReadingLimit implements IIOReadProgressListener {
    private final long end;
    private boolean exceeded;

    ReadingLimit(Duration longest) {
        end = System.nanoTime() + longest.toNanos();
    }

    boolean exceeded() {
        return exceeded;
    }

    @Override
    public void imageProgress(ImageReader source, float percentageDone) {
        if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
            exceeded = true;
            source.abort();
        }
    }

    @Override
    public void imageStarted(ImageReader source, int imageIndex) {}

    @Override
    public void imageComplete(ImageReader source) {}

    @Override
    public void readAborted(ImageReader source) {}

    @Override
    public void sequenceStarted(ImageReader source, int minIndex) {}

    @Override
    public void sequenceComplete(ImageReader source) {}

    @Override
    public void thumbnailStarted(ImageReader source, int imageIndex, int thumbnailIndex) {}

    @Override
    public void thumbnailProgress(ImageReader source, float percentageDone) {}

    @Override
    public void thumbnailComplete(ImageReader source) {}
}
