package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.LocalDate;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestDatabase.class)
class MigrationsIT {
  @Test
  void five_nodes_may_start_at_once_on_an_empty_database() {
    for (int round = 0; round < 5; round++) {
      var database = TestDatabase.empty();
      var runs = IntStream.range(0, 5).mapToObj(_ -> new Migrations(database).run()).toList();

      var found = Future.all(runs).await().<Integer>list();

      assertThat(found).containsOnlyOnce(0).contains(Migrations.NEWEST);
      assertThat(versions(database)).isEqualTo(Migrations.NEWEST);
    }
  }

  @Test
  void a_newer_schema_is_refused_and_left_alone(Database database) {
    database.run("age", "insert into schema_version (version) values ($1)", Tuple.of(999)).await();

    assertThatThrownBy(() -> new Migrations(database).run().await())
        .hasMessageContaining("version 999")
        .hasMessageContaining("knows " + Migrations.NEWEST);
  }

  @Test
  void definitions_from_before_version_3_are_found_by_type_name_and_by_what_they_use() {
    var database = TestDatabase.empty();
    atVersion2(database);
    define(database, "kid-v1", "kid", "my kid_flow", USABLE);
    define(database, "plain-v1", "plain", "Plain", "{'root':{'type':'Elsa.Sequence','id':'s'}}");
    define(
        database,
        "user-v1",
        "user",
        null,
        "{'root':{'type':'Elsa.If','id':'i','then':{'type':'Elsa.Sequence','id':'s',"
            + "'activities':[{'type':'MyKidFlow','id':'k'}]}}}");
    define(
        database,
        "other-v1",
        "other",
        null,
        "{'root':{'type':'Old','id':'k','workflowDefinitionId':'kid',"
            + "'workflowDefinitionVersionId':'gone'}}");

    new Migrations(database).run().await();

    var store = new DefinitionStore(database);
    var kid = store.findByType("MyKidFlow", 1).await();
    assertThat(kid).isNotNull();
    assertThat(kid.ref().definitionId()).isEqualTo("kid");
    assertThat(store.findByType("Plain", 1).await()).isNull();
    assertThat(store.users("kid").await()).containsExactly("other-v1", "user-v1");
    assertThat(store.users("plain").await()).isEmpty();
  }

  private static final String USABLE =
      "{'options':{'usableAsActivity':true},'root':{'type':'Elsa.WriteLine','id':'w'}}";

  private static void atVersion2(Database database) {
    database
        .connection(Map.of())
        .compose(connection ->
            connection
                .query("create schema " + database.options().schema())
                .execute()
                .compose(_ -> connection.query(Migrations.script(1)).execute())
                .compose(_ -> connection.query(Migrations.script(2)).execute())
                .compose(_ ->
                    connection
                        .query(
                            """
                            create table schema_version (
                              version int primary key,
                              applied_at timestamptz not null default now()
                            );
                            insert into schema_version (version) values (1), (2)
                            """)
                        .execute())
                .eventually(connection::close))
        .await();
  }

  private static void define(
      Database database, String id, String definitionId, @Nullable String name, String json) {
    database
        .run(
            "define",
            """
            insert into workflow_definitions (id, definition_id, version, name, is_latest,
                is_published, created_at, content)
            values ($1, $2, 1, $3, true, true, now(), $4)
            """,
            Tuple.of(id, definitionId, name, json.replace('\'', '"')))
        .await();
  }

  @Test
  void a_database_with_durable_settings_is_accepted(Database database) {
    new Migrations(database).checkDurability().await();

    assertThat(database.options().schema()).startsWith("test");
  }

  @Test
  void the_journal_has_a_partition_for_each_day_ahead(Database database) {
    var today = LocalDate.of(2031, 5, 1);

    new Migrations(database).prepareJournal(today, 2).await();
    new Migrations(database).prepareJournal(today, 3).await();

    assertThat(
            database
                .run(
                    "count",
                    "select 1 from pg_tables where schemaname = $1 and tablename like 'journal_2031%'",
                    Tuple.of(database.options().schema()))
                .await()
                .size())
        .isEqualTo(4);
  }

  private static long versions(Database database) {
    return database
        .run("count", "select count(*) from schema_version", Tuple.tuple())
        .await()
        .iterator()
        .next()
        .getLong(0);
  }
}
