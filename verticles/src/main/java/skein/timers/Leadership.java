package skein.timers;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Cluster;
import skein.messages.Addresses;
import skein.storage.LeaseStore;
import skein.storage.LeaseStore.Participant;
import skein.storage.LeaseStore.Seen;
import skein.storage.TimerShard;

/**
 * Keeps this node's part of the leases: looks at the database a few times in their life, renews
 * what it holds, gives up what is beyond its part, takes what is free. Looks at once when members
 * or other nodes' leases have changed. Confined to one event loop.
 */
final class Leadership {
  private static final Logger log = LoggerFactory.getLogger(Leadership.class);
  private static final long RETRY_MILLIS_MIN = 100;

  /** Looks for leases that were not renewed in time, in the life of one. */
  private static final int CHECKS = 30;

  /** What it leads to. */
  interface Office {
    void begin(TimerShard shard, long epoch);

    void end(TimerShard shard);
  }

  private final Vertx vertx;
  private final LeaseStore leases;
  private final Cluster cluster;
  private final Participant me;
  private final LongSupplier nanos;
  private final Tenure tenure;
  private final SchedulerMeter meter;
  private final Office office;

  private Set<String> members = Set.of();
  private final Set<String> departed = new HashSet<>();
  private boolean announced;
  private boolean busy;
  private boolean again;
  private boolean stopped;
  private long next = -1;
  private long retryMillis = RETRY_MILLIS_MIN;

  Leadership(Vertx vertx, TimersParts parts, LongSupplier nanos, Office office) {
    this.vertx = vertx;
    this.leases = parts.leases();
    this.cluster = parts.cluster();
    this.me =
        new Participant(
            cluster.nodeId(),
            cluster.nodeName(),
            parts.options().shards(),
            parts.options().leaseDuration());
    this.nanos = nanos;
    this.tenure = new Tenure(me.life(), nanos);
    this.meter = parts.meter();
    this.office = office;
  }

  void start() {
    members = memberIds();
    vertx.setPeriodic(Math.max(10, me.life().toMillis() / CHECKS), _ -> endLate());
    look();
  }

  private Set<String> memberIds() {
    return cluster.members().stream()
        .map(Cluster.Node::id)
        .filter(id -> id.equals(me.id()) || !cluster.isAside(id))
        .collect(Collectors.toSet());
  }

  boolean leads(TimerShard shard) {
    return tenure.leads(shard.number());
  }

  /**
   * The leases of a leader that is dead or has stepped aside are not waited for: the cluster has
   * noticed before they expire.
   */
  void membersChanged() {
    var now = memberIds();
    members.stream().filter(id -> !now.contains(id)).forEach(departed::add);
    departed.removeAll(now);
    members = now;
    look();
  }

  /** Another node has joined, or has leases to give. */
  void othersChanged() {
    look();
  }

  private void look() {
    if (stopped) {
      return;
    }
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    vertx.cancelTimer(next);
    long asked = nanos.getAsLong();
    removeDeparted()
        .compose(_ -> stopped ? Future.<Void>succeededFuture() : checkIn())
        .onComplete(result -> {
          busy = false;
          if (stopped) {
            return;
          }
          if (result.failed()) {
            failed(result.cause());
          } else {
            retryMillis = RETRY_MILLIS_MIN;
            long passed = (nanos.getAsLong() - asked) / 1_000_000;
            lookIn(again ? 1 : Math.max(1, me.life().toMillis() / 3 - passed));
          }
          again = false;
        });
  }

  private void lookIn(long millis) {
    next = vertx.setTimer(millis, _ -> look());
  }

  private void failed(Throwable cause) {
    log.atWarn()
        .addKeyValue("node", me.name())
        .addKeyValue("cause", cause.getMessage())
        .log("leader.not_renewed");
    lookIn(retryMillis);
    retryMillis = Math.min(retryMillis * 2, me.life().toMillis() / 3);
  }

  private Future<Void> removeDeparted() {
    if (departed.isEmpty()) {
      return Future.succeededFuture();
    }
    var gone = List.copyOf(departed);
    return leases.remove(gone).onSuccess(_ -> departed.removeAll(gone));
  }

  private Future<Void> checkIn() {
    long asked = nanos.getAsLong();
    var epochs = tenure.epochs();
    return leases
        .checkIn(me, epochs, meter.figures())
        .compose(seen -> stopped ? Future.succeededFuture() : balance(epochs, seen, asked));
  }

  private Future<Void> balance(Map<Integer, Long> asked, Seen seen, long askedNanos) {
    meter.confirmed(askedNanos);
    end(tenure.renewed(asked.keySet(), seen.renewed(), askedNanos), "another node has the lease");
    if (!announced) {
      announced = true;
      announce();
    }
    var held = tenure.shards();
    var balance = Balance.of(me.shards(), seen.nodes(), me.id(), held, seen.ofOthers());
    return giveUp(balance.giveUp()).compose(_ -> take(balance.take()));
  }

  private Future<Void> giveUp(List<Integer> shards) {
    if (shards.isEmpty()) {
      return Future.succeededFuture();
    }
    tenure.drop(shards);
    end(shards, "they are another node's part");
    return leases.release(me, shards).onSuccess(_ -> announce());
  }

  private Future<Void> take(List<Integer> shards) {
    if (shards.isEmpty() || stopped) {
      return Future.succeededFuture();
    }
    long asked = nanos.getAsLong();
    return leases
        .take(me, shards)
        .map(taken -> {
          if (!stopped) {
            taken.forEach((shard, epoch) -> begin(shard, epoch, asked));
            again |= taken.size() < shards.size(); // Somebody was faster: see what is left.
          }
          return null;
        });
  }

  private void begin(int number, long epoch, long askedNanos) {
    tenure.took(number, epoch, askedNanos);
    var shard = new TimerShard(number, me.shards());
    log.atInfo()
        .addKeyValue("node", me.name())
        .addKeyValue("lease", shard.leaseName())
        .addKeyValue("epoch", epoch)
        .log("leader.elected");
    office.begin(shard, epoch);
  }

  private void endLate() {
    if (!stopped) {
      end(tenure.dropLate(), "no renewal was confirmed in time");
    }
  }

  private void end(Collection<Integer> shards, String why) {
    for (int number : shards) {
      var shard = new TimerShard(number, me.shards());
      log.atWarn()
          .addKeyValue("node", me.name())
          .addKeyValue("lease", shard.leaseName())
          .addKeyValue("cause", why)
          .log("leader.stepped_down");
      office.end(shard);
    }
  }

  private void announce() {
    vertx.eventBus().publish(Addresses.SCHEDULER, me.id());
  }

  /** Leads no longer, and lets others take over at once. May be repeated. */
  Future<Void> resign() {
    if (stopped) {
      return Future.succeededFuture();
    }
    stopped = true;
    vertx.cancelTimer(next);
    var held = tenure.shards();
    tenure.drop(held);
    held.forEach(shard -> office.end(new TimerShard(shard, me.shards())));
    return leases
        .leave(me)
        .onSuccess(_ -> {
          announce();
          log.atInfo()
              .addKeyValue("node", me.name())
              .addKeyValue("shards", held.size())
              .log("leader.resigned");
        })
        .otherwiseEmpty()
        .eventually(leases::close);
  }
}
