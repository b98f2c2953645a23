package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What workflows store is encrypted by a cluster, and nothing of it is found in the database. */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
class EncryptionClusterIT {
  private static final String WORD = "canary5e1f";
  private static final int PER_SECOND = 100;
  private static final Duration SEEN_MAX = Duration.ofSeconds(25);
  private static final String SCHEMA = "encrypted";

  @TempDir private static Path folder;

  private final TestPostgres postgres;
  private TestCluster cluster;
  private Sql sql;

  EncryptionClusterIT(TestPostgres postgres) {
    this.postgres = postgres;
  }

  @BeforeAll
  void start() throws IOException {
    write(line('a'));
    var settings =
        Map.of(
            "encryption.enabled", "true",
            "encryption.refresh-interval", "300ms",
            "encryption.settle-time", "3s");
    var key = Map.of("encryption.master-key-file", folder.resolve("master-key").toString());
    var none = Map.of("encryption.enabled", "false");
    cluster = TestClusters.another(postgres, SCHEMA, 3, settings, List.of(key, key, none));
    sql = new Sql(postgres, SCHEMA);
    for (int i = 0; i < 2; i++) {
      cluster.node(i).start();
    }
    for (int i = 0; i < 2; i++) {
      cluster.node(i).awaitReady();
    }
    assertThat(Eventually.isTrue(SEEN_MAX, () -> keysInUse() == 1)).isTrue();
  }

  @AfterAll
  void stop() {
    sql.close();
    cluster.close();
  }

  private long keysInUse() {
    return sql.number("select count(*) from encryption_keys where used_at is not null");
  }

  private static String line(char letter) {
    var bytes = String.valueOf(letter).repeat(32).getBytes(StandardCharsets.UTF_8);
    return Base64.getEncoder().encodeToString(bytes) + "\n";
  }

  /** Whole or not at all, for its owner alone. */
  private static void write(String text) throws IOException {
    var next = Files.writeString(folder.resolve("next"), text);
    Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
    Files.move(next, folder.resolve("master-key"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** In how many rows of which tables it is, in texts and in bytes. */
  private Map<String, Long> rowsWithTheWord() {
    var hex = HexFormat.of().formatHex(WORD.getBytes(StandardCharsets.UTF_8));
    var found = new TreeMap<String, Long>();
    for (var row :
        sql.rows("select tablename::text from pg_tables where schemaname = $1", SCHEMA)) {
      var table = row.getString(0);
      long rows =
          sql.number(
              "select count(*) from \""
                  + table
                  + "\" t"
                  + " where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0",
              WORD,
              hex);
      if (rows > 0) {
        found.put(table, rows);
      }
    }
    return found;
  }

  private static JsonObject definition(String id, String activities) {
    return new JsonObject()
        .put("definitionId", id)
        .put("name", id)
        .put(
            "root",
            new JsonObject()
                .put("type", "Elsa.Sequence")
                .put("version", 1)
                .put("id", "sequence")
                .put("activities", new JsonArray(activities)));
  }

  private static String js(String input, String type, String code) {
    return """
    "%s": {"typeName": "%s", "expression": {"type": "JavaScript", "value": "%s"}}\
    """
        .formatted(input, type, code);
  }

  @Test
  void nothing_of_what_a_workflow_was_told_is_found_in_the_database() {
    var api = cluster.api(0);
    var secret = "getInput('secret')";
    api.publish(
        definition(
            "heard",
            """
            [{"type": "Elsa.Event", "version": 1, "id": "go",
              "eventName": {"typeName": "String", "expression": {"type": "Literal", "value": "Go"}}},
             {"type": "Elsa.Delay", "version": 1, "id": "rest",
              "timeSpan": {"typeName": "TimeSpan", "expression": {"type": "Literal", "value": "01:00:00"}}}]
            """));
    api.publish(Workflows.approval("kid"));
    api.publish(
        definition(
            "told",
            """
            [{"type": "Elsa.WriteLine", "version": 1, "id": "say", %s},
             {"type": "Elsa.PublishEvent", "version": 1, "id": "tell",
              "eventName": {"typeName": "String", "expression": {"type": "Literal", "value": "Go"}}, %s},
             {"type": "Elsa.DispatchWorkflow", "version": 1, "id": "send",
              "workflowDefinitionId": {"typeName": "String", "expression": {"type": "Literal", "value": "kid"}}, %s},
             {"type": "Skein.UserTask", "version": 1, "id": "ask", %s, %s},
             {"type": "Elsa.RunJavaScript", "version": 1, "id": "fail", %s}]
            """
                .formatted(
                    js("text", "String", secret),
                    js("payload", "Object", "({a: " + secret + "})"),
                    js("input", "Object", "({a: " + secret + "})"),
                    js("title", "String", secret),
                    js("data", "Object", "({a: " + secret + "})"),
                    js("script", "String", "throw new Error(" + secret + ")"))));
    var told =
        new JsonObject()
            .put("definitionId", "told")
            .put("input", new JsonObject().put("secret", WORD));
    for (int i = 0; i < 20; i++) {
      api.start("heard");
      var id =
          api.start(told, Map.of("Idempotency-Key", "key-" + i)).orThrow().json().getString("id");
      assertThat(rowsWithTheWord()).isEmpty();
      var result = new JsonObject().put("result", new JsonObject().put("answer", WORD));
      cluster.node(1).http().post("/elsa/api/tasks/" + id + "-1/complete", result).orThrow();
      assertThat(rowsWithTheWord()).isEmpty();
      assertThat(cluster.api(1).instance(id).encode()).contains(WORD);
      assertThat(cluster.api(1).journal(id).toString()).contains(WORD);
    }
    assertThat(
            Eventually.isTrue(
                SEEN_MAX,
                () ->
                    sql.number(
                            "select count(*) from timers where kind in ('Event', 'Resume', 'Child')")
                        == 0))
        .isTrue();
    assertThat(rowsWithTheWord()).isEmpty();
    assertThat(statesOf("kid")).hasSize(20).allMatch(state -> state.contains(WORD));
    assertThat(statesOf("heard")).hasSize(20).allMatch(state -> state.contains("\"rest\""));
  }

  private List<String> statesOf(String definitionId) {
    return sql
        .rows("select id from workflow_instances where definition_id = $1", definitionId)
        .stream()
        .map(row -> cluster.api(1).instance(row.getString(0)).encode())
        .toList();
  }

  @Test
  void keys_are_replaced_under_load_and_nothing_fails() throws IOException {
    cluster.api(0).publish(Workflows.approval("plain"));
    var nodes = cluster.nodes().subList(0, 2).stream().map(ServerProcess::http).toList();
    var load = new CallersLoad(nodes, List.of("plain"), List.of("Bearer nobody"), PER_SECOND);
    try (load) {
      assertThat(Eventually.isTrue(SEEN_MAX, () -> load.answered() > PER_SECOND)).isTrue();
      var first = masterKey();
      write(line('a') + line('b'));
      sleepThroughTwoLooks();
      write(line('b') + line('a'));
      assertThat(Eventually.isTrue(SEEN_MAX, () -> !masterKey().equals(first))).isTrue();
      write(line('b'));
      sleepThroughTwoLooks();
      long used = keysInUse();
      sql.rows("update encryption_keys set made_at = now() - interval '91 days'");
      assertThat(Eventually.isTrue(SEEN_MAX, () -> keysInUse() == used + 1)).isTrue();
      int before = load.answered();
      assertThat(Eventually.isTrue(SEEN_MAX, () -> load.answered() > before + PER_SECOND)).isTrue();
    }

    assertThat(load.failed).isEmpty();
    assertThat(
            sql.number(
                "select count(distinct get_byte(state, 4)) from workflow_instances"
                    + " where definition_id = 'plain'"))
        .isEqualTo(2);
    Measured.say("encryption", "%s starts, none failed", load.answered());

    cluster.node(0).kill();
    cluster.node(1).kill();
    for (int i = 0; i < 2; i++) {
      cluster.node(i).start();
    }
    for (int i = 0; i < 2; i++) {
      cluster.node(i).awaitReady();
    }
    var oldest =
        sql.rows(
                "select id from workflow_instances where definition_id = 'plain'"
                    + " and get_byte(state, 4) = 1 limit 1")
            .getFirst()
            .getString(0);
    cluster.api(1).resume(oldest).orThrow();
  }

  private String masterKey() {
    return sql.rows("select master_key from encryption_keys order by number limit 1")
        .getFirst()
        .getString(0);
  }

  private static void sleepThroughTwoLooks() {
    long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
    Eventually.isTrue(Duration.ofSeconds(3), () -> System.nanoTime() > end);
  }

  @Test
  void a_node_without_the_master_key_does_not_start() {
    var other = cluster.node(2);
    other.start();

    assertThat(other.awaitExit(Duration.ofSeconds(60))).isEqualTo(1);
    assertThat(other.output())
        .anyMatch(line ->
            line.contains("ENCRYPTION_KEY_MISSING") && line.contains("encryption.master-key-file"));
  }

  @Test
  void a_damaged_instance_is_refused_and_the_others_go_on() {
    var api = cluster.api(0);
    api.publish(Workflows.approval("damaged"));
    var bad = api.start("damaged");
    var good = api.start("damaged");
    sql.rows(
        "update workflow_instances set state = set_byte(state, 40, get_byte(state, 40) # 1)"
            + " where id = $1",
        bad);

    for (int i = 0; i < 2; i++) {
      var answer = cluster.node(i).http().get("/elsa/api/workflow-instances/" + bad);
      assertThat(answer.status()).isEqualTo(500);
      assertThat(answer.json().getString("code")).isEqualTo("ENCRYPTED_VALUE_DAMAGED");
    }
    assertThat(api.resume(good).status()).isEqualTo(200);
  }
}
