package dev.pysandbox.env;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The authorities that are trusted besides the JDK's own, read from bundles of PEM certificates. */
final class Certificates {
    private static final Pattern PEM = Pattern.compile(
            "-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----([A-Za-z0-9+/=\\s]+)-----END (?:X509 |TRUSTED )?CERTIFICATE-----");

    private Certificates() {}

    static SSLContext trusting(List<Path> bundles) throws IOException {
        try {
            KeyStore authorities = KeyStore.getInstance("PKCS12");
            authorities.load(null, null);
            List<X509Certificate> all = new ArrayList<>(ofJdk());
            for (Path bundle : bundles) {
                all.addAll(parse(Files.readString(bundle, StandardCharsets.ISO_8859_1)));
            }
            for (int i = 0; i < all.size(); i++) {
                authorities.setCertificateEntry("authority-" + i, all.get(i));
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trustManagers(authorities), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificates of " + bundles + " can't be used: " + e.getMessage(), e);
        }
    }

    /** The certificates of a bundle; one that can't be read does not spoil the others. */
    static List<X509Certificate> parse(String bundle) throws CertificateException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> certificates = new ArrayList<>();
        Matcher pem = PEM.matcher(bundle);
        while (pem.find()) {
            try {
                byte[] der = Base64.getMimeDecoder().decode(pem.group(1));
                if (factory.generateCertificate(new ByteArrayInputStream(der)) instanceof X509Certificate certificate) {
                    certificates.add(certificate);
                }
            } catch (CertificateException | IllegalArgumentException e) {
                // Bundles of real machines hold odd ones.
            }
        }
        return certificates;
    }

    private static List<X509Certificate> ofJdk() throws GeneralSecurityException {
        return Stream.of(trustManagers(null))
                .filter(X509TrustManager.class::isInstance)
                .flatMap(manager -> Stream.of(((X509TrustManager) manager).getAcceptedIssuers()))
                .toList();
    }

    private static TrustManager[] trustManagers(@Nullable KeyStore authorities) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(authorities);
        return factory.getTrustManagers();
    }
}
