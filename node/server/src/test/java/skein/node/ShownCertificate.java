package skein.node;

import java.io.IOException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** The names in a certificate that a server shows. */
record ShownCertificate(String subject, String issuer) {
  /** That of a new connection to a port of this machine; why there is none as the subject. */
  static ShownCertificate at(int port, SSLContext client) {
    try (var socket = (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.startHandshake();
      var shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return new ShownCertificate(
          shown.getSubjectX500Principal().getName(), shown.getIssuerX500Principal().getName());
    } catch (IOException e) {
      return new ShownCertificate(e.toString(), "");
    }
  }
}
