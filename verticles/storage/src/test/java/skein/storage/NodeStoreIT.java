package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.storage.NodeStore.Me;

@ExtendWith(TestDatabase.class)
class NodeStoreIT {
  private static final Duration LATELY = Duration.ofMinutes(10);

  @Test
  void the_oldest_and_the_newest_node_are_seen_in_every_cluster(Database database) {
    var store = new NodeStore(database);
    store.look(me("a", "here", 3), LATELY, null).await();
    store.look(me("b", "beside", 2), LATELY, null).await();

    var seen = store.look(me("c", "here", 4), LATELY, null).await();

    assertThat(seen.oldestRead()).isEqualTo(2);
    assertThat(seen.newestRead()).isEqualTo(4);
    assertThat(seen.changed()).isEmpty();
  }

  @Test
  void a_node_that_was_not_there_lately_is_forgotten(Database database) {
    var store = new NodeStore(database);
    store.look(me("old", "here", 1), LATELY, null).await();
    database
        .run("age", "update nodes set seen_at = seen_at - interval '11 minutes'", Tuple.tuple())
        .await();
    var me = me("new", "here", 2);
    store.look(me, LATELY, null).await();

    var seen = store.look(me, LATELY, null).await();

    assertThat(seen.oldestRead()).isEqualTo(2);
    assertThat(rows(database, "select 1 from nodes")).isEqualTo(1);
  }

  @Test
  void every_change_of_a_definition_is_reported_once_it_is_committed(Database database) {
    var store = new NodeStore(database);
    var me = me("a", "here", 2);
    define(database, "before");
    var first = store.look(me, LATELY, null).await();

    define(database, "made");
    database
        .run("delete", "delete from workflow_definitions where id = 'before'", Tuple.tuple())
        .await();
    var second = store.look(me, LATELY, first.place()).await();
    var third = store.look(me, LATELY, second.place()).await();

    assertThat(second.changed()).contains("made", "before");
    assertThat(third.changed()).isEmpty();
  }

  @Test
  void the_activities_of_other_nodes_are_known_while_they_may_come_back(Database database) {
    var store = new NodeStore(database);
    store
        .look(new Me("a", "n1", "here", 2, 8, Set.of("Acme.One", "Acme.Two")), LATELY, null)
        .await();
    store.look(new Me("b", "n2", "here", 2, 8, Set.of("Acme.Two")), LATELY, null).await();
    var me = new Me("c", "n3", "here", 2, 8, Set.of("Acme.Mine"));
    store.look(me, LATELY, null).await();

    var seen = store.look(me, LATELY, null).await();
    database
        .run("age", "update nodes set seen_at = seen_at - interval '11 minutes'", Tuple.tuple())
        .await();

    assertThat(seen.activities()).containsExactlyInAnyOrder("Acme.One", "Acme.Two");
    assertThat(store.look(me, LATELY, null).await().activities()).isEmpty();
  }

  private static Me me(String id, String cluster, int format) {
    return new Me(id, id, cluster, format, 8, Set.of());
  }

  private static void define(Database database, String id) {
    database
        .run(
            "define",
            """
            insert into workflow_definitions (id, definition_id, version, is_latest, is_published,
                created_at, content)
            values ($1, $1, 1, true, true, now(), '{}')
            """,
            Tuple.of(id))
        .await();
  }

  private static int rows(Database database, String sql) {
    return database.run("count", sql, Tuple.tuple()).await().size();
  }
}
