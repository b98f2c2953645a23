package skein.storage;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import skein.loop.Simulator;

/** Leases by the rules of {@link PostgresLeaseStore}, as one node sees them. */
public final class SimulatedLeases implements LeaseStore {
  private final SimulatedDatabase database;
  private final Rows rows;
  private final Simulator simulator;
  private final Set<Mistake> mistakes;

  /** The rows, which all nodes share. */
  public static final class Rows {
    private final Map<String, Taking> nodes = new TreeMap<>();
    private final Map<Integer, Lease> leases = new TreeMap<>();
  }

  /** What {@link PostgresLeaseStore} must not do. */
  public enum Mistake {
    /** A node is not told of the leases that it has and does not name. */
    HIDES_WHAT_IS_UNCLAIMED,
    /** A lease is given to another node before it has expired. */
    GIVES_WHAT_IS_HELD
  }

  /** A node that takes part. */
  private record Taking(Instant since, Instant expires) {}

  private record Lease(String holder, long epoch, Instant expires) {}

  public SimulatedLeases(Simulator simulator, SimulatedDatabase database, Rows rows) {
    this(simulator, database, rows, Set.of());
  }

  public SimulatedLeases(
      Simulator simulator, SimulatedDatabase database, Rows rows, Set<Mistake> mistakes) {
    this.simulator = simulator;
    this.database = database;
    this.rows = rows;
    this.mistakes = mistakes;
  }

  private boolean makes(Mistake mistake) {
    return mistakes.contains(mistake);
  }

  private <T> Future<T> run(String what, Supplier<T> effect) {
    return database.run(what, List.of(), effect);
  }

  private Instant now() {
    return SimulatedDatabase.clock(simulator);
  }

  @Override
  public Future<Seen> checkIn(Participant me, Map<Integer, Long> epochs, SchedulerMetrics metrics) {
    return run("check in", () -> checkInNow(me, epochs));
  }

  private Seen checkInNow(Participant me, Map<Integer, Long> epochs) {
    var now = now();
    var expires = now.plus(me.life());
    var before = rows.nodes.get(me.id());
    var since = before == null || before.expires().isBefore(now) ? now : before.since();
    rows.nodes.put(me.id(), new Taking(since, expires));
    var renewed = new TreeSet<Integer>();
    epochs.forEach((shard, epoch) -> {
      var lease = rows.leases.get(shard);
      if (lease != null
          && lease.holder().equals(me.id())
          && lease.epoch() == epoch
          && lease.expires().isAfter(now)) {
        rows.leases.put(shard, new Lease(me.id(), epoch, expires));
        renewed.add(shard);
      }
    });
    var unclaimed = new TreeMap<Integer, Long>();
    rows.leases.forEach((shard, lease) -> {
      boolean asked =
          Objects.equals(epochs.get(shard), lease.epoch())
              || makes(Mistake.HIDES_WHAT_IS_UNCLAIMED);
      if (lease.holder().equals(me.id()) && lease.expires().isAfter(now) && !asked) {
        unclaimed.put(shard, lease.epoch());
      }
    });
    var ofOthers =
        rows.leases.entrySet().stream()
            .filter(e -> !e.getValue().holder().equals(me.id()))
            .filter(e -> e.getValue().expires().isAfter(now))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    var nodes =
        rows.nodes.entrySet().stream()
            .filter(e -> e.getKey().equals(me.id()) || e.getValue().expires().isAfter(now))
            .sorted(
                Comparator.comparing((Map.Entry<String, Taking> e) -> e.getValue().since())
                    .thenComparing(Map.Entry::getKey))
            .map(Map.Entry::getKey)
            .toList();
    return new Seen(Set.copyOf(renewed), Map.copyOf(unclaimed), Set.copyOf(ofOthers), nodes);
  }

  @Override
  public Future<Map<Integer, Long>> take(Participant me, Collection<Integer> shards) {
    return run("take leases", () -> takeNow(me, shards));
  }

  private Map<Integer, Long> takeNow(Participant me, Collection<Integer> shards) {
    var taken = new TreeMap<Integer, Long>();
    for (int shard : shards) {
      var before = rows.leases.get(shard);
      if (before == null
          || before.expires().isBefore(now())
          || before.holder().equals(me.id())
          || makes(Mistake.GIVES_WHAT_IS_HELD)) {
        long epoch = before == null ? 1 : before.epoch() + 1;
        rows.leases.put(shard, new Lease(me.id(), epoch, now().plus(me.life())));
        taken.put(shard, epoch);
      }
    }
    return taken;
  }

  @Override
  public Future<Void> release(Participant me, Map<Integer, Long> epochs) {
    return run(
            "release leases",
            () -> {
              epochs.forEach((shard, epoch) -> {
                var lease = rows.leases.get(shard);
                if (lease != null && lease.epoch() == epoch) {
                  free(shard, Set.of(me.id()));
                }
              });
              return true;
            })
        .mapEmpty();
  }

  private void free(int shard, Collection<String> holders) {
    rows.leases.computeIfPresent(
        shard,
        (_, lease) ->
            holders.contains(lease.holder())
                ? new Lease(lease.holder(), lease.epoch(), Instant.MIN)
                : lease);
  }

  @Override
  public Future<Void> leave(Participant me) {
    return remove(List.of(me.id()));
  }

  @Override
  public Future<Void> remove(Collection<String> nodeIds) {
    return run(
            "remove nodes from the scheduler",
            () -> {
              rows.nodes.keySet().removeAll(nodeIds);
              Set.copyOf(rows.leases.keySet()).forEach(shard -> free(shard, nodeIds));
              return true;
            })
        .mapEmpty();
  }

  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }
}
