package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.sqlclient.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.storage.StimulusRows.First;

/** Who waits for a request that fits several path templates. */
class FirstWaitingIT {
  private final Database database = TestDatabase.migrated();
  private final StimulusStore stimuli = new StimulusStore(database);

  @Test
  void the_first_hash_for_which_anybody_waits_is_found_by_one_statement() {
    waiting("a-1", "exact", "c1");
    waiting("b-1", "lesser", "c2");
    waiting("b-2", "lesser", null);
    waiting("b-3", "least", "c2");

    assertThat(first(null, null, "none", "exact", "lesser")).isEqualTo(found(1, "a-1"));
    assertThat(first(null, null, "none", "lesser", "exact")).isEqualTo(found(1, "b-1", "b-2"));
    assertThat(first("c2", null, "exact", "none", "lesser")).isEqualTo(found(2, "b-1"));
    assertThat(first(null, "b", "exact", "least", "lesser")).isEqualTo(found(1, "b-3"));
    assertThat(first("c1", "b", "exact", "least")).isEqualTo(found(0));
    assertThat(first(null, null, "none")).isEqualTo(found(0));
  }

  private First first(@Nullable String correlationId, @Nullable String instance, String... hashes) {
    return stimuli
        .firstWaiting(
            List.of(hashes), correlationId, instance == null ? null : new InstanceId(instance), 2)
        .await();
  }

  private static First found(int place, String... ids) {
    return new First(place, List.of(ids).stream().map(BookmarkId::parse).toList());
  }

  private void waiting(String id, String hash, @Nullable String correlationId) {
    database
        .run(
            "prepare",
            """
            insert into bookmarks (id, workflow_instance_id, name, hash, correlation_id, created_at)
            values ($1, $2, 'Elsa.HttpEndpoint', $3, $4, now())
            """,
            Tuple.of(id, id.substring(0, 1), hash, correlationId))
        .await();
  }
}
