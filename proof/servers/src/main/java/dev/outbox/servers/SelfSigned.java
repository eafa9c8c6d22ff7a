package dev.outbox.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate for {@code localhost} that a test server shows, its key, both in one store, and a
 * store from which clients know it. Immutable.
 */
public record SelfSigned(Path pair, Path certificate, Path key, Path trustStore) {
  private static final String NAME = "server";
  static final String PASSWORD = "changeit";

  /** Makes them in this folder, by the JDK's own tool. */
  public static SelfSigned in(Path folder) throws IOException, GeneralSecurityException {
    Path pair = folder.resolve("pair.p12");
    make(pair);
    KeyStore store = loaded(pair);
    Certificate certificate = store.getCertificate(NAME);
    byte[] key = store.getKey(NAME, PASSWORD.toCharArray()).getEncoded();
    return new SelfSigned(
        pair,
        write(folder.resolve("server.pem"), "CERTIFICATE", certificate.getEncoded()),
        write(folder.resolve("server.key"), "PRIVATE KEY", key),
        trusting(certificate, folder.resolve("trust.p12")));
  }

  /** How a server of the JDK shows the certificate. */
  public SSLContext ofServer() throws IOException, GeneralSecurityException {
    return ofServer(pair);
  }

  /** The same from the file {@code pair.p12} of another process. */
  static SSLContext ofServer(Path pair) throws IOException, GeneralSecurityException {
    KeyStore store = loaded(pair);
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static KeyStore loaded(Path pair) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream content = Files.newInputStream(pair)) {
      store.load(content, PASSWORD.toCharArray());
    }
    return store;
  }

  private static void make(Path pair) throws IOException {
    Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    Machine.Finished finished =
        Machine.run(
            new ProcessBuilder(
                tool.toString(),
                "-genkeypair",
                "-alias",
                NAME,
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-validity",
                "30",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                pair.toString()));
    if (finished.code() != 0) {
      throw new IOException("keytool failed: " + finished.output());
    }
  }

  private static Path write(Path file, String kind, byte[] content) throws IOException {
    String lines = Base64.getMimeEncoder().encodeToString(content);
    return Files.writeString(
        file,
        "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, lines),
        StandardCharsets.US_ASCII);
  }

  private static Path trusting(Certificate certificate, Path file)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry(NAME, certificate);
    try (OutputStream content = Files.newOutputStream(file)) {
      store.store(content, new char[0]);
    }
    return file;
  }
}
