package skein.http;

import io.vertx.core.http.HttpServerRequest;
import java.security.cert.X509Certificate;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.SSLPeerUnverifiedException;
import skein.identity.Credential;

/** The identity that a client has proved by TLS. */
final class ClientCertificates {
  private static final String COMMON_NAME = "CN";

  private ClientCertificates() {}

  /** Nothing where it has shown no certificate, or one without a name. */
  static Credential of(HttpServerRequest request) {
    var session = request.connection().sslSession();
    try {
      if (session != null && session.getPeerCertificates()[0] instanceof X509Certificate shown) {
        for (var part :
            new LdapName(shown.getSubjectX500Principal().getName()).getRdns().reversed()) {
          if (part.getType().equalsIgnoreCase(COMMON_NAME)
              && part.getValue() instanceof String name) {
            return new Credential.Certificate(name, shown.getNotAfter().toInstant());
          }
        }
      }
    } catch (SSLPeerUnverifiedException | InvalidNameException _) {
      // Not authenticated.
    }
    return new Credential.None();
  }
}
