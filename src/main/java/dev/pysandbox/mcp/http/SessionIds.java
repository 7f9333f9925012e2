package dev.pysandbox.mcp.http;

import dev.pysandbox.mcp.Principal;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Issues and reads the session ids of the revisions with a handshake. A signed id contains all that a session must
 * remember, so a server that did not issue it can serve its requests if it has the same key.
 */
final class SessionIds {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 16;
    private static final int LONGEST_CLIENT = 100;
    private static final int LONGEST_ID = 2_000;
    private static final int FIELDS = 4;

    private final SecureRandom random = new SecureRandom();
    private final SecretKeySpec key;

    SessionIds(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /** Creates ids with a new key: they are valid until the server ends. */
    static SessionIds withNewKey() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return new SessionIds(key);
    }

    /** What an id contains. */
    record Contents(Principal principal, String version, Optional<String> client) {}

    String issue(Contents contents) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        String client = contents.client().orElse("");
        String text = String.join(
                ".",
                encode(nonce),
                encode(contents.principal().name()),
                encode(contents.version()),
                encode(client.substring(0, Math.min(client.length(), LONGEST_CLIENT))));
        return text + "." + encode(signature(text));
    }

    /** Returns what an id contains; empty if it was not issued with this key. */
    Optional<Contents> read(String id) {
        int end = id.lastIndexOf('.');
        if (end < 0 || id.length() > LONGEST_ID) {
            return Optional.empty();
        }
        byte[] expected = encode(signature(id.substring(0, end))).getBytes(StandardCharsets.ISO_8859_1);
        if (!MessageDigest.isEqual(expected, id.substring(end + 1).getBytes(StandardCharsets.ISO_8859_1))) {
            return Optional.empty();
        }
        List<String> fields = Arrays.stream(id.substring(0, end).split("\\.", -1))
                .map(field -> new String(Base64.getUrlDecoder().decode(field), StandardCharsets.UTF_8))
                .toList();
        if (fields.size() != FIELDS) {
            return Optional.empty();
        }
        return Optional.of(new Contents(
                new Principal(fields.get(1)),
                fields.get(2),
                Optional.of(fields.get(3)).filter(client -> !client.isEmpty())));
    }

    private byte[] signature(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String encode(String text) {
        return encode(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
