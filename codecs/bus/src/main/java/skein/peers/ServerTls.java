package skein.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import skein.peers.UnusableTlsException.Use;

/**
 * The certificate that an HTTPS server shows: TLS 1.2 and 1.3 with forward secrecy and
 * authenticated encryption alone, HTTP/2 or HTTP/1.1 by ALPN. Files that have changed are used for
 * connections that are made later, from ten seconds after the last look at them; open ones are not
 * affected. Thread-safe.
 */
public final class ServerTls {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
  private static final String[] SUITES = {
    "TLS_AES_256_GCM_SHA384",
    "TLS_AES_128_GCM_SHA256",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
  };
  private static final String[] APPLICATIONS = {"h2", "http/1.1"};

  /** For so long a client may resume a session instead of making a whole handshake. */
  private static final int SESSION_SECONDS = (int) Duration.ofHours(1).toSeconds();

  private static final PemFiles pem = new PemFiles(Use.HTTPS);

  private final Files files;
  private final ReloadedFiles<Texts, Loaded> loaded;

  static {
    // Handshakes cost the server more than the client, and none but the first is ever needed.
    System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
  }

  /**
   * All in PEM.
   *
   * @param certificate of the server, and after it those that lead to an authority, if any
   * @param key of that certificate, PKCS #8 without a password
   * @param clients those who sign certificates of clients, which are then asked for; null: none are
   */
  public record Files(Path certificate, Path key, @Nullable Clients clients) {}

  /**
   * Clients that say by a certificate who they are.
   *
   * @param required whether clients without one are refused
   */
  public record Clients(Path authorities, boolean required) {}

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

  private ServerTls(Files files, Consumer<UnusableTlsException> listener) {
    this.files = files;
    this.loaded = new ReloadedFiles<>(() -> texts(files), texts -> load(files, texts), listener);
  }

  /**
   * Reads and tries them.
   *
   * @param listener of files that have changed and cannot be used, once for each reason: what was
   *     read before stays in use; called on any thread; must not block
   * @throws UnusableTlsException one is missing, the key does not match or is readable by all
   *     users, or the certificate is not valid now
   */
  public static ServerTls read(Files files, Consumer<UnusableTlsException> listener) {
    return new ServerTls(files, listener);
  }

  /** When its certificate ends; looks for a newer one, as {@link #engine} does. */
  public Instant end() {
    return loaded.use(Loaded::isOver).end;
  }

  /**
   * Of a new connection.
   *
   * @param asksClients whether clients are asked for a certificate, if that is configured
   */
  public SSLEngine engine(boolean asksClients) {
    var engine = loaded.use(Loaded::isOver).context.createSSLEngine();
    var parameters = engine.getSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    parameters.setCipherSuites(SUITES);
    parameters.setUseCipherSuitesOrder(true);
    parameters.setApplicationProtocols(APPLICATIONS);
    var clients = files.clients;
    if (asksClients && clients != null) {
      if (clients.required) {
        parameters.setNeedClientAuth(true);
      } else {
        parameters.setWantClientAuth(true);
      }
    }
    engine.setUseClientMode(false);
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** Takes what has changed, if it can be used. */
  void renew() {
    loaded.renew();
  }

  private static Texts texts(Files files) {
    var key = pem.secretText(files.key);
    var clients = files.clients;
    return new Texts(
        pem.text(files.certificate), key, clients == null ? "" : pem.text(clients.authorities));
  }

  private static Loaded load(Files files, Texts texts) {
    var chain =
        pem.certificates(files.certificate, texts.certificate).toArray(X509Certificate[]::new);
    pem.requireValidNow(files.certificate, chain[0]);
    var key = pem.key(files.key, texts.key, files.certificate, chain[0]);
    var clients = files.clients;
    List<X509Certificate> authorities =
        clients == null ? List.of() : pem.certificates(clients.authorities, texts.authorities);
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(
          PemFiles.keyManagers(key, chain),
          authorities.isEmpty() ? new TrustManager[0] : PemFiles.trustManagers(authorities),
          null);
      context.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
      return new Loaded(context, chain[0].getNotAfter().toInstant());
    } catch (GeneralSecurityException | IOException e) {
      throw pem.unusable(files.certificate, "cannot be used: " + e);
    }
  }
}
