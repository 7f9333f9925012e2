package dev.pysandbox.index;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
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
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Trusts authorities from bundles of PEM certificates in addition to those of the JDK. */
final class Certificates {
    private static final Pattern PEM = Pattern.compile(
            "-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----([A-Za-z0-9+/=\\s]+)-----END (?:X509 |TRUSTED )?CERTIFICATE-----");

    private static final List<String> SYSTEM_BUNDLES =
            List.of("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem");

    private Certificates() {}

    /** Returns the bundle of the operating system, if it is in a usual place. */
    static Optional<Path> ofSystem() {
        return SYSTEM_BUNDLES.stream()
                .map(Path::of)
                .filter(Files::isRegularFile)
                .findFirst();
    }

    /** For hosts whose certificate the operator excluded from checks. */
    static SSLContext trustingAll() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Unchecked()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS can't be used: " + e.getMessage(), e);
        }
    }

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

    /** Parses the certificates of a bundle; skips those that can't be read. */
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
                // Bundles of real machines contain invalid certificates.
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

    /** Extends X509ExtendedTrustManager, because with a plain trust manager the JDK compares host names itself. */
    private static final class Unchecked extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static TrustManager[] trustManagers(@Nullable KeyStore authorities) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(authorities);
        return factory.getTrustManagers();
    }
}
