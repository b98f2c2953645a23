package skein.node.config;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * How connections to the database are encrypted.
 *
 * @param mode disable, allow, prefer, require, verify-ca or verify-full, as libpq has them
 * @param rootCertificate path of a PEM file with the authorities that are trusted; empty: those of
 *     the JVM
 */
public record DatabaseTls(String mode, String rootCertificate) {
  /** As options of a URI. */
  String query() {
    return "sslmode="
        + mode
        + (rootCertificate.isEmpty()
            ? ""
            : "&sslrootcert=" + URLEncoder.encode(rootCertificate, StandardCharsets.UTF_8));
  }
}
