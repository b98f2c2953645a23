package skein.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509TrustManager;
import skein.peers.Handshake.End;
import skein.peers.UnusableTlsException.Use;

/**
 * The certificate of this process, and whose certificates it takes from others: TLS 1.3 alone, both
 * ends show one, host names are not compared. Files that have changed are used for connections that
 * are made later, from ten seconds after the last look at them. Thread-safe.
 */
public final class ClusterTls {
  private static final String[] PROTOCOLS = {"TLSv1.3"};
  private static final PemFiles pem = new PemFiles(Use.BETWEEN_NODES);

  /** Longer than tickets may live, so that none are sent: sessions are never resumed. */
  private static final int NO_TICKETS_SECONDS = (int) Duration.ofDays(8).toSeconds();

  private final ReloadedFiles<Texts, Loaded> loaded;

  /**
   * All in PEM.
   *
   * @param certificate of this process, and after it those that lead to an authority, if any
   * @param key of that certificate, PKCS #8 without a password
   * @param authorities who has signed the certificates of others; each of them is admitted
   */
  public record Files(Path certificate, Path key, Path authorities) {}

  /** The contents of the files. */
  private record Texts(String certificate, String key, String authorities) {
    /** Without the private key. */
    @Override
    public String toString() {
      return "Texts[certificate=" + certificate + "]";
    }
  }

  private record Loaded(SSLContext context, Instant end) {
    boolean isOver() {
      return end.isBefore(Instant.now());
    }
  }

  private ClusterTls(Files files, Consumer<UnusableTlsException> listener) {
    this.loaded = new ReloadedFiles<>(() -> texts(files), texts -> load(files, texts), listener);
  }

  /**
   * Reads and tries all three.
   *
   * @param listener of files that have changed and cannot be used, once for each reason: what was
   *     read before stays in use; called on any thread; must not block
   * @throws UnusableTlsException one is missing, the key does not match or is readable by all
   *     users, or the certificate is not valid now, not signed by an authority, or not meant for
   *     both ends
   */
  public static ClusterTls read(Files files, Consumer<UnusableTlsException> listener) {
    return new ClusterTls(files, listener);
  }

  /** When its certificate ends. */
  public Instant end() {
    return loaded.value().end;
  }

  /** The engine of a new connection. */
  SSLEngine engine(End end) {
    var engine = loaded.use(Loaded::isOver).context.createSSLEngine();
    engine.setUseClientMode(end == End.CONNECTING);
    engine.setEnabledProtocols(PROTOCOLS);
    if (end == End.ACCEPTING) {
      engine.setNeedClientAuth(true);
    }
    return engine;
  }

  /** Takes what has changed, if it can be used. */
  void renew() {
    loaded.renew();
  }

  private static Texts texts(Files files) {
    var key = pem.secretText(files.key);
    return new Texts(pem.text(files.certificate), key, pem.text(files.authorities));
  }

  private static Loaded load(Files files, Texts texts) {
    var chain =
        pem.certificates(files.certificate, texts.certificate).toArray(X509Certificate[]::new);
    var own = chain[0];
    pem.requireValidNow(files.certificate, own);
    var key = pem.key(files.key, texts.key, files.certificate, own);
    try {
      var trust = PemFiles.trustManagers(pem.certificates(files.authorities, texts.authorities));
      requireTaken(files, chain, (X509TrustManager) trust[0]);
      var context = SSLContext.getInstance("TLS");
      context.init(PemFiles.keyManagers(key, chain), trust, null);
      context.getServerSessionContext().setSessionTimeout(NO_TICKETS_SECONDS);
      return new Loaded(context, own.getNotAfter().toInstant());
    } catch (GeneralSecurityException | IOException e) {
      throw pem.unusable(files.certificate, "cannot be used: " + e);
    }
  }

  /** Errors that other nodes would report are found at once. */
  private static void requireTaken(
      Files files, X509Certificate[] chain, X509TrustManager authorities) {
    try {
      authorities.checkServerTrusted(chain, "UNKNOWN");
      authorities.checkClientTrusted(chain, "UNKNOWN");
    } catch (CertificateException e) {
      throw pem.unusable(
          files.certificate,
          "is not signed by an authority in "
              + files.authorities
              + ", or not for both ends of a connection (serverAuth and clientAuth): "
              + e.getMessage());
    }
  }
}
