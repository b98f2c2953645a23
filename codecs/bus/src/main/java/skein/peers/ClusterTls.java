package skein.peers;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import skein.peers.Handshake.End;

/**
 * The certificate of this process, and whose certificates it takes from others: TLS 1.3 alone, both
 * ends show one, host names are not compared. Files that have changed are used for connections that
 * are made later, from ten seconds after the last look at them. Thread-safe.
 */
public final class ClusterTls {
  private static final String[] PROTOCOLS = {"TLSv1.3"};
  private static final int FILE_BYTES_MAX = 262_144;
  private static final long LOOK_NANOS = Duration.ofSeconds(10).toNanos();

  /** Longer than tickets may live, so that none are sent: nobody goes on with a session. */
  private static final int NO_TICKETS_SECONDS = (int) Duration.ofDays(8).toSeconds();

  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  private final Files files;
  private final Consumer<UnusableException> listener;
  private final AtomicLong looked = new AtomicLong(System.nanoTime());
  private volatile Loaded loaded;
  private volatile String told = "";

  /**
   * All in PEM.
   *
   * @param certificate of this process, and after it those that lead to an authority, if any
   * @param key of that certificate, PKCS #8 without a password
   * @param authorities who has signed the certificates of others; each of them is let in
   */
  public record Files(Path certificate, Path key, Path authorities) {}

  /** What stands in them. */
  private record Texts(String certificate, String key, String authorities) {}

  private record Loaded(SSLContext context, Instant end, Texts texts) {}

  /** A file cannot be used, and the message says why. */
  public static final class UnusableException extends RuntimeException {
    UnusableException(Path file, String why) {
      super("TLS between nodes: " + file + " " + why);
    }
  }

  private ClusterTls(Files files, Consumer<UnusableException> listener) {
    this.files = files;
    this.listener = listener;
    this.loaded = load(files, texts(files));
  }

  /**
   * Reads and tries all three.
   *
   * @param listener of files that have changed and cannot be used, once for each reason: what was
   *     read before stays in use; called on any thread; must not block
   * @throws UnusableException one is missing, the key is another one's or open to everybody, or the
   *     certificate is not valid now, not signed by an authority, or not meant for both ends
   */
  public static ClusterTls read(Files files, Consumer<UnusableException> listener) {
    return new ClusterTls(files, listener);
  }

  /** When its certificate ends. */
  public Instant end() {
    return loaded.end;
  }

  /** Of a new connection. */
  SSLEngine engine(End end) {
    look();
    var engine = loaded.context.createSSLEngine();
    engine.setUseClientMode(end == End.CONNECTING);
    engine.setEnabledProtocols(PROTOCOLS);
    if (end == End.ACCEPTING) {
      engine.setNeedClientAuth(true);
    }
    return engine;
  }

  private void look() {
    long last = looked.get();
    long now = System.nanoTime();
    if (now - last < LOOK_NANOS || !looked.compareAndSet(last, now)) {
      return;
    }
    if (loaded.end.isBefore(Instant.now())) {
      renew();
    } else {
      var unused = CompletableFuture.runAsync(this::renew);
    }
  }

  /** Takes what has changed, if it can be used. */
  void renew() {
    try {
      var texts = texts(files);
      if (!texts.equals(loaded.texts)) {
        loaded = load(files, texts);
        told = "";
      }
    } catch (UnusableException e) {
      if (!told.equals(e.getMessage())) {
        told = String.valueOf(e.getMessage());
        listener.accept(e);
      }
    }
  }

  private static Texts texts(Files files) {
    try {
      if (!PrivateFile.isPrivate(files.key)) {
        throw new UnusableException(files.key, PrivateFile.OPEN);
      }
    } catch (IOException e) {
      throw new UnusableException(files.key, "cannot be read: " + e);
    }
    return new Texts(text(files.certificate), text(files.key), text(files.authorities));
  }

  private static String text(Path file) {
    try {
      var bytes = PrivateFile.bytes(file, FILE_BYTES_MAX);
      if (bytes == null) {
        throw new UnusableException(file, "is longer than " + FILE_BYTES_MAX + " bytes");
      }
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UnusableException(file, "cannot be read: " + e);
    }
  }

  private static Loaded load(Files files, Texts texts) {
    var chain = certificates(files.certificate, texts.certificate).toArray(X509Certificate[]::new);
    var own = chain[0];
    requireValidNow(files.certificate, own);
    var key = key(files, texts.key, own);
    try {
      var trust = KeyStore.getInstance("PKCS12");
      trust.load(null, null);
      int number = 0;
      for (var authority : certificates(files.authorities, texts.authorities)) {
        trust.setCertificateEntry("ca" + number++, authority);
      }
      var managers = TrustManagerFactory.getInstance("PKIX");
      managers.init(trust);
      requireTaken(files, chain, (X509TrustManager) managers.getTrustManagers()[0]);
      var keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      keys.setKeyEntry("node", key, new char[0], chain);
      var keyManagers = KeyManagerFactory.getInstance("SunX509");
      keyManagers.init(keys, new char[0]);
      var context = SSLContext.getInstance("TLS");
      context.init(keyManagers.getKeyManagers(), managers.getTrustManagers(), null);
      context.getServerSessionContext().setSessionTimeout(NO_TICKETS_SECONDS);
      return new Loaded(context, own.getNotAfter().toInstant(), texts);
    } catch (GeneralSecurityException | IOException e) {
      throw new UnusableException(files.certificate, "cannot be used: " + e);
    }
  }

  private static List<X509Certificate> certificates(Path file, String pem) {
    try {
      var read =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1)))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (!read.isEmpty()) {
        return read;
      }
    } catch (CertificateException e) {
      throw new UnusableException(file, "holds no certificate in PEM: " + e.getMessage());
    }
    throw new UnusableException(file, "holds no certificate in PEM");
  }

  private static void requireValidNow(Path file, X509Certificate certificate) {
    var now = Instant.now();
    var begin = certificate.getNotBefore().toInstant();
    var end = certificate.getNotAfter().toInstant();
    if (now.isAfter(end)) {
      throw new UnusableException(file, "has expired: it was valid until " + end);
    }
    if (now.isBefore(begin)) {
      throw new UnusableException(
          file, "is valid only from " + begin + "; this machine's clock says " + now);
    }
  }

  private static PrivateKey key(Files files, String pem, X509Certificate certificate) {
    var found = KEY.matcher(pem);
    if (!found.find()) {
      throw new UnusableException(
          files.key,
          "holds no key as -----BEGIN PRIVATE KEY-----, without a password: openssl pkcs8 -topk8"
              + " -nocrypt makes one of others");
    }
    var algorithm = certificate.getPublicKey().getAlgorithm();
    try {
      var bytes = Base64.getMimeDecoder().decode(found.group(1));
      var key = KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
      if (isOf(certificate, key)) {
        return key;
      }
    } catch (GeneralSecurityException | IllegalArgumentException unused) {
      // of another kind, or damaged
    }
    throw new UnusableException(
        files.key, "is not the key of the certificate in " + files.certificate);
  }

  private static boolean isOf(X509Certificate certificate, PrivateKey key)
      throws GeneralSecurityException {
    var statement = "skein".getBytes(StandardCharsets.US_ASCII);
    var signature =
        Signature.getInstance(
            switch (key.getAlgorithm()) {
              case "EC" -> "SHA256withECDSA";
              case "RSA" -> "SHA256withRSA";
              default -> key.getAlgorithm();
            });
    signature.initSign(key);
    signature.update(statement);
    var signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    signature.update(statement);
    return signature.verify(signed);
  }

  /** What others would say of it is better known at once. */
  private static void requireTaken(
      Files files, X509Certificate[] chain, X509TrustManager authorities) {
    try {
      authorities.checkServerTrusted(chain, "UNKNOWN");
      authorities.checkClientTrusted(chain, "UNKNOWN");
    } catch (CertificateException e) {
      throw new UnusableException(
          files.certificate,
          "is not signed by an authority in "
              + files.authorities
              + ", or not for both ends of a connection (serverAuth and clientAuth): "
              + e.getMessage());
    }
  }
}
