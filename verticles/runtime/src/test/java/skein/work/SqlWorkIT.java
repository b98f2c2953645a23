package skein.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import skein.activities.Json;
import skein.activities.WorkResult;
import skein.execution.OneNode;
import skein.model.BookmarkId;
import skein.model.Effect;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;
import skein.storage.TestDatabase;

/** Statements of definitions, on a PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlWorkIT {
  private static final SqlWorkOptions.Reading READING =
      new SqlWorkOptions.Reading(256 << 10, 32 << 20);

  private OneNode node;
  private SqlWorker worker;

  @BeforeAll
  void start() {
    node = new OneNode(TestDatabase.newSchema(), vertx -> List.of(worker(vertx)));
    worker = worker(node.vertx);
    sql(
        "count",
        "create table people (id int primary key, name text, paid numeric(20,2), at timestamptz, more jsonb)");
    sql(
        "count",
        "insert into people values (1, 'Ann', 10.50, '2026-01-01T00:00:00Z', '{\"a\": [1]}')");
    sql("count", "insert into people values (2, 'Bo', 12345678901234567.89, null, null)");
  }

  @AfterAll
  void stop() {
    sql("count", "drop table people");
    node.close();
  }

  private static SqlWorker worker(Vertx vertx) {
    var source = new SqlWorkOptions.Source(TestDatabase.uri(), "", Password.NONE, 2);
    return new SqlWorker(
        vertx,
        new SqlWorkOptions(Map.of("main", source), Duration.ofSeconds(2), 3, 1 << 20, READING));
  }

  private WorkResult perform(String source, String mode, List<String> parts, Object... values) {
    var request =
        Json.members("source", source, "mode", mode, "parts", parts, "values", List.of(values));
    return worker
        .perform(
            new Effect.Work(
                BookmarkId.parse("i1-1"), "sql", request, Duration.ofSeconds(5), "i1:2", 1))
        .await();
  }

  private @Nullable Object sql(String mode, String statement, Object... values) {
    return perform("main", mode, List.of(statement.split("\\?", -1)), values)
        .orFault()
        .get("result");
  }

  private static WorkResult.Failed failed(WorkResult result) {
    assertThat(result).isInstanceOf(WorkResult.Failed.class);
    return (WorkResult.Failed) result;
  }

  private String publish(String id, String type, String input, String text, String more) {
    node.publish(
        """
        {"definitionId":"%s","variables":[{"id":"n","name":"Name","typeName":"String"}],
         "root":{"id":"S","type":"Elsa.Sequence","activities":[
          {"id":"Q","type":"Elsa.%s",
           "connectionString":{"typeName":"String","expression":{"type":"Literal","value":"main"}},
           "%s":{"typeName":"String","expression":{"type":"Sql","value":"%s"}}%s}]}}\
        """
            .formatted(id, type, input, text, more));
    return id;
  }

  @Test
  void rows_are_objects_with_json_values() {
    var rows = (List<?>) sql("rows", "select * from people order by id");

    assertThat(rows).hasSize(2);
    assertThat(Json.object(rows.get(0)))
        .containsEntry("id", 1L)
        .containsEntry("name", "Ann")
        .containsEntry("paid", 10.5)
        .containsEntry("more", Map.of("a", List.of(1L)));
    assertThat(rows.get(0).toString()).contains("at=2026-01-01T00:00");
    assertThat(Json.object(rows.get(1)))
        .containsEntry("paid", "12345678901234567.89")
        .containsEntry("at", null);
  }

  @Test
  void values_are_bound_and_never_become_part_of_the_statement() {
    var evil = "x'; drop table people; --";

    assertThat(sql("rows", "select * from people where name = ?", evil)).isEqualTo(List.of());
    assertThat(sql("value", "select ?::text", evil)).isEqualTo(evil);
    assertThat(sql("value", "select count(*) from people")).isEqualTo(2L);
    assertThat(sql("value", "select ?::jsonb -> 'a'", Map.of("a", 5L))).isEqualTo(5L);
    assertThat(sql("value", "select name from people where id = ?", 99L)).isNull();
  }

  @Test
  void a_command_gives_the_number_of_rows() {
    assertThat(sql("count", "update people set name = ? where id = ?", "Bob", 2L)).isEqualTo(1L);
    assertThat(sql("rows", "update people set name = 'Bo' where id = 2 returning name"))
        .isEqualTo(List.of(Map.of("name", "Bo")));
  }

  @Test
  void failures_have_types() {
    var many = failed(perform("main", "rows", List.of("select generate_series(1, 1000000)")));
    var wrong = failed(perform("main", "rows", List.of("selekt")));
    var unknown = failed(perform("other", "rows", List.of("select 1")));
    var slow = failed(perform("main", "rows", List.of("select pg_sleep(20)")));
    var type = failed(perform("main", "value", List.of("select ", "::uuid"), "text"));

    var large = failed(perform("main", "value", List.of("select repeat('x', 1048577)")));

    assertThat(large.type()).isEqualTo("ResultTooLarge");
    assertThat(large.message()).contains("work.sql.rows-bytes-max");
    assertThat(many.type()).isEqualTo("TooManyRows");
    assertThat(wrong.type()).isEqualTo("SqlFailed");
    assertThat(wrong.passing()).isFalse();
    assertThat(unknown.message()).contains("data-sources.other.url");
    assertThat(slow.passing()).isTrue();
    assertThat(type.type()).isEqualTo("SqlFailed");
    assertThat(type.message()).contains("::text::uuid");
  }

  /** As after a switch-over behind one address, and while the password of the role is replaced. */
  @Test
  void a_standby_and_a_refused_login_pass() {
    var state = "do $$ begin set local transaction_read_only = on; create table t (a int); end $$";
    var nobody = TestDatabase.uri().replace("postgres@", "nobody:x@");
    var refused =
        new SqlWorker(
            node.vertx,
            new SqlWorkOptions(
                Map.of("main", new SqlWorkOptions.Source(nobody, "", Password.NONE, 1)),
                Duration.ofSeconds(2),
                3,
                1 << 20,
                READING));

    var standby = failed(perform("main", "count", List.of(state)));
    var login = failed(refused.perform(order("value", List.of("select 1"))).await());

    assertThat(standby.message()).contains("read-only");
    assertThat(standby.passing()).isTrue();
    assertThat(login.message()).contains("nobody");
    assertThat(login.passing()).isTrue();
  }

  /** Of rows that are too much together no more are asked for than are allowed. */
  @Test
  void rows_are_read_only_until_they_are_too_much() {
    sql("count", "create sequence if not exists asked");
    var wide =
        new SqlWorker(
            node.vertx,
            new SqlWorkOptions(
                Map.of("main", new SqlWorkOptions.Source(TestDatabase.uri(), "", Password.NONE, 1)),
                Duration.ofSeconds(20),
                100_000,
                1 << 20,
                READING));
    var text = "select repeat('x', 100000) as t, nextval('asked') from generate_series(1, 5000)";
    for (var i = 0; i < 3; i++) { // The only connection can be used again each time.
      var result = wide.perform(order("rows", List.of(text))).await();
      assertThat(failed(result).type()).isEqualTo("ResultTooLarge");
    }
    assertThat((Long) sql("value", "select last_value from asked")).isLessThan(3 * 40L);

    var small = "select repeat('x', 10) as t from generate_series(1, 3000)";
    var fitting = wide.perform(order("rows", List.of(small))).await().orFault().get("result");
    assertThat((List<?>) fitting).hasSize(3_000);
  }

  /** A hundred million characters, and rows that are small until many are asked for at once. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          value | select repeat('x', 100000000)
          rows  | select repeat('x', 100000000)
          rows  | select repeat('x', case when n < 600 then 1 else 5000000 end) from generate_series(1, 700) n
          """)
  void rows_that_are_too_large_are_not_taken_in(String mode, String query) {
    var small =
        new SqlWorker(
            node.vertx,
            new SqlWorkOptions(
                Map.of("main", new SqlWorkOptions.Source(TestDatabase.uri(), "", Password.NONE, 1)),
                Duration.ofSeconds(20),
                100_000,
                1 << 20,
                READING));

    var before = connectionOf(small);

    var result = small.perform(order(mode, List.of(query))).await();

    assertThat(failed(result).type()).isEqualTo("ResultTooLarge");
    assertThat(connectionOf(small)).as("the connection was closed").isNotEqualTo(before);
  }

  private static @Nullable Object connectionOf(SqlWorker worker) {
    var asked = order("value", List.of("select pg_backend_pid()"));
    return worker.perform(asked).await().orFault().get("result");
  }

  private static Effect.Work order(String mode, List<String> parts) {
    var request = Json.members("source", "main", "mode", mode, "parts", parts, "values", List.of());
    return new Effect.Work(
        BookmarkId.parse("i1-1"), "sql", request, Duration.ofSeconds(20), "i1:2", 1);
  }

  /** The URL is looked up at each use, and is in no failure, also where the database repeats it. */
  @Test
  void a_secret_may_be_the_url_of_a_database() {
    var secrets = new ConcurrentHashMap<String, String>();
    var uri = TestDatabase.uri().replace("postgres@", "postgres:c4nary-one@");
    secrets.put("billing", uri);
    secrets.put("wrong", "postgresql://c4nary two");
    var bySecret =
        new SqlWorker(
            node.vertx,
            new SqlWorkOptions(Map.of(), Duration.ofSeconds(5), 3, 1 << 20, READING),
            name -> {
              var secret = secrets.get(name);
              if (secret == null) {
                throw new SecretSource.MissingException("there is no such file");
              }
              return secret;
            });

    var one = bySecret.perform(bySecret("billing", "select 1")).await();
    assertThat(one.orFault().get("result")).isEqualTo(1L);
    var echoed =
        failed(bySecret.perform(bySecret("billing", "select 'is c4nary-one'::int")).await());
    assertThat(echoed.type()).isEqualTo("SqlFailed");
    assertThat(echoed.message()).contains("is ***").doesNotContain("c4nary");

    secrets.put("billing", "postgresql://a:c4nary-three@127.0.0.1:1/x");
    var away = failed(bySecret.perform(bySecret("billing", "select 1")).await());
    assertThat(away.type()).isEqualTo("NoConnection");
    var wrong = failed(bySecret.perform(bySecret("wrong", "select 1")).await());
    assertThat(wrong.type()).isEqualTo("SecretUnusable");
    assertThat(away.message() + wrong.message()).doesNotContain("c4nary");
    assertThat(failed(bySecret.perform(bySecret("none", "select 1")).await()).type())
        .isEqualTo("SecretMissing");
  }

  private static Effect.Work bySecret(String secret, String statement) {
    var request =
        Json.members(
            "secret", secret, "mode", "value", "parts", List.of(statement), "values", List.of());
    return new Effect.Work(
        BookmarkId.parse("i1-1"), "sql", request, Duration.ofSeconds(20), "i1:2", 1);
  }

  @Test
  void a_database_that_is_away_passes() {
    var away =
        new SqlWorker(
            node.vertx,
            new SqlWorkOptions(
                Map.of(
                    "main",
                    new SqlWorkOptions.Source(
                        "postgresql://a:b@127.0.0.1:1/x", "", Password.NONE, 1)),
                Duration.ofSeconds(2),
                3,
                1 << 20,
                READING));
    var request = Json.members("source", "main", "mode", "rows", "parts", List.of("select 1"));

    var result =
        away.perform(
                new Effect.Work(
                    BookmarkId.parse("i1-1"), "sql", request, Duration.ofSeconds(5), "k", 1))
            .await();

    assertThat(failed(result).type()).isEqualTo("NoConnection");
    assertThat(result.passing()).isTrue();
  }

  @Test
  void a_definition_queries_with_values_of_the_workflow() {
    var id =
        publish(
            "by-name",
            "SqlQuery",
            "query",
            "select id from people where name = {{Input.who}} and id < @max",
            ",\"parameters\":{\"typeName\":\"Object\",\"expression\":{\"type\":\"Object\",\"value\":\"{\\\"max\\\": 9}\"}}"
                + ",\"results\":{\"memoryReference\":{\"id\":\"found\"}}");

    var done = node.awaitStatus(node.start(id, Map.of("who", "Ann")), WorkflowStatus.Completed);

    assertThat(done.status()).as(done.incidents().toString()).isEqualTo(WorkflowStatus.Completed);
    assertThat(done.output()).containsEntry("found", List.of(Map.of("id", 1L)));
  }

  /** As Elsa writes it; under the name that it had here; as designers stored it; as plain text. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'command':{'typeName':'String','expression':{'type':'Sql','value':'%s'}}",
        "'query':{'typeName':'String','expression':{'type':'Sql','value':'%s'}}",
        "'query':{'typeName':'String','expression':{'type':'Literal','value':'%s'}}",
        "'Query':'%s'",
        "'command':'%s'",
        "'command':{'typeName':'String','expression':{'type':'Liquid','value':'%s'}}"
      })
  void a_statement_is_found_however_a_definition_has_it(String member) {
    node.publish(
        """
        {"definitionId":"single","root":{"id":"Q","type":"Elsa.SqlSingleValue",
         "connectionString":{"expression":{"type":"Literal","value":"main"}},
         "result":{"memoryReference":{"id":"found"}},%s}}\
        """
            .formatted(
                member.replace('\'', '"').formatted("select name from people where id = 1")));

    var done = node.awaitStatus(node.start("single"), WorkflowStatus.Completed);

    assertThat(done.status()).as(done.incidents().toString()).isEqualTo(WorkflowStatus.Completed);
    assertThat(done.output()).containsEntry("found", "Ann");
  }

  @Test
  void a_connection_string_in_a_definition_is_refused_at_publish() {
    var statement = new ArrayList<>(List.of("select '{{Input.x}}'", "select {{Nothing}}"));

    assertThatThrownBy(() -> publish("p", "SqlSingleValue", "command", statement.get(0), ""))
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.errors().toString()).contains("take the quotes away"));
    assertThatThrownBy(() -> publish("p", "SqlSingleValue", "command", statement.get(1), ""))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.errors().toString()).contains("is not known"));
    assertThatThrownBy(() ->
            node.publish(
                """
                {"definitionId":"p","root":{"id":"Q","type":"Elsa.SqlCommand",
                 "connectionString":{"expression":{"type":"Literal","value":"Server=db;Password=x"}},
                 "command":{"expression":{"type":"Sql","value":"select 1"}}}}\
                """))
        .isInstanceOfSatisfying(
            SkeinException.class,
            e ->
                assertThat(e.errors().toString())
                    .contains("name of a data source")
                    .doesNotContain("Password"));
  }
}
