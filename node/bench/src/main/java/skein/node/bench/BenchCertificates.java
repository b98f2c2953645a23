package skein.node.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import skein.node.dev.CannotStartException;

/**
 * An authority, and a certificate of it for this machine, made by the keytool of the JDK: for the
 * nodes that are measured, by HTTPS and between each other, and for their database.
 */
final class BenchCertificates {
  private static final Duration MAKE_MAX = Duration.ofSeconds(60);
  private static final int VALID_DAYS = 7;
  private static final int PEM_LINE_CHARS = 64;
  private static final String AUTHORITY = "authority";
  private static final String NODE = "node";

  /** Of the variable in which keytool finds the password of the key store. */
  private static final String PASSWORD = "SKEIN_BENCH_STORE_PASSWORD";

  private final Path folder;
  private final String password;
  private final KeyStore store;

  /**
   * May take seconds.
   *
   * @param folder readable by its owner alone; key store and PEM files are written there
   * @param password of the key store
   * @throws CannotStartException the keytool of the JDK is missing or fails
   */
  BenchCertificates(Path folder, String password) {
    this.folder = folder;
    this.password = password;
    run("-alias", AUTHORITY, "-dname", "CN=skein-bench-authority", "-ext", "bc:c");
    run(
        "-alias",
        NODE,
        "-dname",
        "CN=skein-bench",
        "-signer",
        AUTHORITY,
        "-ext",
        "san=ip:127.0.0.1,dns:localhost");
    try {
      store = KeyStore.getInstance(storeFile().toFile(), password.toCharArray());
      var key = store.getKey(NODE, password.toCharArray()).getEncoded();
      PrivateFiles.write(key(), pem("PRIVATE KEY", key));
      PrivateFiles.write(certificate(), pem(store.getCertificate(NODE)));
      PrivateFiles.write(authorities(), pem(store.getCertificate(AUTHORITY)));
    } catch (GeneralSecurityException | IOException e) {
      throw new CannotStartException("The certificates in " + folder + " cannot be used: " + e, e);
    }
  }

  private Path storeFile() {
    return folder.resolve("keys.p12");
  }

  Path certificate() {
    return folder.resolve("node.pem");
  }

  Path key() {
    return folder.resolve("node.key");
  }

  Path authorities() {
    return folder.resolve("authority.pem");
  }

  private void run(String... options) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1"));
    command.addAll(List.of("-validity", Integer.toString(VALID_DAYS), "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", storeFile().toString(), "-storepass:env", PASSWORD));
    command.addAll(List.of(options));
    var log = folder.resolve("keytool.log");
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put(PASSWORD, password);
    try {
      var process = builder.start();
      if (!process.waitFor(MAKE_MAX.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new CannotStartException(
            "keytool has made no certificate: " + Files.readString(log).strip());
      }
    } catch (IOException e) {
      throw new CannotStartException("--secured needs the keytool of a JDK: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStartException("Interrupted", e);
    }
  }

  private static String pem(Certificate certificate) throws GeneralSecurityException {
    return pem("CERTIFICATE", certificate.getEncoded());
  }

  private static String pem(String kind, byte[] bytes) {
    var text = Base64.getMimeEncoder(PEM_LINE_CHARS, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
  }

  /** Of clients that accept certificates of the authority, and no others. */
  SSLContext trusting() {
    try {
      var trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry(AUTHORITY, store.getCertificate(AUTHORITY));
      var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      var context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new CannotStartException("This Java cannot be used for HTTPS: " + e, e);
    }
  }
}
