package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.loop.EventLoop;
import skein.loop.Simulator;
import skein.metrics.DatabaseMetrics;
import skein.model.BookmarkId;
import skein.model.DefinitionRef;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowStatus;
import skein.storage.SimulatedTables.TimerRow;

/**
 * PostgreSQL as one node sees it: a statement takes effect at one moment between question and
 * answer, or later than its answer, or never, as the {@link Weather} has it.
 */
public final class SimulatedDatabase
    implements InstanceStates,
        CommandTimers,
        DueTimers,
        DatabaseTime,
        StimulusRows,
        AlterationRows,
        JournalReads {
  private static final DatabaseMetrics METRICS = new DatabaseMetrics();

  private final Simulator simulator;
  private final SimulatedTables tables;
  private final Weather weather;
  private final String node;

  /** What befalls statements. */
  public interface Weather {
    /**
     * @param commands of what is to be committed; empty: the statement is no commit
     */
    Course next(String node, List<UUID> commands);
  }

  /**
   * The course of one statement.
   *
   * @param executed after so many nanoseconds; negative: never
   * @param answered after so many nanoseconds
   * @param error instead of a result; null: there is one, and it was executed before
   */
  public record Course(long executed, long answered, @Nullable Throwable error) {}

  /** How a commit with an unknown outcome fails. */
  public static Throwable unanswered(String why) {
    return new CommitSession.Unanswered(new IllegalStateException(why));
  }

  public SimulatedDatabase(
      Simulator simulator, SimulatedTables tables, Weather weather, String node) {
    this.simulator = simulator;
    this.tables = tables;
    this.weather = weather;
    this.node = node;
  }

  /** Midnight at the beginning, and as much later as virtual time has passed. */
  public static Instant clock(Simulator simulator) {
    return Instant.parse("2026-01-01T00:00:00Z").plusNanos(simulator.now());
  }

  Instant now() {
    return clock(simulator);
  }

  private <T extends @Nullable Object> Future<T> run(String what, Supplier<T> effect) {
    return run(what, List.of(), effect);
  }

  <T extends @Nullable Object> Future<T> run(String what, List<UUID> commands, Supplier<T> effect) {
    var course = weather.next(node, commands);
    Simulator.Answer<T> answer = simulator.answer();
    List<T> result = new ArrayList<>(1);
    if (course.executed() >= 0) {
      simulator.after(course.executed(), () -> result.add(effect.get()));
    }
    simulator.after(
        course.answered(),
        () -> {
          var error = course.error();
          if (error == null) {
            answer.succeed(result.getFirst());
          } else {
            simulator.note(() -> node + ": " + what + ": " + error.getMessage());
            answer.fail(
                commands.isEmpty() ? SkeinException.storageUnavailable(what, error) : error);
          }
        });
    return answer.future();
  }

  // Commits

  /** A real committer that writes here. */
  public Committer committer(
      EventLoop loop,
      CommitOptions options,
      Duration statementTimeout,
      IntSupplier format,
      BiConsumer<List<UUID>, Boolean> committed) {
    var targets = new ArrayList<CommitTarget>();
    for (int i = 0; i < options.batches().flightsMax(); i++) {
      targets.add(new Commits(committed));
    }
    return new Committer(loop, targets, options, statementTimeout, format, METRICS);
  }

  private final class Commits implements CommitTarget {
    private final BiConsumer<List<UUID>, Boolean> committed;

    Commits(BiConsumer<List<UUID>, Boolean> committed) {
      this.committed = committed;
    }

    @Override
    public Future<Void> open() {
      return Future.succeededFuture();
    }

    private static List<UUID> commands(List<Chain> batch) {
      return batch.stream()
          .flatMap(chain -> chain.transitions().stream())
          .map(Transition::commitId)
          .toList();
    }

    @Override
    public Future<Set<String>> write(List<Chain> batch) {
      return run("commit", commands(batch), () -> writeNow(batch));
    }

    private Set<String> writeNow(List<Chain> batch) {
      var won = new TreeSet<String>();
      for (var chain : batch) {
        boolean wins = tables.commit(chain, now());
        if (wins) {
          won.add(chain.id().value());
        }
        simulator.mix(chain.stateId().getLeastSignificantBits() + (wins ? 1 : 0));
        committed.accept(commands(List.of(chain)), wins);
        simulator.note(() ->
            "database: "
                + node
                + (wins ? " commits " : " does not commit ")
                + chain.id()
                + " "
                + shown(chain));
      }
      return won;
    }

    private static String shown(Chain chain) {
      var text = new StringBuilder().append(shortId(chain.builtOn()));
      for (var proposal : chain.proposals()) {
        text.append(" -> r").append(proposal.transition().next().revision());
        text.append(' ').append(shortId(proposal.stateId()));
        text.append(" (").append(shortId(proposal.transition().commitId())).append(')');
      }
      return text.toString();
    }

    @Override
    public Future<Fate> fateOf(Chain chain) {
      return run("look for state " + shortId(chain.stateId()), () -> fateNow(chain));
    }

    private Fate fateNow(Chain chain) {
      boolean found =
          tables.journalOf(chain.id()).stream()
              .anyMatch(row -> row.stateId().equals(chain.stateId()));
      if (found) {
        return Fate.COMMITTED;
      }
      var row = tables.instances().get(chain.id());
      boolean open =
          row == null
              ? chain.isNew()
              : row.revision() == chain.expectedRevision() && row.stateId().equals(chain.builtOn());
      return open ? Fate.OPEN : Fate.LOST;
    }

    @Override
    public void close() {}
  }

  /** The beginning of an id: enough to tell them apart where people read. */
  public static String shortId(@Nullable UUID id) {
    return id == null ? "nothing" : id.toString().substring(0, 8);
  }

  // Instances

  @Override
  public Future<List<JournalEntry>> first(InstanceId id, int count) {
    return run(
        "read the journal of " + id,
        () ->
            tables.journalOf(id).stream()
                .flatMap(row -> row.entries().stream())
                .limit(count)
                .toList());
  }

  @Override
  public Future<Boolean> beginsBurst(InstanceId id, long sequence) {
    return run(
        "read the journal of " + id,
        () ->
            tables.journalOf(id).stream()
                .anyMatch(row ->
                    !row.entries().isEmpty() && row.entries().getFirst().sequence() == sequence));
  }

  @Override
  public Future<@Nullable NamedState> state(InstanceId id) {
    return run("read instance " + id, () -> stateNow(id));
  }

  private @Nullable NamedState stateNow(InstanceId id) {
    var row = tables.instances().get(id);
    return row == null ? null : new NamedState(row.decoded(), row.stateId());
  }

  @Override
  public Future<Snapshot> snapshot(InstanceId id, UUID commandId) {
    return run("read instance " + id, () -> new Snapshot(stateNow(id), executed(id, commandId)));
  }

  private @Nullable Executed executed(InstanceId id, UUID commandId) {
    for (var row : tables.journalOf(id)) {
      if (row.commandId().equals(commandId)) {
        return new Executed(row.revision(), row.decided(), row.status(), row.reply());
      }
    }
    return null;
  }

  @Override
  public Future<List<InstanceId>> unfinishedChildren(InstanceId parent, int max) {
    return run(
        "look for children",
        () ->
            tables.instances().entrySet().stream()
                .filter(e -> parent.equals(e.getValue().parentId()))
                .filter(e -> !e.getValue().status().finished())
                .map(Map.Entry::getKey)
                .limit(max)
                .toList());
  }

  @Override
  public Future<Boolean> isCancelled(InstanceId id, String tenant) {
    return run(
        "look at instance " + id,
        () -> {
          var row = tables.instances().get(id);
          return row != null
              && row.status() == WorkflowStatus.Cancelled
              && row.decoded().definition().tenant().equals(tenant);
        });
  }

  @Override
  public Future<Boolean> delete(InstanceId id) {
    return run(
        "delete instance " + id,
        () -> {
          simulator.note(() -> "database: " + id + " is deleted");
          return tables.delete(id);
        });
  }

  // Timers

  private static final Comparator<Timer> BY_DUE_TIME =
      Comparator.comparing(Timer::dueAt).thenComparing(Timer::id);

  @Override
  public Future<List<Timer>> due(
      TimerShard shard, Duration horizon, Instant after, String afterId, int max) {
    return run("read due timers", () -> dueNow(shard, horizon, after, afterId, max));
  }

  @Override
  public Future<List<DueTimer>> dueWithDefinitions(
      TimerShard shard, Duration horizon, Instant after, String afterId, int max) {
    return run(
        "read due timers of definitions",
        () ->
            dueNow(shard, horizon, after, afterId, max).stream()
                .map(timer -> new DueTimer(timer, ownerOf(timer)))
                .toList());
  }

  private List<Timer> dueNow(
      TimerShard shard, Duration horizon, Instant after, String afterId, int max) {
    return tables.timers().values().stream()
        .map(TimerRow::timer)
        .filter(
            timer -> TimerShard.of(timer.instanceId(), shard.count()).number() == shard.number())
        .filter(timer -> !timer.dueAt().isAfter(now().plus(horizon)))
        .filter(timer -> isAfter(timer, after, afterId))
        .sorted(BY_DUE_TIME)
        .limit(max)
        .map(SimulatedDatabase::deferred)
        .toList();
  }

  /** As if some payloads were large, and some of those that have none. */
  private static Timer deferred(Timer timer) {
    return timer.id().hashCode() % 3 == 0 ? DeferredPayload.without(timer) : timer;
  }

  private @Nullable TimerOwner ownerOf(Timer timer) {
    var row = tables.instances().get(timer.instanceId());
    if (row == null) {
      return null;
    }
    var definition = row.decoded().definition();
    return new TimerOwner(definition.tenant(), definition.definitionId());
  }

  @Override
  public Future<List<@Nullable Timer>> whole(List<Timer> timers, long bytesMax) {
    return run("read timers", () -> wholeNow(timers, bytesMax));
  }

  private List<@Nullable Timer> wholeNow(List<Timer> timers, long bytesMax) {
    var whole = new ArrayList<@Nullable Timer>();
    long bytes = 0;
    for (var timer : timers) {
      if (bytes < bytesMax) {
        var row = tables.timers().get(timer.id());
        bytes += row == null ? 0 : DeferredPayload.heapBytes(row.timer().payload());
        whole.add(row == null ? null : row.timer());
      }
    }
    return whole;
  }

  private static boolean isAfter(Timer timer, Instant dueAt, String id) {
    int compared = timer.dueAt().compareTo(dueAt);
    return compared > 0 || (compared == 0 && timer.id().compareTo(id) > 0);
  }

  /** As if a reading of the clock had taken this time. */
  private static final Duration READING = Duration.ofMillis(1);

  @Override
  public Instant notAhead() {
    return now().minus(READING);
  }

  @Override
  public Future<Void> synchronize() {
    return run("read the clock", () -> true).mapEmpty();
  }

  @Override
  public Future<Void> failed(Timer timer, String code, String message) {
    return Future.succeededFuture(); // It is not used here.
  }

  @Override
  public Future<Void> backOff(String id, Duration delay, Duration longest) {
    return run(
            "postpone timer " + id,
            () -> {
              tables.backOff(id, now(), delay, longest);
              return null;
            })
        .mapEmpty();
  }

  @Override
  public Future<Void> extendDeadline(List<String> ids, Duration delay) {
    return run(
            "put off timers",
            () -> {
              ids.forEach(id -> tables.extendDeadline(id, now().plus(delay)));
              return null;
            })
        .mapEmpty();
  }

  @Override
  public Future<Void> putOff(Map<String, Duration> delays) {
    var all = Map.copyOf(delays); // What is sent does not change.
    return run(
            "put off timers one by one",
            () -> {
              all.forEach((id, delay) -> tables.extendDeadline(id, now().plus(delay)));
              return null;
            })
        .mapEmpty();
  }

  @Override
  public Future<Boolean> isDue(String id) {
    return run(
        "look at timer " + id,
        () -> {
          var row = tables.timers().get(id);
          return row != null && !row.timer().dueAt().isAfter(now());
        });
  }

  @Override
  public Future<Boolean> exists(String id) {
    return run("look for timer " + id, () -> tables.timers().containsKey(id));
  }

  @Override
  public Future<Void> remove(String id) {
    return run("remove timer " + id, () -> tables.timers().remove(id) != null).mapEmpty();
  }

  @Override
  public Future<Void> replace(String id, Timer next) {
    return run(
            "replace timer " + id,
            () -> {
              // What is deleted is still in the way of a new row with its id.
              boolean existed = tables.timers().containsKey(id);
              tables.addTimer(next);
              return existed && tables.timers().remove(id) != null;
            })
        .mapEmpty();
  }

  // Stimuli

  @Override
  public Future<List<BookmarkId>> waiting(
      String hash, @Nullable String correlationId, @Nullable InstanceId instanceId, int max) {
    return run(
        "look for bookmarks",
        () ->
            tables.bookmarks().values().stream()
                .filter(row -> row.hash().equals(hash))
                .filter(row -> correlationId == null || correlationId.equals(row.correlationId()))
                .filter(row -> instanceId == null || instanceId.equals(row.id().instanceId()))
                .map(SimulatedTables.BookmarkRow::id)
                .limit(max)
                .toList());
  }

  @Override
  public Future<First> firstWaiting(
      List<String> hashes,
      @Nullable String correlationId,
      @Nullable InstanceId instanceId,
      int max) {
    return firstWaiting(hashes, 0, correlationId, instanceId, max);
  }

  private Future<First> firstWaiting(
      List<String> hashes,
      int place,
      @Nullable String correlationId,
      @Nullable InstanceId instanceId,
      int max) {
    if (place == hashes.size()) {
      return Future.succeededFuture(new First(0, List.of()));
    }
    return waiting(hashes.get(place), correlationId, instanceId, max)
        .compose(found ->
            found.isEmpty()
                ? firstWaiting(hashes, place + 1, correlationId, instanceId, max)
                : Future.succeededFuture(new First(place, found)));
  }

  @Override
  public Future<List<StimulusRows.Match>> triggers(String hash) {
    return run("look for triggers", List::of);
  }

  @Override
  public Future<Void> deliver(String eventTimerId, List<Timer> deliveries, double graceSeconds) {
    return run(
            "deliver an event",
            () -> {
              boolean gone = tables.timers().remove(eventTimerId) != null;
              if (eventTimerId.isEmpty() || gone) {
                addDeliveries(deliveries, graceSeconds);
              }
              return null;
            })
        .mapEmpty();
  }

  @Override
  public Future<Boolean> deliverOnce(
      Transition.Kept kept, UUID claim, List<Timer> deliveries, Buffer list, double graceSeconds) {
    return run(
        "deliver an event once",
        () -> {
          var row = tables.keys().get(kept.key());
          if (row == null || !tables.holds(kept.key(), claim)) {
            return row != null && row.claim.equals(claim) && row.reply != null;
          }
          row.reply = Buffer.buffer(kept.reply());
          row.complete = kept.complete();
          row.body = list;
          addDeliveries(deliveries, graceSeconds);
          return true;
        });
  }

  private void addDeliveries(List<Timer> deliveries, double graceSeconds) {
    var due = now().plusNanos((long) (graceSeconds * 1e9));
    for (var timer : deliveries) {
      tables.addTimer(
          new Timer(timer.id(), due, timer.instanceId(), timer.kind(), timer.payload()));
    }
  }

  @Override
  public Future<Void> failed(Timer timer, String reason) {
    return run("note a refused alteration", () -> null).mapEmpty();
  }

  public IdempotencyKeys keys() {
    return new SimulatedKeys(this, tables);
  }

  public JobRows jobs() {
    return new SimulatedJobs(this, tables);
  }

  public AuditRows audit() {
    return (_, _) -> run("write the audit log", () -> null).mapEmpty();
  }

  /** How many instances have not ended, by definition or tenant. */
  public Map<String, Long> unfinished(Function<DefinitionRef, String> owner) {
    return tables.instances().values().stream()
        .filter(row -> !row.status().finished())
        .collect(
            Collectors.groupingBy(
                row -> owner.apply(row.decoded().definition()), Collectors.counting()));
  }
}
