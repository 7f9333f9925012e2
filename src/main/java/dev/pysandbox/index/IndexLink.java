package dev.pysandbox.index;

import dev.pysandbox.support.DiskCacheEntry;
import dev.pysandbox.support.Host;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A path on an index's origin that a page of the index links to, signed so that a sandbox can't forge one.
 *
 * @param page whether it leads to a page, whose own links are signed in turn, rather than to a file
 * @param path with its query
 */
record IndexLink(boolean page, String path) {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int SIGNATURE_BYTES = 16;
    private static final Pattern SIGNED = Pattern.compile("/(page|file)/([A-Za-z0-9_-]{22})(/.*)");
    /** The suffix of a wheel's metadata file (PEP 658). */
    private static final Pattern METADATA = Pattern.compile("\\.metadata(?=\\?|$)");

    /**
     * Signs links. All servers that share a cache folder use the same key, because uv caches pages with links there.
     */
    record Key(String secret) {
        private static final Duration AGE = Duration.ofDays(10 * 365);

        /** Returns the key of a cache folder; creates it on first use. */
        static Key of(Host host) {
            DiskCacheEntry entry = DiskCacheEntry.about("index-key", "", host);
            Optional<String> kept = entry.recall().map(values -> values.get("key"));
            if (kept.isPresent()) {
                return new Key(kept.get());
            }
            byte[] random = new byte[32];
            new SecureRandom().nextBytes(random);
            String secret = Base64.getEncoder().encodeToString(random);
            entry.remember(Map.of("key", secret), AGE);
            return new Key(entry.recall().map(values -> values.get("key")).orElse(secret));
        }

        byte[] sign(String text) {
            try {
                Mac mac = Mac.getInstance(ALGORITHM);
                mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
                return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public String toString() {
            return "Key[…]";
        }
    }

    /** Parses and verifies the result of {@link #signed}; empty for anything else. */
    static Optional<IndexLink> parse(String text, String origin, Key key) {
        Matcher matcher = SIGNED.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        IndexLink link = new IndexLink(matcher.group(1).equals("page"), matcher.group(3));
        boolean genuine = link.isSignedBy(matcher.group(2), origin, key)
                || (!link.page() && link.ofWheel().isSignedBy(matcher.group(2), origin, key));
        return genuine ? Optional.of(link) : Optional.empty();
    }

    private IndexLink ofWheel() {
        return new IndexLink(false, METADATA.matcher(path).replaceFirst(""));
    }

    private boolean isSignedBy(String signature, String origin, Key key) {
        return MessageDigest.isEqual(
                signature.getBytes(StandardCharsets.US_ASCII),
                signature(origin, key).getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the signed path for a sandbox. */
    String signed(String origin, Key key) {
        return "/" + kind() + "/" + signature(origin, key) + path;
    }

    private String kind() {
        return page ? "page" : "file";
    }

    private String signature(String origin, Key key) {
        byte[] mac = key.sign(kind() + "\n" + origin + "\n" + path);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(mac, SIGNATURE_BYTES));
    }
}
