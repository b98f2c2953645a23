package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import skein.peers.ClusterTls;
import skein.peers.TestCertificates;

/**
 * Certificates, keys and secrets of nodes that have every protection on, each in a file that its
 * owner alone can read. It knows all the texts that must be told by no node.
 */
final class SecuredFiles {
  private static final int RANDOM_BYTES = 32;

  /** A shorter line of a key in PEM could be found by chance. */
  private static final int KEY_CHARS_MIN = 20;

  private final Path folder;
  private final SecureRandom random = new SecureRandom();
  private final List<String> secrets = new ArrayList<>();
  private final List<ClusterTls.Files> peers = new ArrayList<>();

  /** Authorities, each of its own kind of connections. */
  final TestCertificates https;

  final TestCertificates cluster;
  final TestCertificates database;

  /** The certificate of all nodes by HTTPS, and that of the database server. */
  final ClusterTls.Files httpsServer;

  final ClusterTls.Files databaseServer;

  /** Of a program that is known by its certificate. */
  final ClusterTls.Files program;

  final Path ownerPassword;
  final Path databasePassword;
  final Path adminPassword;
  final Path clientSecret;
  final Path payKey;
  private final Path signingKey;
  private final Path clusterSecret;
  private final Path masterKey;

  /** {@code nodes}: how many have a certificate for the ports between nodes. */
  SecuredFiles(Path folder, int nodes) {
    this.folder = folder;
    https = new TestCertificates(folder, "https-ca");
    cluster = new TestCertificates(folder, "cluster-ca");
    database = new TestCertificates(folder, "database-ca");
    httpsServer = certificate(https, "https");
    databaseServer = certificate(database, "database");
    program = certificate(https, "billing");
    for (int i = 1; i <= nodes; i++) {
      peers.add(certificate(cluster, "peer" + i));
    }
    ownerPassword = secret("owner-password");
    databasePassword = secret("database-password");
    adminPassword = secret("admin-password");
    clientSecret = secret("client-secret");
    signingKey = secret("signing-key");
    clusterSecret = secret("cluster-secret");
    masterKey = write("master-key", Base64.getEncoder().encodeToString(randomBytes()));
    payKey = secret("secrets/pay");
  }

  private ClusterTls.Files certificate(TestCertificates authority, String name) {
    var files = authority.of(name);
    text(files.key())
        .lines()
        .filter(line -> !line.startsWith("-----") && line.length() >= KEY_CHARS_MIN)
        .forEach(secrets::add);
    return files;
  }

  private byte[] randomBytes() {
    var bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    return bytes;
  }

  private Path secret(String name) {
    return write(name, HexFormat.of().formatHex(randomBytes()));
  }

  /** {@code secret}: is remembered as one. */
  Path write(String name, String secret) {
    var file = folder.resolve(name);
    try {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.writeString(file, secret + "\n");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    secrets.add(secret);
    return file;
  }

  /** The secret in a file. */
  static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Another text that must not be told. */
  void alsoSecret(String text) {
    secrets.add(text);
  }

  /** All that must be told by no node. */
  List<String> secrets() {
    return List.copyOf(secrets);
  }

  /** The settings of one node, {@code 0} the first, that are not secret. */
  Map<String, String> settingsOfNode(int node) {
    return Map.of("cluster.tls-certificate-file", peers.get(node).certificate().toString());
  }

  /** The variables by which one node finds its secrets, none of which is in a variable itself. */
  Map<String, String> environmentOfNode(int node) {
    return Map.of(
        "SKEIN_DATABASE_PASSWORD_FILE", databasePassword.toString(),
        "SKEIN_HTTP_TLS_KEY_FILE", httpsServer.key().toString(),
        "SKEIN_CLUSTER_TLS_KEY_FILE", peers.get(node).key().toString(),
        "SKEIN_CLUSTER_SECRET_FILE", clusterSecret.toString(),
        "SKEIN_SECURITY_ADMIN_PASSWORD_FILE", adminPassword.toString(),
        "SKEIN_SECURITY_SIGNING_KEY_FILE", signingKey.toString(),
        "SKEIN_SECURITY_OIDC_CLIENT_SECRET_FILE", clientSecret.toString(),
        "SKEIN_SECRETS_FOLDER", folder.resolve("secrets").toString(),
        "SKEIN_ENCRYPTION_MASTER_KEY_FILE", masterKey.toString());
  }
}
