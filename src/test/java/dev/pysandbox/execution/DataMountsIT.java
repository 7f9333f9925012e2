package dev.pysandbox.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.Config.DataFolder;
import dev.pysandbox.sandbox.Volume;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataMountsIT {
    @TempDir
    Path temporary;

    private final AtomicLong clock = new AtomicLong();
    private Path data;
    private Path empty;

    @BeforeEach
    void createFolder() throws IOException {
        data = Files.createDirectories(temporary.resolve("data/below")).getParent();
        empty = temporary.resolve("empty");
        Files.writeString(data.resolve("file"), "");
        Files.createSymbolicLink(data.resolve("link"), Path.of("/dev"));
    }

    @Test
    void coversEachSocketOfAReadOnlyFolderAndNothingElse() throws Exception {
        socket("below/socket");
        Volume folder = new Volume.HostFolder(data, Path.of("/data/data"), false);
        assertEquals(
                List.of(folder, new Volume.HostFolder(empty, Path.of("/data/data/below/socket"), false)),
                mounts(false).volumes());
        assertEquals(
                List.of(new Volume.HostFolder(data, Path.of("/data/data"), true)),
                mounts(true).volumes());
    }

    @Test
    void looksAgainAfterAWhile() throws Exception {
        DataMounts mounts = mounts(false);
        assertEquals(1, mounts.volumes().size());
        socket("late");
        assertEquals(1, mounts.volumes().size(), "not on the way of each call");
        clock.addAndGet(31_000_000_000L);
        while (mounts.volumes().size() == 1) {
            Thread.onSpinWait();
        }
        Files.delete(data.resolve("late"));
        assertEquals(1, mounts.volumes().size(), "what has gone is not covered");
    }

    @Test
    void refusesMoreThanCanBeCovered() throws Exception {
        for (int i = 0; i <= DataMounts.MOST_COVERED; i++) {
            socket("below/s" + i);
        }
        DataMounts mounts = mounts(false);
        assertTrue(assertThrows(IOException.class, mounts::volumes).getMessage().contains("--mount " + data));
    }

    @Test
    void saysWhereItStoppedLooking() throws Exception {
        assertTrue(SpecialFiles.in(data, 4).complete());
        assertFalse(SpecialFiles.in(data, 3).complete());
    }

    private DataMounts mounts(boolean writable) throws IOException {
        Files.deleteIfExists(empty);
        return DataMounts.of(List.of(new DataFolder(data, writable)), empty, clock::get);
    }

    private void socket(String name) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(data.resolve(name)));
        }
    }
}
