package skein.timers;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.cluster.Cluster;
import skein.cluster.Order;
import skein.cluster.Router;
import skein.cluster.Transport;
import skein.loop.SimulatedLoop;
import skein.loop.Simulator;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.storage.DatabaseTime;
import skein.storage.DeferredPayload;
import skein.storage.DueTimer;
import skein.storage.DueTimers;
import skein.storage.SimulatedDatabase;
import skein.storage.TimerOwner;
import skein.storage.TimerShard;

/**
 * The schedulers of all shards on one node in virtual time, with rows in memory that each statement
 * reads after a few milliseconds, and a lane that consumes what is fired.
 */
final class SimulatedShard implements DueTimers, DatabaseTime, Cluster, Transport {
  private static final Duration LATENCY = Duration.ofMillis(2);
  private static final Comparator<Timer> BY_DUE_TIME =
      Comparator.comparing(Timer::dueAt).thenComparing(Timer::id);

  /** A timer that was fired, and when. */
  record Fired(Timer timer, Instant at) {}

  final List<Fired> fired = new ArrayList<>();

  /** Ids of timers whose payloads cannot be read. */
  final Set<String> unreadable = new HashSet<>();

  /** Payloads in the clear of timers that are stored encrypted, by id. */
  final Map<String, Object> clear = new HashMap<>();

  /** Ids of timers whose failures were counted, and of those that were put off without that. */
  final List<String> backedOff = new ArrayList<>();

  final List<String> putOff = new ArrayList<>();

  /** So many more readings of payloads fail. */
  int failingReads;

  int payloadReads;
  int pagesRead;
  long payloadBytesMax;
  boolean leads = true;

  /** False: the timers start instances, which are not there yet. */
  boolean hasInstances = true;

  /** How long a page is on its way after its rows were looked at. */
  Duration pageDelay = Duration.ZERO;

  private final Simulator simulator = new Simulator(1);
  private final SimulatedLoop loop = simulator.newLoop("n1");
  private final TreeSet<Timer> rows = new TreeSet<>(BY_DUE_TIME);
  private final Map<String, Timer> byId = new TreeMap<>();
  private final Function<Timer, Duration> time;
  private final List<Scheduler> schedulers = new ArrayList<>();
  private final PayloadBudget budget;
  private final int shards;
  private long payloadBytes;

  /**
   * @param time how long the lane takes to consume a timer
   */
  @SuppressWarnings("NullAway") // A scheduler asks for no lease.
  SimulatedShard(TimersOptions options, Function<Timer, Duration> time) {
    this.time = time;
    this.shards = options.shards();
    var ids = new long[1];
    var router =
        new Router(
            simulator.delays(),
            this,
            this,
            new Router.Options(Duration.ofMinutes(10), Duration.ofMinutes(10), false),
            () -> new UUID(0, ids[0]++));
    var dependencies =
        new TimersDependencies(
            options, this, router, this, null, this, new SchedulerMeter(loop::nanoTime));
    this.budget = new PayloadBudget(loop, options.firing().payloads().bytesMax());
    loop.execute(() -> {
      for (int i = 0; i < options.shards(); i++) {
        schedulers.add(
            new Scheduler(
                loop,
                dependencies,
                new TimerShard(i, options.shards()),
                () -> leads,
                Future::<Void>succeededFuture,
                budget));
      }
    });
  }

  /** Bytes of the budget for payloads that are taken. */
  long budgetTaken() {
    return simulator.seenOn(loop, budget::taken);
  }

  int shardOf(InstanceId instance) {
    return TimerShard.of(instance, shards).number();
  }

  Instant now() {
    return SimulatedDatabase.clock(simulator);
  }

  /**
   * Of an instance with that id; its definition is the id up to the first dash, and its tenant what
   * is before an underscore in it.
   */
  void add(String id, InstanceId instance, Instant dueAt, @Nullable Object payload) {
    var timer = new Timer(id, dueAt, instance, Timer.Kind.Resume, payload);
    rows.add(timer);
    byId.put(id, timer);
  }

  private static TimerOwner ownerBy(InstanceId instance) {
    int end = instance.value().indexOf('_');
    int dash = instance.value().indexOf('-', end + 1);
    var tenant = end < 0 ? "" : instance.value().substring(0, end);
    return new TimerOwner(tenant, instance.value().substring(end + 1, dash));
  }

  /** As a commit on another node that says so. */
  void addTold(String id, InstanceId instance, Instant dueAt) {
    add(id, instance, dueAt, null);
    loop.execute(() -> schedulers.get(shardOf(instance)).nudged(List.of(row(id))));
  }

  void postpone(String id, Instant dueAt) {
    var before = row(id);
    remove(id);
    add(id, before.instanceId(), dueAt, before.payload());
  }

  private Timer row(String id) {
    var timer = byId.get(id);
    if (timer == null) {
      throw new IllegalStateException("There is no timer " + id);
    }
    return timer;
  }

  void remove(String id) {
    var timer = byId.remove(id);
    if (timer != null) {
      rows.remove(timer);
    }
  }

  void begin() {
    loop.execute(() -> schedulers.forEach(Scheduler::begin));
  }

  /** Of one shard: another node leads it from now on. */
  void end(int shard) {
    loop.execute(() -> schedulers.get(shard).end());
  }

  void pass(Duration duration) {
    long until = simulator.now() + duration.toNanos();
    while (simulator.step(until)) {
      // until there is nothing more to do before that time
    }
    if (simulator.failure() != null) {
      throw new AssertionError(simulator.failure());
    }
  }

  /** Until nothing is left; fails after the time. */
  void drain(Duration max) {
    long until = simulator.now() + max.toNanos();
    while (!rows.isEmpty() && simulator.now() < until) {
      pass(Duration.ofMillis(50));
    }
    if (!rows.isEmpty()) {
      throw new AssertionError(rows.size() + " timers are left, the first is " + rows.first());
    }
  }

  List<String> firedOf(String definition) {
    return firedOf(owner -> owner.definitionId().equals(definition));
  }

  List<String> firedOfTenant(String tenant) {
    return firedOf(owner -> owner.tenant().equals(tenant));
  }

  private List<String> firedOf(Predicate<TimerOwner> isWanted) {
    return fired.stream()
        .map(Fired::timer)
        .filter(timer -> isWanted.test(ownerBy(timer.instanceId())))
        .map(Timer::id)
        .toList();
  }

  private <T> Future<List<T>> page(Supplier<List<T>> rows) {
    Simulator.Answer<List<T>> answer = simulator.answer();
    simulator.after(
        LATENCY.toNanos(),
        () -> {
          var page = rows.get();
          if (pageDelay.isZero()) {
            answer.succeed(page);
          } else {
            simulator.after(pageDelay.toNanos(), () -> answer.succeed(page));
          }
        });
    return answer.future();
  }

  private <T extends @Nullable Object> Future<T> run(Duration latency, Supplier<T> effect) {
    Simulator.Answer<T> answer = simulator.answer();
    simulator.after(latency.toNanos(), () -> answer.succeed(effect.get()));
    return answer.future();
  }

  // Rows

  private List<Timer> dueNow(
      TimerShard shard, Duration horizon, Instant after, String afterId, int max) {
    pagesRead++;
    var place = new Timer(afterId, after, new InstanceId("x"), Timer.Kind.Resume, null);
    return rows.tailSet(place, false).stream()
        .filter(
            timer -> TimerShard.of(timer.instanceId(), shard.count()).number() == shard.number())
        .limit(max)
        .takeWhile(timer -> !timer.dueAt().isAfter(now().plus(horizon)))
        .map(DeferredPayload::of)
        .toList();
  }

  @Override
  public Future<List<Timer>> due(
      TimerShard shard, Duration horizon, Instant after, String afterId, int max) {
    return page(() -> dueNow(shard, horizon, after, afterId, max));
  }

  @Override
  public Future<List<DueTimer>> dueWithDefinitions(
      TimerShard shard, Duration horizon, Instant after, String afterId, int max) {
    return page(() ->
        dueNow(shard, horizon, after, afterId, max).stream()
            .map(timer -> new DueTimer(timer, hasInstances ? ownerBy(timer.instanceId()) : null))
            .toList());
  }

  @Override
  public Future<List<@Nullable Timer>> whole(List<Timer> timers, long bytesMax) {
    payloadReads++;
    boolean fails =
        failingReads-- > 0 || timers.stream().anyMatch(timer -> unreadable.contains(timer.id()));
    failingReads = Math.max(0, failingReads);
    return run(LATENCY, () -> wholeNow(timers, bytesMax))
        .compose(whole ->
            fails
                ? Future.failedFuture(
                    SkeinException.storageUnavailable("read", new IllegalStateException()))
                : Future.succeededFuture(whole));
  }

  private List<@Nullable Timer> wholeNow(List<Timer> timers, long bytesMax) {
    var whole = new ArrayList<@Nullable Timer>();
    long bytes = 0;
    for (var timer : timers) {
      var row = byId.get(timer.id());
      if (bytes < bytesMax) {
        bytes += row == null ? 0 : DeferredPayload.heapBytes(row.payload());
        whole.add(row);
      }
    }
    return whole;
  }

  @Override
  public Timer opened(Timer timer) {
    var payload = clear.get(timer.id());
    return payload == null
        ? timer
        : new Timer(timer.id(), timer.dueAt(), timer.instanceId(), timer.kind(), payload);
  }

  @Override
  public Future<Void> backOff(String id, Duration delay, Duration longest) {
    backedOff.add(id);
    return postponeAll(List.of(id), delay);
  }

  @Override
  public Future<Void> failed(Timer timer, String code, String message) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> extendDeadline(List<String> ids, Duration delay) {
    putOff.addAll(ids);
    return postponeAll(ids, delay);
  }

  private Future<Void> postponeAll(List<String> ids, Duration delay) {
    return run(
            LATENCY,
            () -> {
              ids.forEach(id -> postpone(id, now().plus(delay)));
              return true;
            })
        .mapEmpty();
  }

  @Override
  public Instant notAhead() {
    return now();
  }

  @Override
  public Future<Void> synchronize() {
    return Future.succeededFuture();
  }

  // The lane

  @Override
  public Future<Reply> request(String node, int lane, Order order, Duration timeout) {
    if (!(order.command() instanceof Command.Fire(var timer))) {
      throw new IllegalStateException("The scheduler fires, and nothing else");
    }
    if (DeferredPayload.isIn(timer)) {
      throw new IllegalStateException("Fired without its payload: " + timer.id());
    }
    fired.add(new Fired(timer, now()));
    boolean large = DeferredPayload.isIn(DeferredPayload.of(timer));
    long bytes = large ? DeferredPayload.heapBytes(timer.payload()) : 0;
    payloadBytes += bytes;
    payloadBytesMax = Math.max(payloadBytesMax, payloadBytes);
    return run(
        time.apply(timer),
        () -> {
          payloadBytes -= bytes;
          remove(timer.id());
          return new Reply.Delivered(0, 0, List.of());
        });
  }

  @Override
  public void answerNow(String node, int lane, Order order) {}

  // The cluster: this node alone

  @Override
  public Node self() {
    return new Node("n1", "n1", 1);
  }

  @Override
  public Node ownerOf(InstanceId instanceId) {
    return self();
  }

  @Override
  public List<Node> members() {
    return List.of(self());
  }

  @Override
  public void onChange(Runnable listener) {}
}
