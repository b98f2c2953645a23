package skein.peers;

import java.security.cert.CertificateException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Why a handshake of TLS failed, as far as the engine reports it.
 *
 * @param isOfCertificate one end does not take the other's
 * @param text continues a sentence about the other end
 */
record TlsFailure(boolean isOfCertificate, String text) {
  private static final int TEXT_MAX = 200;
  private static final Pattern ALERT = Pattern.compile("Received fatal alert: (\\w+)");
  private static final String NONE_SHOWN = "empty client certificate chain";

  static TlsFailure of(Throwable failure) {
    var last = failure;
    boolean isOfCertificate = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      isOfCertificate |= cause instanceof CertificateException;
      last = cause;
    }
    var why = message(last);
    var alert = ALERT.matcher(message(failure));
    if (alert.find()) {
      var name = alert.group(1).toLowerCase(Locale.ROOT);
      return name.contains("certificate") || name.equals("unknown_ca")
          ? new TlsFailure(true, "does not take the certificate of this one (" + name + ")")
          : new TlsFailure(false, "broke off the handshake of TLS (" + name + ")");
    }
    if (why.toLowerCase(Locale.ROOT).contains(NONE_SHOWN)) {
      return new TlsFailure(true, "shows no certificate of an authority that this one takes");
    }
    return isOfCertificate
        ? new TlsFailure(true, "has a certificate that this one does not take (" + why + ")")
        : new TlsFailure(false, "does not speak TLS as nodes do (" + why + ")");
  }

  private static String message(Throwable failure) {
    var message = failure.getMessage();
    var text = message == null ? failure.getClass().getSimpleName() : message;
    return text.length() > TEXT_MAX ? text.substring(0, TEXT_MAX) : text;
  }
}
