package dev.pysandbox.egress.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TransferBuffersTest {
    @Test
    void lendsEachBufferOnceUpToTheLimit() {
        Set<ByteBuffer> lent = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < TransferBuffers.MAX; i++) {
            lent.add(TransferBuffers.borrow().orElseThrow());
        }
        assertEquals(TransferBuffers.MAX, lent.size());
        assertEquals(Optional.empty(), TransferBuffers.borrow());
        ByteBuffer one = lent.iterator().next();
        TransferBuffers.release(one);
        assertSame(one, TransferBuffers.borrow().orElseThrow());
        lent.forEach(TransferBuffers::release);
    }
}
