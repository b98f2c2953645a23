package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.codecs.InstanceCodec;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.WorkflowInstance;

@ExtendWith(TestDatabase.class)
class InstanceReadsIT {
  private static final int COUNT = 100;
  private static final int LARGE = InstanceReads.bytesMax(COUNT) + 1;

  private static WorkflowInstance instance(int number) {
    var name = number % 25 == 0 ? "x".repeat(LARGE) : "small";
    return Samples.instance("i" + number, 1, new Labels(name, null, null));
  }

  private static void insert(Database database, WorkflowInstance instance) {
    database
        .run(
            "insert",
            """
            insert into workflow_instances (id, definition_id, definition_version_id,
                version, status, incident_count, created_at, updated_at, revision, state)
            values ($1, 'Order', 'order-1', 1, 'Suspended', 0, now(), now(), 1, decode($2, 'hex'))
            """,
            Tuple.of(
                instance.id().value(), HexFormat.of().formatHex(InstanceCodec.encode(instance))))
        .await();
  }

  @Test
  void large_states_are_left_out_of_a_statement_and_read_after_it(Database database, Vertx vertx) {
    IntStream.range(0, COUNT).forEach(number -> insert(database, instance(number)));
    var reads = new InstanceReads(database);
    Promise<List<Future<@Nullable NamedState>>> asked = Promise.promise();

    vertx
        .getOrCreateContext()
        .runOnContext(_ -> {
          var all = new ArrayList<Future<@Nullable NamedState>>();
          for (int number = 0; number <= COUNT; number++) {
            all.add(reads.find(new InstanceId("i" + number)));
          }
          asked.complete(all);
        });

    var found = asked.future().await();
    for (int number = 0; number < COUNT; number++) {
      var state = found.get(number).await();
      assertThat(state == null ? null : state.instance()).isEqualTo(instance(number));
    }
    assertThat(found.getLast().await()).isNull();
  }

  @Test
  void a_statement_reads_states_up_to_a_bound(Database database) {
    insert(database, instance(0));
    insert(database, instance(1));

    var states = new HashMap<String, @Nullable Object>();
    database
        .run(
            "read",
            InstanceReads.FIND,
            Tuple.of(new String[] {"i0", "i1"}, InstanceReads.bytesMax(COUNT)))
        .await()
        .forEach(row -> states.put(row.getString("id"), row.getValue("state")));

    assertThat(states.get("i0")).isNull();
    assertThat(states.get("i1")).isNotNull();
    assertThat(states).containsKey("i0");
  }
}
