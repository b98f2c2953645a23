package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;
import skein.node.dev.Ports;
import skein.node.doctor.Diagnosis;
import skein.node.doctor.Diagnosis.Grade;
import skein.node.doctor.Doctor;
import skein.peers.TestCertificates;

/** {@code skein doctor} on set-ups that are broken, one way each. */
@ExtendWith(TestClusters.class)
@Tag("long")
class DoctorIT {
  @TempDir Path folder;

  /** Of a node that would start on this database. */
  private static Map<String, String> sound(TestPostgres postgres) {
    var ports = Ports.free(3);
    var settings = new LinkedHashMap<String, String>();
    settings.put("database.url", postgres.uri());
    settings.put("database.password", postgres.password());
    settings.put("database.schema", "doctor");
    settings.put("http.host", "127.0.0.1");
    settings.put("http.port", ports.get(0).toString());
    settings.put("cluster.host", "127.0.0.1");
    settings.put("cluster.port", ports.get(1).toString());
    settings.put("cluster.bus-port", ports.get(2).toString());
    return settings;
  }

  private static List<Diagnosis> examine(Map<String, String> settings) {
    return new Doctor(
            () -> NodeConfig.from(new Settings(null, Map.of(), settings)),
            Node::probeDatabase,
            Clock.systemUTC())
        .examine();
  }

  /** What is wrong when some settings are other than those of a sound node. */
  private static List<Diagnosis> wrong(TestPostgres postgres, String... namesAndValues) {
    var settings = sound(postgres);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      settings.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return examine(settings).stream().filter(found -> found.grade() == Grade.FAILED).toList();
  }

  private static void assertOnly(List<Diagnosis> wrong, String check, String finding, String cure) {
    assertThat(wrong).extracting(Diagnosis::check).containsExactly(check);
    assertThat(wrong.getFirst().finding()).contains(finding);
    assertThat(wrong.getFirst().cure()).contains(cure);
  }

  private String file(String name, String text, String permissions) throws Exception {
    var file = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    return file.toString();
  }

  @Test
  void a_sound_set_up_has_nothing_wrong(TestPostgres postgres) {
    var found = examine(sound(postgres));

    assertThat(found).filteredOn(each -> each.grade() == Grade.FAILED).isEmpty();
    assertThat(found)
        .extracting(Diagnosis::check)
        .contains("java", "database", "rights", "durability", "clock", "members", "disk");
  }

  @Test
  void a_database_that_is_not_there(TestPostgres postgres) {
    var nowhere = "postgresql://127.0.0.1:" + Ports.free(1).getFirst() + "/elsa";
    assertOnly(
        wrong(postgres, "database.url", nowhere),
        "database",
        "does not answer",
        "start PostgreSQL there");
  }

  @Test
  void a_wrong_password(TestPostgres postgres) {
    assertOnly(
        wrong(postgres, "database.password", "guess"),
        "database",
        "password authentication failed",
        "correct database.user and database.password");
  }

  @Test
  void a_database_that_nobody_has_created(TestPostgres postgres) {
    var other = postgres.uri().replaceFirst("/elsa\\b(?!.*/elsa)", "/nowhere");
    assertOnly(
        wrong(postgres, "database.url", other), "database", "nowhere", "create the database");
  }

  @Test
  void a_role_without_rights(TestPostgres postgres) {
    try (var sql = new Sql(postgres, "public")) {
      sql.rows("drop role if exists doctor_guest");
      sql.rows("create role doctor_guest login password 'guest'");
    }
    assertOnly(
        wrong(postgres, "database.user", "doctor_guest", "database.password", "guest"),
        "rights",
        "may not make them",
        "GRANT CREATE ON DATABASE elsa TO doctor_guest");
  }

  @Test
  void encryption_that_the_server_does_not_have(TestPostgres postgres) {
    var encrypted = postgres.uri().replaceFirst("\\?.*|$", "?sslmode=require");
    assertOnly(
        wrong(postgres, "database.url", encrypted), "database TLS", "sslmode=require", "ssl = on");
  }

  @Test
  void a_port_that_another_process_has(TestPostgres postgres) throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = Integer.toString(taken.getLocalPort());
      assertOnly(
          wrong(postgres, "http.port", port),
          "port " + port,
          "another process listens",
          "ss -ltnp 'sport = :" + port + "'");
      assertOnly(
          wrong(postgres, "cluster.bus-port", port),
          "port " + port,
          "cluster.bus-port",
          "choose another cluster.bus-port");
    }
  }

  @Test
  void a_password_that_everybody_may_read(TestPostgres postgres) throws Exception {
    var file = file("password", postgres.password(), "rw-r--r--");
    var settings = sound(postgres);
    settings.remove("database.password");
    settings.put("database.password-file", file);
    var wrong = examine(settings).stream().filter(found -> found.grade() == Grade.FAILED).toList();
    assertOnly(wrong, "permissions", "database.password-file", "chmod 600");
  }

  @Test
  void a_secret_of_the_cluster_that_is_not_there_or_open(TestPostgres postgres) throws Exception {
    assertOnly(
        wrong(postgres, "cluster.secret-file", folder.resolve("none").toString()),
        "secrets",
        "does not exist",
        "cluster.secret-file");
    var open = file("open", "a".repeat(64), "rw-rw-rw-");
    assertOnly(
        wrong(postgres, "cluster.secret-file", open), "permissions", open, "chmod 600 " + open);
  }

  @Test
  void a_certificate_that_has_expired(TestPostgres postgres) {
    var files = new TestCertificates(folder, "authority").expired("n1");
    var wrong =
        wrong(
            postgres,
            "cluster.tls",
            "true",
            "cluster.tls-certificate-file",
            files.certificate().toString(),
            "cluster.tls-key-file",
            files.key().toString(),
            "cluster.tls-ca-file",
            files.authorities().toString());
    assertOnly(wrong, "certificate", "has expired", "cluster.tls-certificate-file");
  }

  private static List<Diagnosis> withProvider(TestPostgres postgres, String mode, Path caFile) {
    return wrong(
        postgres,
        "security.mode",
        mode,
        "security.oidc.issuer",
        "https://id.example.com",
        "security.oidc.audience",
        "skein",
        "security.oidc.ca-file",
        caFile.toString());
  }

  @Test
  void an_authority_of_an_openid_provider_that_has_expired(TestPostgres postgres) {
    var expired = new TestCertificates(folder, "authority").expired("provider").certificate();

    assertThat(withProvider(postgres, "loopback", expired)).isEmpty(); // it is not read
    assertOnly(
        withProvider(postgres, "authenticated", expired),
        "certificate",
        "has expired",
        "replace the file of security.oidc.ca-file; then restart the nodes");
  }

  @Test
  void a_member_whose_name_nobody_knows(TestPostgres postgres) {
    assertOnly(
        wrong(postgres, "cluster.members", "nowhere.invalid:5701"),
        "members",
        "nowhere.invalid",
        "correct cluster.members");
  }

  @Test
  void a_misspelt_setting(TestPostgres postgres) {
    assertOnly(
        wrong(postgres, "http.prot", "5001"),
        "configuration",
        "did you mean http.port",
        "correct http.prot");
  }

  @Test
  void a_log_that_cannot_be_written(TestPostgres postgres) {
    assertOnly(
        wrong(postgres, "logging.file", folder.resolve("none/skein.log").toString()),
        "log",
        "cannot write into",
        "correct logging.file");
  }
}
