package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import skein.codecs.JsonLimits;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.storage.ExecutionStore.Stats;
import skein.storage.TenantScope;

class HubFeedTest {
  private static final InstanceId ID = new InstanceId("i1");

  private final AtomicLong nanos = new AtomicLong();
  private double random;
  private final Reads reads = new Reads();
  private final HubFeed feed = new HubFeed(reads, HubOptions.DEFAULT, nanos::get, () -> random);

  private static final class Reads implements HubFeed.Reads {
    private final Map<InstanceId, Long> revisions = new HashMap<>();
    private boolean away;
    private final List<Integer> asked = new ArrayList<>();
    private final List<Promise<List<Stats>>> counts = new ArrayList<>();

    @Override
    public Future<Map<InstanceId, Long>> revisions(Collection<InstanceId> ids) {
      asked.add(ids.size());
      if (away) {
        return Future.failedFuture("away");
      }
      var found = new HashMap<>(revisions);
      found.keySet().retainAll(ids);
      return Future.succeededFuture(found);
    }

    @Override
    public Future<List<Stats>> statistics(InstanceId id) {
      Promise<List<Stats>> promise = Promise.promise();
      counts.add(promise);
      return promise.future();
    }
  }

  private final List<String> sent = new ArrayList<>();

  private HubSession observer() {
    var link =
        new HubLink() {
          @Override
          public boolean isReady() {
            return true;
          }

          @Override
          public boolean isFull() {
            return false;
          }

          @Override
          public void write(String records) {
            sent.add(records);
          }

          @Override
          public void end(Ending why) {}
        };
    var session =
        new HubSession(
            atOnce(),
            TenantScope.ALL,
            link,
            feed,
            HubOptions.DEFAULT,
            JsonLimits.DEFAULT,
            nanos::get);
    session.received("{\"protocol\":\"json\",\"version\":1}\u001e");
    sent.clear();
    return session;
  }

  private static Context atOnce() {
    return (Context)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (_, method, arguments) -> {
              if (method.getName().equals("runOnContext")
                  && arguments[0] instanceof Handler<?> handler) {
                handler.handle(null);
              }
              return null;
            });
  }

  private HubSession observing(InstanceId id, long revision) {
    reads.revisions.put(id, revision);
    var session = observer();
    assertThat(feed.begin(session, id).succeeded()).isTrue();
    return session;
  }

  @Test
  void all_observed_instances_are_read_by_one_statement_and_none_while_nobody_observes() {
    feed.look();
    assertThat(reads.asked).isEmpty();

    var sessions = new ArrayList<HubSession>();
    for (int i = 0; i < 100; i++) {
      sessions.add(observing(new InstanceId("i" + i % 50), 1));
    }
    reads.asked.clear();
    feed.look();
    assertThat(reads.asked).containsExactly(50);

    sessions.forEach(HubSession::closed);
    for (int i = 0; i < 50; i++) {
      var id = new InstanceId("i" + i);
      sessions.forEach(session -> feed.end(session, Set.of(id)));
    }
    assertThat(feed.observed()).isZero();
  }

  @Test
  void an_observer_is_told_once_of_each_revision_that_is_seen_and_of_the_end() {
    observing(ID, 1);
    assertThat(changes()).isEqualTo(1);
    feed.look();
    assertThat(changes()).isEqualTo(1);

    reads.revisions.put(ID, 5L);
    feed.look();
    feed.look();
    assertThat(changes()).isEqualTo(2);

    reads.revisions.remove(ID);
    feed.look();
    feed.look();
    assertThat(changes()).isEqualTo(3);
  }

  private long changes() {
    return sent.stream().filter(text -> text.contains("WorkflowInstanceUpdatedAsync")).count();
  }

  private long statistics() {
    return sent.stream().filter(text -> text.contains("ActivityExecutionLogUpdatedAsync")).count();
  }

  @Test
  void activities_are_counted_once_in_an_interval_and_again_when_there_was_a_commit() {
    observing(ID, 1);
    feed.look();
    assertThat(reads.counts).hasSize(1);
    feed.look();
    assertThat(reads.counts).as("while it is under way").hasSize(1);
    reads.counts.getFirst().complete(List.of());
    assertThat(statistics()).isEqualTo(1);

    reads.revisions.put(ID, 2L);
    feed.look();
    feed.look();
    assertThat(reads.counts).as("within the interval").hasSize(1);
    nanos.addAndGet(HubOptions.DEFAULT.statisticsInterval().toNanos());
    feed.look();
    assertThat(reads.counts).hasSize(2);

    nanos.addAndGet(10 * HubOptions.DEFAULT.statisticsInterval().toNanos());
    reads.counts.getLast().fail("away");
    feed.look();
    nanos.addAndGet(HubOptions.DEFAULT.statisticsInterval().toNanos());
    feed.look();
    assertThat(reads.counts).as("soon after a failure").hasSize(2);
    nanos.addAndGet(HubOptions.DEFAULT.statisticsInterval().toNanos());
    feed.look();
    assertThat(reads.counts).as("after a failure").hasSize(3);
  }

  /** How many looks read within so long, one every quarter of a second, as by default. */
  private int readsWithin(Duration time) {
    reads.asked.clear();
    for (long passed = 0; passed < time.toMillis(); passed += 250) {
      nanos.addAndGet(Duration.ofMillis(250).toNanos());
      feed.look();
    }
    return reads.asked.size();
  }

  @Test
  void while_the_database_is_away_looks_come_later_and_later_up_to_a_bound() {
    observing(ID, 1);
    reads.away = true;
    assertThat(readsWithin(Duration.ofMinutes(1)))
        .as("at 0.25, 0.75, 1.75, 3.75, 7.75, 12.75, 17.75 … s")
        .isEqualTo(15);
    assertThat(reads.counts).as("no count while looks fail").isEmpty();

    random = 0.99;
    readsWithin(Duration.ofSeconds(5));
    assertThat(readsWithin(Duration.ofMinutes(1))).as("half of it by chance").isBetween(20, 24);

    random = 0;
    reads.away = false;
    reads.revisions.put(ID, 2L);
    readsWithin(Duration.ofSeconds(5));
    assertThat(changes()).isEqualTo(2);
    assertThat(readsWithin(Duration.ofSeconds(10))).as("as before").isEqualTo(40);
  }

  @Test
  void counts_that_failed_in_an_outage_come_with_the_first_look_after_it() {
    observing(ID, 1);
    for (int i = 0; i < 10; i++) {
      nanos.addAndGet(Duration.ofMinutes(2).toNanos());
      feed.look();
      reads.counts.getLast().fail("away");
    }
    int before = reads.counts.size();
    assertThat(before).isEqualTo(10);
    readsWithin(Duration.ofSeconds(59));
    assertThat(reads.counts).as("a minute at most, as it failed so often").hasSize(before);

    reads.away = true;
    feed.look();
    reads.away = false;
    readsWithin(Duration.ofMillis(500));

    assertThat(reads.counts).hasSize(before + 1);
  }

  @Test
  void counts_that_fail_alone_come_later_and_later_up_to_a_bound() {
    observing(ID, 1);
    feed.look();
    for (int i = 0; i < 100; i++) {
      reads.counts.getLast().tryFail("too slow");
      readsWithin(Duration.ofSeconds(1));
    }
    assertThat(reads.counts).as("at 0, 2, 6, 14, 30, 62 s").hasSize(6);

    readsWithin(Duration.ofSeconds(60));
    assertThat(reads.counts).hasSize(7);
  }

  @Test
  void only_few_counts_are_under_way_at_one_time_and_the_next_follow_at_once() {
    for (int i = 0; i < 10; i++) {
      observing(new InstanceId("i" + i), 1);
    }
    feed.look();
    feed.look();
    assertThat(reads.counts).hasSize(4);

    for (int i = 0; i < reads.counts.size(); i++) {
      reads.counts.get(i).complete(List.of());
    }
    assertThat(reads.counts).hasSize(10);
    assertThat(statistics()).isEqualTo(10);
  }

  @Test
  void an_instance_that_is_not_there_is_not_observed() {
    assertThat(feed.begin(observer(), ID).cause()).isInstanceOf(SkeinException.class);
    assertThat(feed.observed()).isZero();
  }
}
