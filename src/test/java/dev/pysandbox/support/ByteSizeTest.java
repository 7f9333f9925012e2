package dev.pysandbox.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "0,0,0",
        "1000,1000,1000",
        "1k,1024,1k",
        "2g,2147483648,2g",
        "512M,536870912,512m",
        "1536k,1572864,1536k",
        "4096,4096,4k",
        "1GiB,1073741824,1g",
        "5gb,5368709120,5g"
    })
    void readsAndWrites(String text, long bytes, String written) {
        assertEquals(bytes, ByteSize.parse(text).bytes());
        assertEquals(written, ByteSize.parse(text).toString());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 bytes",
        "1, 1 byte",
        "1023, 1023 bytes",
        "2048, 2.0 KiB",
        "1572864, 1.5 MiB",
        "5368709120, 5.0 GiB"
    })
    void roundsForMessages(long bytes, String readable) {
        assertEquals(readable, new ByteSize(bytes).readable());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "g", "-1", "1.5g", "1x", "999999999999t", "2 g", "0x10"})
    void refuses(String text) {
        assertThrows(IllegalArgumentException.class, () -> ByteSize.parse(text));
    }
}
