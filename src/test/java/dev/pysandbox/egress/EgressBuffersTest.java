package dev.pysandbox.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class EgressBuffersTest {
    @Test
    void lendsEachBufferOnceAndNoMoreThanItHas() {
        Set<ByteBuffer> lent = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < EgressBuffers.MOST; i++) {
            lent.add(EgressBuffers.borrow().orElseThrow());
        }
        assertEquals(EgressBuffers.MOST, lent.size());
        assertEquals(Optional.empty(), EgressBuffers.borrow());
        ByteBuffer one = lent.iterator().next();
        EgressBuffers.giveBack(one);
        assertSame(one, EgressBuffers.borrow().orElseThrow());
        lent.forEach(EgressBuffers::giveBack);
    }
}
