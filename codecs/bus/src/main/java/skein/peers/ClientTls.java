package skein.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import skein.peers.UnusableTlsException.Use;

/** How clients of HTTPS verify the certificate of a server. */
public final class ClientTls {
  private static final PemFiles pem = new PemFiles(Use.HTTPS);

  private ClientTls() {}

  /**
   * Takes what one of the authorities has signed, and nothing else.
   *
   * @param authorities in PEM
   * @throws UnusableTlsException they cannot be read
   */
  public static SSLContext trusting(Path authorities) {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trustManager(authorities)}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw pem.unusable(authorities, "cannot be used: " + e);
    }
  }

  /**
   * Accepts certificates that one of the authorities has signed, and no others. The file is read
   * once, now; blocks meanwhile.
   *
   * @param authorities in PEM
   * @throws UnusableTlsException they cannot be read
   */
  public static TrustManager trustManager(Path authorities) {
    var known = pem.certificates(authorities, pem.text(authorities));
    try {
      return PemFiles.trustManagers(known)[0];
    } catch (GeneralSecurityException | IOException e) {
      throw pem.unusable(authorities, "cannot be used: " + e);
    }
  }
}
