package dev.pysandbox.mcp.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.mcp.Principal;
import dev.pysandbox.mcp.http.SessionIds.Contents;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SessionIdsTest {
    private static final Contents CONTENTS =
            new Contents(new Principal("ann.b"), "2025-11-25", Optional.of("a client. \u00e9\u4e16"));

    private final SessionIds ids = new SessionIds(new byte[32]);

    @Test
    void anIdContainsItsSession() {
        String id = ids.issue(CONTENTS);
        assertTrue(id.matches("[!-~]+"), id);
        assertEquals(Optional.of(CONTENTS), ids.read(id));
        Contents anonymous = new Contents(Principal.LOCAL, "2025-03-26", Optional.empty());
        assertEquals(Optional.of(anonymous), ids.read(ids.issue(anonymous)));
    }

    @Test
    void anotherServerWithTheSameKeyReadsIt() {
        assertEquals(Optional.of(CONTENTS), new SessionIds(new byte[32]).read(ids.issue(CONTENTS)));
        assertEquals(Optional.empty(), SessionIds.withNewKey().read(ids.issue(CONTENTS)));
    }

    @Test
    void twoSessionsOfOneClientDiffer() {
        assertNotEquals(ids.issue(CONTENTS), ids.issue(CONTENTS));
    }

    @Test
    void aLongNameOfAClientIsCut() {
        Contents longName = new Contents(Principal.LOCAL, "2025-11-25", Optional.of("x".repeat(100_000)));
        String id = ids.issue(longName);
        assertTrue(id.length() < 500, id);
        assertEquals(100, ids.read(id).orElseThrow().client().orElseThrow().length());
    }

    @Test
    void otherTextsAreRefused() {
        for (String text : new String[] {"", ".", "....", "a.b.c.d.e", "x".repeat(5_000), "\u0000", "=.=.=.=.="}) {
            assertEquals(Optional.empty(), ids.read(text), text);
        }
    }
}
