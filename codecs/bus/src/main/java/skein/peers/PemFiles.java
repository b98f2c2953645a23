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
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import skein.peers.UnusableTlsException.Use;

/** Certificates and keys in files of PEM; whatever is wrong with one is said of its file. */
final class PemFiles {
  private static final int FILE_BYTES_MAX = 262_144;
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  private final Use use;

  PemFiles(Use use) {
    this.use = use;
  }

  UnusableTlsException unusable(Path file, String why) {
    return new UnusableTlsException(use, file, why);
  }

  String text(Path file) {
    try {
      var bytes = PrivateFile.bytes(file, FILE_BYTES_MAX);
      if (bytes == null) {
        throw unusable(file, "is longer than " + FILE_BYTES_MAX + " bytes");
      }
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw unusable(file, "cannot be read: " + e);
    }
  }

  /** The text of a file with a secret, which only its owner and group may read. */
  String secretText(Path file) {
    try {
      if (!PrivateFile.isPrivate(file)) {
        throw unusable(file, PrivateFile.OPEN);
      }
    } catch (IOException e) {
      throw unusable(file, "cannot be read: " + e);
    }
    return text(file);
  }

  /** One or more, in their order. */
  List<X509Certificate> certificates(Path file, String pem) {
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
      throw unusable(file, "holds no certificate in PEM: " + e.getMessage());
    }
    throw unusable(file, "holds no certificate in PEM");
  }

  void requireValidNow(Path file, X509Certificate certificate) {
    var now = Instant.now();
    var begin = certificate.getNotBefore().toInstant();
    var end = certificate.getNotAfter().toInstant();
    if (now.isAfter(end)) {
      throw unusable(file, "has expired: it was valid until " + end);
    }
    if (now.isBefore(begin)) {
      throw unusable(file, "is valid only from " + begin + "; this machine's clock says " + now);
    }
  }

  /** {@code from}: the file of the certificate. */
  PrivateKey key(Path file, String pem, Path from, X509Certificate certificate) {
    var found = KEY.matcher(pem);
    if (!found.find()) {
      throw unusable(
          file,
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
    throw unusable(file, "is not the key of the certificate in " + from);
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

  static KeyManager[] keyManagers(PrivateKey key, X509Certificate[] chain)
      throws GeneralSecurityException, IOException {
    var keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry("node", key, new char[0], chain);
    var managers = KeyManagerFactory.getInstance("SunX509");
    managers.init(keys, new char[0]);
    return managers.getKeyManagers();
  }

  static TrustManager[] trustManagers(List<X509Certificate> authorities)
      throws GeneralSecurityException, IOException {
    var trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    int number = 0;
    for (var authority : authorities) {
      trust.setCertificateEntry("ca" + number++, authority);
    }
    var managers = TrustManagerFactory.getInstance("PKIX");
    managers.init(trust);
    return managers.getTrustManagers();
  }
}
