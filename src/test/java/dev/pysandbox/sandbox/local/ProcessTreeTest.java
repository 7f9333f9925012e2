package dev.pysandbox.sandbox.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class ProcessTreeTest {
    @Test
    void readsThePageSizeFromTheAuxiliaryVector() {
        assertEquals(65536, ProcessTree.pageSize(vector(16, 0x178bfbff, 6, 65536, 17, 100, 0, 0)));
        assertEquals(4096, ProcessTree.pageSize(vector(16, 6, 0, 0)), "the usual size if there is none");
        assertEquals(4096, ProcessTree.pageSize(new byte[0]));
    }

    private static byte[] vector(long... words) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * words.length).order(ByteOrder.nativeOrder());
        bytes.asLongBuffer().put(words);
        return bytes.array();
    }
}
