package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of work outside come out nowhere, though those who get them repeat them. */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
class WorkflowSecretsIT {
  private static final String CANARY = "c4nary";
  private static final String MAIL = CANARY + "-of-mail";
  private static final Duration ENDED_MAX = Duration.ofSeconds(30);
  private static final String DEFINITIONS = "/elsa/api/workflow-definitions/";
  private static final String INSTANCES = "/elsa/api/workflow-instances/";

  @TempDir private static Path folder;

  private final TestPostgres postgres;
  private final MailServer mails = new MailServer(true);
  private final PayService pay = new PayService(Set.of());
  private TestCluster cluster;

  WorkflowSecretsIT(TestPostgres postgres) {
    this.postgres = postgres;
  }

  @BeforeAll
  void start() throws IOException {
    write("pay-token", "Bearer " + CANARY + "-of-pay");
    write("pay-key", CANARY + "-of-key");
    write("billing", postgres.uri().replaceFirst("//([^@/]*@)?", "//kim:" + CANARY + "-of-base@"));
    write("mail-password", MAIL);
    cluster =
        TestClusters.another(
            postgres,
            "workflowsecrets",
            1,
            Map.of(
                "logging.level", "debug",
                "secrets.folder", folder.toString(),
                "mail.host", "127.0.0.1",
                "mail.port", Integer.toString(mails.port()),
                "mail.security", "none",
                "mail.user", "kim",
                "mail.from", "skein@example.com",
                "mail.password-file", folder.resolve("mail-password").toString()));
    cluster.startAll();
  }

  private static void write(String name, String text) throws IOException {
    var file = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @AfterAll
  void stop() {
    cluster.close();
    mails.close();
    pay.close();
  }

  @Test
  void what_services_repeat_of_secrets_is_kept_and_shown_nowhere() throws IOException {
    var api = cluster.api(0);
    api.publish(Workflows.secretRequest("pays", pay.url(), "pay-token", "pay-key"));
    api.publish(Workflows.secretQuery("finds", "billing"));
    api.publish(Workflows.reminder("reminds", 0));
    var said = new LinkedHashMap<String, String>();
    for (var definition : List.of("pays", "finds", "reminds")) {
      var id = api.start(definition);
      var ended = Eventually.isTrue(ENDED_MAX, () -> isEnded(api.instance(id)));
      assertThat(ended).as(definition).isTrue();
      said.put(definition, api.http().get(INSTANCES + id).orThrow().body());
      said.put(definition + " journal", api.journal(id).toString());
      said.put(definition + " export", api.http().get(INSTANCES + id + "/export").body());
      said.put(definition + " itself", api.http().get(DEFINITIONS + definition + "/export").body());
      said.put(definition + " bundle", bundle(id));
    }
    said.put("metrics", api.http().get("/metrics").orThrow().body());
    said.put("log", String.join("\n", cluster.node(0).output()));

    assertThat(pay.refused).as("the service got it").contains(CANARY + "-of-key");
    assertThat(said.get("pays journal")).contains("***");
    assertThat(said.get("reminds")).contains("MailRefused", "***");
    assertThat(said.get("finds")).contains("password authentication failed");
    var plain = "\0kim\0" + MAIL;
    var sent = Base64.getEncoder().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
    said.forEach((where, text) ->
        assertThat(text).as(where).isNotEmpty().doesNotContain(CANARY).doesNotContain(sent));
    assertThat(tablesWith(CANARY)).isEmpty();
  }

  private static boolean isEnded(JsonObject instance) {
    return !instance.getString("status").equals("Running")
        || instance.getString("subStatus", "").equals("Faulted");
  }

  private String bundle(String id) throws IOException {
    var zip = folder.resolve(id + ".zip");
    var url = "--url=" + cluster.node(0).http().base();
    int code = Main.commandLine().execute("instance", "bundle", id, "--to", zip.toString(), url);
    assertThat(code).isZero();
    var texts = new ArrayList<String>();
    try (var file = new ZipFile(zip.toFile())) {
      for (var entry : file.stream().toList()) {
        texts.add(new String(file.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return String.join("\n", texts);
  }

  /** As text, or as the bytes of one. */
  private List<String> tablesWith(String text) {
    var sql = cluster.sql();
    var found = new ArrayList<String>();
    sql.rows("select tablename from pg_tables where schemaname = $1", cluster.name())
        .forEach(row -> {
          var table = row.getString(0);
          long rows =
              sql.number(
                  "select count(*) from \"%s\" t where t::text like '%%%s%%' or t::text like '%%' || encode(convert_to('%s', 'UTF8'), 'hex') || '%%'"
                      .formatted(table, text, text));
          if (rows > 0) {
            found.add(table);
          }
        });
    return found;
  }
}
