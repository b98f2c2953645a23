package skein.postgres;

import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code postgresql://user@host:port/database?sslmode=…&sslrootcert=…}, with the modes of
 * libpq: {@code disable} (the default), {@code allow}, {@code prefer} and {@code require}, which
 * encrypt and trust every server; {@code verify-ca}, which demands a certificate of an authority
 * that is trusted; {@code verify-full}, which demands the name of the host in it, too. Trusted are
 * the authorities in the PEM file {@code sslrootcert}, without it those of the JVM. With that file
 * {@code require} means {@code verify-ca}, as in libpq.
 */
public final class PostgresUri {
  private static final String ROOT = "sslrootcert";

  private PostgresUri() {}

  /**
   * The URI without the root certificate, which the client would pass on to the server.
   *
   * @param root path of a PEM file; null: none is named
   */
  private record Parts(String uri, @Nullable String root) {
    static Parts of(String uri) {
      int query = uri.indexOf('?');
      if (query < 0) {
        return new Parts(uri, null);
      }
      String root = null;
      var others = new ArrayList<String>();
      for (var option : uri.substring(query + 1).split("&", -1)) {
        if (option.startsWith(ROOT + "=")) {
          var value = option.substring(ROOT.length() + 1);
          root = URLDecoder.decode(value, StandardCharsets.UTF_8);
        } else {
          others.add(option);
        }
      }
      var rest = String.join("&", others);
      return new Parts(uri.substring(0, query) + (rest.isEmpty() ? "" : "?" + rest), root);
    }
  }

  /**
   * What the client connects with, for each host of {@code postgresql://a:5432,b:5433/database}, in
   * their order.
   *
   * @throws IllegalArgumentException as {@link #connectOptions}
   */
  public static List<PgConnectOptions> servers(String uri) {
    int scheme = uri.indexOf("://");
    int begin = scheme < 0 ? 0 : scheme + "://".length();
    int end = begin;
    while (end < uri.length() && uri.charAt(end) != '/' && uri.charAt(end) != '?') {
      end++;
    }
    int hosts = Math.max(begin, uri.lastIndexOf('@', end - 1) + 1);
    var before = uri.substring(0, hosts);
    var after = uri.substring(end);
    return Arrays.stream(uri.substring(hosts, end).split(",", -1))
        .map(host -> connectOptions(before + host + after))
        .toList();
  }

  /**
   * What the client connects with; one host.
   *
   * @throws IllegalArgumentException when the URI is none, or has a mode that is unknown
   */
  public static PgConnectOptions connectOptions(String uri) {
    var parts = Parts.of(uri);
    var connect = PgConnectOptions.fromUri(parts.uri());
    if (connect.getSslMode() == SslMode.REQUIRE && parts.root() != null) {
      connect.setSslMode(SslMode.VERIFY_CA);
    }
    var tls = new ClientSSLOptions();
    switch (connect.getSslMode()) {
      case DISABLE -> {
        return connect;
      }
      case ALLOW, PREFER, REQUIRE -> tls.setTrustAll(true).setHostnameVerificationAlgorithm("");
      case VERIFY_CA ->
          tls.setTrustOptions(trusted(parts.root())).setHostnameVerificationAlgorithm("");
      case VERIFY_FULL ->
          tls.setTrustOptions(trusted(parts.root())).setHostnameVerificationAlgorithm("HTTPS");
    }
    return connect.setSslOptions(tls);
  }

  private static TrustOptions trusted(@Nullable String root) {
    return root == null ? TrustOptions.wrap(ofTheJvm()) : new PemTrustOptions().addCertPath(root);
  }

  private static X509TrustManager ofTheJvm() {
    try {
      var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init((KeyStore) null);
      return Arrays.stream(factory.getTrustManagers())
          .filter(X509TrustManager.class::isInstance)
          .map(X509TrustManager.class::cast)
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("The JVM trusts no authorities"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The authorities that the JVM trusts cannot be read", e);
    }
  }
}
