package skein.timers;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import skein.bus.MessageCodecs;
import skein.cluster.Cluster;
import skein.cluster.Router;
import skein.messages.Addresses;
import skein.messages.ClusterEvent;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.storage.Database;
import skein.storage.DatabaseClock;
import skein.storage.LeaseStore;
import skein.storage.Migrations;
import skein.storage.PostgresLeaseStore;
import skein.storage.StimulusStore;
import skein.storage.TestDatabase;
import skein.storage.TimerRows;
import skein.storage.TimerShard;
import skein.storage.TimerStore;

/** Pages of 10, 40 timers in memory, 20 under way, 2 of one instance, a look every 100 ms. */
@Tag("alone")
class SchedulerIT {
  private static final TimersOptions OPTIONS = options(10);

  private static TimersOptions options(int batchMax) {
    return new TimersOptions(
        Duration.ofSeconds(3),
        new TimersOptions.Reading(Duration.ofMillis(100), Duration.ofSeconds(3), batchMax),
        new TimersOptions.Firing(
            20,
            Duration.ofMillis(100),
            Duration.ofMillis(400),
            new TimersOptions.Payloads(256 << 10, 50, Duration.ofMillis(20), 3)),
        1,
        Duration.ofSeconds(60));
  }

  private final Vertx vertx = Vertx.vertx();
  private Database database;
  private TimerStore timers;
  private DatabaseClock clock;

  @BeforeEach
  void start() {
    MessageCodecs.register(vertx);
    database = TestDatabase.database(vertx);
    new Migrations(database).run().await();
    timers = new TimerStore(database);
    clock = DatabaseClock.start(database, System::nanoTime).await();
  }

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  @Test
  void of_many_that_are_due_at_one_instant_each_is_fired_once() {
    TimerRows.add(database, "a", 1_000, "timestamptz '2026-01-01 00:00:00Z'");
    var lane = lane(_ -> false);

    deploy("n1");

    lane.awaitConsumed(1_000);
    assertThat(lane.consumed).hasSize(1_000).doesNotHaveDuplicates();
    assertThat(lane.received).hasSize(1_000);
    assertThat(TimerRows.count(database)).isZero();
  }

  @Test
  void what_is_overdue_is_fired_in_the_order_in_which_it_was_due() {
    TimerRows.add(database, "a", 300, "now() - make_interval(secs => n)");
    var lane = lane(_ -> false);

    deploy("n1");

    lane.awaitConsumed(300);
    var oldestFirst = IntStream.iterate(300, n -> n > 0, n -> n - 1).mapToObj(n -> "a" + n);
    assertThat(lane.received).containsExactlyElementsOf(oldestFirst.toList());
  }

  @Test
  void large_payloads_are_read_in_turn_and_a_few_are_in_memory_at_one_time() {
    TimerRows.add(database, "a", 60, "now() - make_interval(secs => n)");
    TimerRows.makeLarge(database, 64_000);
    var lengths = new ConcurrentLinkedQueue<Integer>();
    var lane =
        lane(timer -> {
          lengths.add(timer.payload() instanceof Map<?, ?> map ? text(map).length() : 0);
          return true;
        });

    deploy("n1");

    lane.awaitConsumed(60);
    assertThat(lane.consumed).hasSize(60).doesNotHaveDuplicates();
    assertThat(lengths).hasSize(60).containsOnly(64_000);
    // 256 KiB of 64,000 characters each, and the one that reaches it.
    assertThat(lane.underWayMax()).isBetween(1, 5);
  }

  private static String text(Map<?, ?> payload) {
    return String.valueOf(payload.get("x"));
  }

  @Test
  void timers_of_one_definition_do_not_keep_those_of_others_waiting() {
    TimerRows.add(database, "many", 3_000, "now() - interval '1 hour' + n * interval '1 ms'");
    TimerRows.add(database, "few", 5, "now() - interval '1 minute'");
    TimerRows.makeInstances(database);
    var lane = lane(_ -> true);

    deploy("n1", new PostgresLeaseStore(database, Duration.ofSeconds(1)), options(100));
    lane.awaitConsumed(3_005, Duration.ofMinutes(3));

    assertThat(lane.consumed).hasSize(3_005).doesNotHaveDuplicates();
    var few = lane.received.stream().limit(2_500).filter(id -> id.startsWith("few"));
    assertThat(few).hasSize(5);
    var many = lane.received.stream().filter(id -> id.startsWith("many")).toList();
    assertThat(many).isEqualTo(IntStream.rangeClosed(1, 3_000).mapToObj(n -> "many" + n).toList());
  }

  @Test
  void none_is_fired_before_the_database_says_so() {
    TimerRows.add(database, "a", 100, "clock_timestamp() + n * interval '10 milliseconds'");
    var lane = lane(_ -> false);

    deploy("n1");

    lane.awaitConsumed(100);
    assertThat(lane.consumed).hasSize(100);
    assertThat(lane.notDue).isEmpty();
  }

  @Test
  void what_nobody_nudges_is_found_behind_the_place_that_was_read() {
    TimerRows.add(database, "late", 1, "clock_timestamp() + interval '900 milliseconds'");
    var lane = lane(_ -> false);
    deploy("n1");
    TimerRows.add(database, "first", 1, "clock_timestamp()");
    lane.awaitConsumed(1);

    TimerRows.add(database, "now", 30, "clock_timestamp()");
    TimerRows.add(database, "soon", 30, "clock_timestamp() + interval '200 milliseconds'");
    TimerRows.add(database, "old", 30, "timestamptz '0001-01-01 00:00:00Z'");

    lane.awaitConsumed(92);
    assertThat(lane.consumed).hasSize(92).doesNotHaveDuplicates().contains("late1");
    assertThat(lane.notDue).isEmpty();
  }

  @Test
  void an_earlier_timer_takes_the_place_of_a_later_one_and_both_are_fired() {
    TimerRows.add(database, "later", 200, "clock_timestamp() + interval '8 seconds'");
    var lane = lane(_ -> false);
    deploy("n1");
    TimerRows.add(database, "first", 1, "clock_timestamp()");
    lane.awaitConsumed(1);

    var due = clock.instant().plusMillis(300);
    var nudged = IntStream.range(0, 5).mapToObj(n -> timer("nudged" + n, due)).toList();
    new StimulusStore(database).deliver("", nudged, 0.1).await();
    vertx.eventBus().send(Addresses.timers(0, 1), new ClusterEvent.TimersMade(nudged));

    lane.awaitConsumed(206);
    assertThat(lane.consumed).hasSize(206).doesNotHaveDuplicates();
    assertThat(List.copyOf(lane.consumed).subList(1, 6)).allMatch(id -> id.startsWith("nudged"));
    assertThat(lane.notDue).isEmpty();
  }

  @Test
  void what_is_refused_rests_and_holds_nobody_up() {
    TimerRows.add(database, "bad", 30, "now() - interval '1 hour'");
    TimerRows.add(database, "good", 100, "now()");
    var lane = lane(_ -> false);
    IntStream.rangeClosed(1, 30).forEach(n -> lane.refusals.put("bad" + n, 2));

    deploy("n1");

    lane.awaitConsumed(130);
    assertThat(lane.consumed).hasSize(130).doesNotHaveDuplicates();
    assertThat(List.copyOf(lane.consumed).subList(0, 100)).allMatch(id -> id.startsWith("good"));
    assertThat(lane.received).hasSize(100 + 3 * 30);
  }

  @Test
  void what_fails_in_an_outage_is_not_fired_later_each_time() throws Exception {
    TimerRows.add(database, "a", 1, "now()");
    var lane = lane(_ -> false);
    lane.refusal = ErrorCode.STORAGE_UNAVAILABLE;
    lane.refusals.put("a1", Integer.MAX_VALUE);

    deploy("n1");
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (lane.received.size() < 5 && System.nanoTime() < end) {
      Thread.sleep(10);
    }

    assertThat(lane.received).hasSizeGreaterThanOrEqualTo(5).containsOnly("a1");
    assertThat(TimerRows.count(database)).isEqualTo(1);
    assertThat(TimerRows.attempts(database)).isZero();
  }

  @Test
  void one_instance_does_not_crowd_out_the_others() {
    TimerRows.addOf(database, "one", "crowd", 60, "now() - interval '1 hour'");
    TimerRows.add(database, "other", 60, "now()");
    var lane =
        new FakeLane(
            vertx,
            database,
            timer -> timer.instanceId().value().equals("one"),
            Duration.ofMillis(200));

    deploy("n1");

    lane.awaitConsumed(120);
    assertThat(lane.consumed).hasSize(120).doesNotHaveDuplicates();
    var early = List.copyOf(lane.consumed).subList(0, 80).stream();
    assertThat(early.filter(id -> id.startsWith("other"))).hasSize(60);
  }

  @Test
  void when_the_leader_goes_another_fires_the_rest() {
    TimerRows.add(database, "a", 400, "now()");
    var lane = lane(_ -> true);
    var first = deploy("n1");
    var second = deploy("n2");
    lane.awaitConsumed(100);

    vertx.undeploy(first).await();

    lane.awaitConsumed(400);
    assertThat(lane.consumed.stream().distinct()).hasSize(400);
    assertThat(TimerRows.count(database)).isZero();
    vertx.undeploy(second).await();
  }

  @Test
  void what_is_far_away_is_neither_read_nor_fired() {
    TimerRows.add(database, "far", 1_000, "now() + interval '1 hour'");
    var lane = lane(_ -> false);

    deploy("n1");
    TimerRows.add(database, "now", 1, "clock_timestamp()");

    lane.awaitConsumed(1);
    assertThat(lane.received).containsExactly("now1");
    assertThat(
            timers
                .due(
                    TimerShard.ONLY,
                    OPTIONS.reading().horizon(),
                    IndexCursor.BEGINNING.dueAt(),
                    "",
                    10)
                .await())
        .isEmpty();
  }

  @Test
  void two_who_both_believe_to_lead_fire_each_timer_once_in_effect() {
    TimerRows.add(database, "a", 500, "clock_timestamp() + n * interval '2 milliseconds'");
    var lane = lane(_ -> false);

    deploy("n1", new Credulous());
    deploy("n2", new Credulous());

    lane.awaitConsumed(500);
    assertThat(lane.consumed).hasSize(500).doesNotHaveDuplicates();
    assertThat(lane.received).hasSizeGreaterThan(500);
    assertThat(TimerRows.count(database)).isZero();
  }

  @Test
  void a_leader_whose_renewals_are_not_answered_fires_nothing_after_its_deadline() {
    var leases = new Credulous();
    var lane = lane(_ -> false);
    deploy("n1", leases);
    TimerRows.add(database, "before", 20, "clock_timestamp()");
    lane.awaitConsumed(20);

    leases.silentSince = System.nanoTime();
    vertx.timer(2_200).await(); // two thirds of three seconds, and a little
    int received = lane.received.size();
    TimerRows.add(database, "after", 50, "clock_timestamp() + n * interval '10 milliseconds'");
    vertx.eventBus().send(Addresses.timers(0, 1), new ClusterEvent.TimersMade(after()));
    vertx.timer(1_500).await();

    assertThat(lane.received).hasSize(received);
    deploy("n2", new Credulous());
    lane.awaitConsumed(70);
    assertThat(lane.consumed).hasSize(70).doesNotHaveDuplicates();
  }

  private List<Timer> after() {
    return IntStream.rangeClosed(1, 50).mapToObj(n -> timer("after" + n, clock.instant())).toList();
  }

  @Test
  void after_hours_of_outage_all_is_caught_up_in_order_with_little_under_way() {
    int count = Integer.getInteger("skein.backlog", 10_000);
    TimerRows.add(database, "a", count, "now() - interval '6 hours' + n * interval '100 ms'");
    var lane = lane(_ -> false);
    deploy("n1");
    lane.awaitConsumed(100);
    TimerRows.add(database, "new", 1, "now() - interval '7 hours'");

    lane.awaitConsumed(count + 1, Duration.ofMinutes(10));

    assertThat(lane.consumed).hasSize(count + 1).doesNotHaveDuplicates();
    assertThat(lane.underWayMax()).isLessThanOrEqualTo(OPTIONS.shardInFlightMax(2));
    var oldestFirst = IntStream.rangeClosed(1, count).mapToObj(n -> "a" + n).toList();
    assertThat(lane.received.stream().filter(id -> id.startsWith("a")))
        .containsExactlyElementsOf(oldestFirst);
    assertThat(List.copyOf(lane.consumed).indexOf("new1"))
        .as("when the new one came")
        .isLessThan(count);
  }

  private FakeLane lane(Predicate<Timer> slow) {
    return new FakeLane(vertx, database, slow, Duration.ofMillis(20));
  }

  private static Timer timer(String id, Instant due) {
    return new Timer(id, due, new InstanceId(id), Timer.Kind.Bookmark, null);
  }

  private String deploy(String nodeId) {
    return deploy(nodeId, new PostgresLeaseStore(database, Duration.ofSeconds(1)));
  }

  private String deploy(String nodeId, LeaseStore leases) {
    return deploy(nodeId, leases, OPTIONS);
  }

  private String deploy(String nodeId, LeaseStore leases, TimersOptions options) {
    var cluster = new Alone(nodeId);
    var router =
        new Router(
            vertx,
            cluster,
            new Router.Options(Duration.ofSeconds(5), Duration.ofSeconds(10), false));
    var dependencies =
        new TimersDependencies(
            options, cluster, router, timers, leases, clock, new SchedulerMeter(System::nanoTime));
    return vertx.deployVerticle(new TimersVerticle(dependencies)).await();
  }

  /** Whichever node schedules, {@code n1} executes. */
  private record Alone(String nodeId) implements Cluster {
    @Override
    public Node self() {
      return new Node(nodeId, nodeId, 1);
    }

    @Override
    public Node ownerOf(InstanceId instanceId) {
      return new Node("n1", "n1", 1);
    }

    @Override
    public List<Node> members() {
      return Stream.of("n1", "n2").map(id -> new Node(id, id, 1)).toList();
    }

    @Override
    public void onChange(Runnable listener) {}
  }
}
