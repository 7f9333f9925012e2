package dev.pysandbox.index;

import dev.pysandbox.support.HostCommand;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A self-signed certificate for localhost, and a CA bundle that contains it. */
public record SelfSigned(SSLContext context, Path bundle) {
    private static final String PASSWORD = "changeit";

    public static SelfSigned make(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Files.createDirectories(folder);
        Path store = folder.resolve("store.p12");
        Path bundle = folder.resolve("bundle.pem");
        keytool(
                folder,
                List.of(
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1"),
                store);
        keytool(folder, List.of("-exportcert", "-rfc", "-file", bundle.toString()), store);
        String certificate = Files.readString(bundle);
        Files.writeString(
                bundle,
                "# A comment, and one that is broken:\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
                        + certificate);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(store)) {
            keys.load(stream, PASSWORD.toCharArray());
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return new SelfSigned(context, bundle);
    }

    private static void keytool(Path folder, List<String> arguments, Path store)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(arguments);
        command.addAll(List.of("-alias", "server", "-keystore", store.toString(), "-storepass", PASSWORD));
        HostCommand.Outcome outcome = new HostCommand(command, Map.of(), folder, Duration.ofSeconds(60)).run();
        if (!outcome.succeeded()) {
            throw new IOException(outcome.stdout() + outcome.stderr());
        }
    }
}
