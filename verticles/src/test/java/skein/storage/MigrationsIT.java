package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.LocalDate;
import java.util.stream.IntStream;
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
