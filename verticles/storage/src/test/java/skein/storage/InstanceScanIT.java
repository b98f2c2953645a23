package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.codecs.InstanceCodec;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.storage.InstanceScan.Portion;
import skein.storage.InstanceScan.Position;
import skein.storage.InstanceScan.Scanned;

@ExtendWith(TestDatabase.class)
class InstanceScanIT {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00.123456Z");
  private static final InstanceScan.Query UNFINISHED = query("Order", false);

  private static InstanceScan.Query query(String definitionId, boolean finished) {
    return new InstanceScan.Query(definitionId, finished, TenantScope.ALL);
  }

  /** {@code second}: when it was created, counted from the start. */
  private static void insert(Database database, String id, int second, String name) {
    var instance = Samples.instance(id, 1, new Labels(name, null, null));
    insert(database, id, second, "", InstanceCodec.encode(instance));
  }

  private static void insert(
      Database database, String id, int second, String tenant, byte[] state) {
    database
        .run(
            "insert",
            """
            insert into workflow_instances (id, definition_id, definition_version_id, version,
                status, incident_count, created_at, updated_at, revision, state, tenant_id)
            values ($1, 'Order', 'order-1', 1, 'Suspended', 0, $2, now(), 1, $3, $4)
            """,
            Tuple.of(
                id, Database.timestamp(START.plusSeconds(second)), Buffer.buffer(state), tenant))
        .await();
  }

  private static void insertFinished(Database database, int count) {
    database
        .run(
            "insert",
            """
            insert into workflow_instances (id, definition_id, definition_version_id, version,
                status, incident_count, created_at, updated_at, finished_at, revision, state)
            select 'f' || n, 'Order', 'order-1', 1, 'Completed', 0,
                   $2::timestamptz + n * interval '1 millisecond', now(), now(), 1, '\\x00'
              from generate_series(1, $1::int) n
            """,
            Tuple.of(count, Database.timestamp(START.plusSeconds(10))))
        .await();
  }

  private static List<String> ids(Portion portion) {
    return portion.wanted().stream().map(row -> row.position().id().value()).toList();
  }

  private static Future<Portion> here(Callable<Portion> code) {
    try {
      return Future.succeededFuture(code.call());
    } catch (Exception e) {
      return Future.failedFuture(e);
    }
  }

  /** All portions, one after the other. */
  private static List<Portion> all(Database database, InstanceScan.Query query) {
    var scan = new InstanceScan(database);
    var portions = new ArrayList<Portion>();
    @Nullable Position after = null;
    do {
      var portion = scan.next(query, after, InstanceScanIT::here).await();
      portions.add(portion);
      after = portion.end();
    } while (after != null);
    return portions;
  }

  @Test
  void instances_come_the_newest_first_and_each_once(Database database) {
    int count = InstanceScan.STATES_MAX + 5;
    for (int i = 0; i < count; i++) {
      insert(database, "i%03d".formatted(i), i / 50, "small"); // Fifty have the same time.
    }

    var portions = all(database, UNFINISHED);

    assertThat(portions).extracting(portion -> portion.wanted().size()).containsExactly(100, 5);
    var found = portions.stream().flatMap(portion -> ids(portion).stream()).toList();
    assertThat(found).doesNotHaveDuplicates().hasSize(count).startsWith("i104", "i103");
    assertThat(found).endsWith("i001", "i000");
    var newest = portions.getFirst().wanted().getFirst();
    assertThat(newest)
        .isEqualTo(
            new Scanned(
                new Position(START.plusSeconds(2), new InstanceId("i104")),
                Samples.instance("i104", 1, new Labels("small", null, null))));
    assertThat(new InstanceScan(database).total(UNFINISHED).await())
        .isEqualTo(new InstanceScan.Total(count, true));
    assertThat(all(database, query("Other", false))).containsExactly(new Portion(List.of(), null));
  }

  @Test
  void those_that_have_ended_are_passed_over_many_at_a_time(Database database) {
    insert(database, "old", 1, "small");
    insertFinished(database, InstanceScan.ROWS_MAX + 20);
    insert(database, "new", 20, "small");

    var portions = all(database, UNFINISHED);

    assertThat(portions)
        .extracting(InstanceScanIT::ids)
        .containsExactly(List.of("new"), List.of("old"));
    assertThat(portions.getFirst().end())
        .isEqualTo(new Position(START.plusSeconds(10).plusMillis(22), new InstanceId("f22")));
    assertThat(new InstanceScan(database).total(UNFINISHED).await().count()).isEqualTo(2);
    assertThat(new InstanceScan(database).total(query("Order", true)).await().count())
        .isEqualTo(InstanceScan.ROWS_MAX + 22);
  }

  @Test
  void large_states_end_a_portion_and_one_alone_is_read_whatever_its_size(Database database) {
    insert(database, "small", 4, "small");
    insert(database, "large", 3, incompressible(InstanceScan.BYTES_MAX));
    insert(database, "after", 2, "small");

    assertThat(all(database, UNFINISHED))
        .extracting(InstanceScanIT::ids)
        .containsExactly(List.of("small"), List.of("large"), List.of("after"));
  }

  private static String incompressible(int length) {
    var random = new Random(1);
    return random
        .ints(length, 'a', 'z' + 1)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  @Test
  void a_state_that_cannot_be_read_does_not_end_the_scan(Database database) {
    insert(database, "good", 1, "small");
    insert(database, "damaged", 2, "", new byte[] {0});

    var portion = all(database, UNFINISHED).getFirst();

    assertThat(ids(portion)).containsExactly("damaged", "good");
    assertThat(portion.wanted())
        .extracting(row -> row.instance() == null)
        .containsExactly(true, false);
  }

  @Test
  void states_are_decoded_where_the_caller_says(Database database) throws Exception {
    insert(database, "i", 1, "small");
    var decodes = new LinkedBlockingQueue<Callable<Portion>>();
    var answer = Promise.<Portion>promise();

    var portion =
        new InstanceScan(database)
            .next(
                UNFINISHED,
                null,
                code -> {
                  decodes.add(code);
                  return answer.future();
                });

    var decoding = Objects.requireNonNull(decodes.poll(30, TimeUnit.SECONDS));
    assertThat(portion.isComplete()).isFalse();
    answer.complete(decoding.call());
    assertThat(ids(portion.await())).containsExactly("i");
    assertThat(portion.result().wanted().getFirst().instance()).isNotNull();
  }

  @Test
  void a_tenant_sees_its_own_instances_alone(Database database) {
    var state = InstanceCodec.encode(Samples.instance("x", 1));
    insert(database, "theirs", 1, "acme", state);
    insert(database, "ours", 2, "", state);

    assertThat(all(database, new InstanceScan.Query("Order", false, TenantScope.of("acme"))))
        .extracting(InstanceScanIT::ids)
        .containsExactly(List.of("theirs"));
    assertThat(all(database, new InstanceScan.Query("Order", false, TenantScope.of(""))))
        .extracting(InstanceScanIT::ids)
        .containsExactly(List.of("ours"));
    assertThat(ids(all(database, UNFINISHED).getFirst())).containsExactly("ours", "theirs");
  }
}
