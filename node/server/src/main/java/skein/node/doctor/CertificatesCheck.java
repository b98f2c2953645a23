package skein.node.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import skein.node.config.NodeConfig;
import skein.node.config.SecurityConfig.Mode;

/** When the certificates expire that a node presents or trusts. */
final class CertificatesCheck {
  static final Duration SOON = Duration.ofDays(30);

  private final NodeConfig config;
  private final Clock clock;

  CertificatesCheck(NodeConfig config, Clock clock) {
    this.config = config;
    this.clock = clock;
  }

  List<Diagnosis> all() {
    var found = new ArrayList<Diagnosis>();
    var tls = config.cluster().peers().tls();
    if (tls != null) {
      found.addAll(check("cluster.tls-certificate-file", tls.certificate()));
      found.addAll(check("cluster.tls-ca-file", tls.authorities()));
    }
    var https = config.http().tls();
    if (https != null) {
      found.addAll(check("http.tls-certificate-file", https.files().certificate()));
      var clients = https.files().clients();
      if (clients != null) {
        found.addAll(check("http.tls-client-ca-file", clients.authorities()));
      }
    }
    var root = config.database().tls().rootCertificate();
    if (!root.isEmpty()) {
      found.addAll(check("sslrootcert of database.url", Path.of(root)));
    }
    if (config.security().mode() == Mode.AUTHENTICATED) {
      for (var provider : config.security().providers()) {
        var caFile = provider.connection().caFile();
        if (caFile != null) {
          found.addAll(check(provider.setting("ca-file"), caFile));
        }
      }
    }
    return found;
  }

  private List<Diagnosis> check(String setting, Path file) {
    try (var in = Files.newInputStream(file)) {
      var found = new ArrayList<Diagnosis>();
      for (var each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        if (each instanceof X509Certificate certificate) {
          found.add(check(setting, file, certificate));
        }
      }
      return found.isEmpty() ? List.of(unreadable(setting, file, "holds no certificate")) : found;
    } catch (IOException | CertificateException e) {
      return List.of(unreadable(setting, file, "cannot be read: " + e.getMessage()));
    }
  }

  private static Diagnosis unreadable(String setting, Path file, String why) {
    return Diagnosis.failed(
        "certificate",
        file + " " + why,
        "give a file in PEM as " + setting + ", readable by the node's user");
  }

  /** Authorities of OpenID providers are read at the start alone. */
  private static String whenRead(String setting) {
    return setting.startsWith("security.")
        ? "; then restart the nodes"
        : "; nodes read it again by themselves";
  }

  private Diagnosis check(String setting, Path file, X509Certificate certificate) {
    var end = certificate.getNotAfter().toInstant();
    var left = Duration.between(clock.instant(), end);
    var finding = file + " of " + certificate.getSubjectX500Principal();
    if (left.isNegative()) {
      return Diagnosis.failed(
          "certificate",
          finding + " has expired at " + end,
          "issue a new one and replace the file of " + setting + whenRead(setting));
    }
    if (clock.instant().isBefore(certificate.getNotBefore().toInstant())) {
      return Diagnosis.failed(
          "certificate",
          finding + " is not valid before " + certificate.getNotBefore().toInstant(),
          "correct the clock of this machine, or issue a new one");
    }
    return left.compareTo(SOON) < 0
        ? Diagnosis.warning(
            "certificate",
            finding + " expires in " + left.toDays() + " days, at " + end,
            "issue a new one and replace the file of " + setting + " before")
        : Diagnosis.ok("certificate", finding + " is valid until " + end);
  }
}
