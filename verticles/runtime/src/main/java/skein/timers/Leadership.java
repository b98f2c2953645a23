package skein.timers;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Cluster;
import skein.loop.EventLoop;
import skein.loop.EventLoop.Cancellable;
import skein.storage.LeaseStore;
import skein.storage.LeaseStore.Participant;
import skein.storage.LeaseStore.Seen;
import skein.storage.TimerShard;

/**
 * Keeps this node's part of the leases: reads the database a few times in their life, renews its
 * leases, gives up those beyond its part, takes free ones. Looks at once when members or other
 * nodes' leases have changed. Confined to one event loop.
 */
final class Leadership {
  private static final Logger log = LoggerFactory.getLogger(Leadership.class);
  private static final Duration RETRY_MIN = Duration.ofMillis(100);
  private static final Duration LOOK_MIN = Duration.ofMillis(1);
  private static final Duration CHECK_MIN = Duration.ofMillis(10);

  private static final int RENEWALS_PER_LIFE = 3;

  /** Looks for leases that were not renewed in time, in the life of one. */
  private static final int CHECKS = 30;

  /** The duties of a leader. */
  interface Office {
    void begin(TimerShard shard, long epoch);

    void end(TimerShard shard);
  }

  private final EventLoop loop;
  private final LeaseStore leases;
  private final Cluster cluster;
  private final Participant me;
  private final HeldLeases heldLeases;
  private final SchedulerMeter meter;
  private final TimersBus bus;
  private final Office office;

  private Set<String> members = Set.of();
  private final Set<String> departed = new HashSet<>();
  private boolean announced;
  private boolean busy;
  private boolean again;
  private boolean stopped;
  private Cancellable next = Cancellable.NONE;
  private Duration retry = RETRY_MIN;

  Leadership(EventLoop loop, TimersDependencies dependencies, TimersBus bus, Office office) {
    this.loop = loop;
    this.bus = bus;
    this.leases = dependencies.leases();
    this.cluster = dependencies.cluster();
    this.me =
        new Participant(
            cluster.nodeId(),
            cluster.nodeName(),
            dependencies.options().shards(),
            dependencies.options().leaseDuration(),
            dependencies.options().reading().horizon());
    this.heldLeases = new HeldLeases(loop, me.life());
    this.meter = dependencies.meter();
    this.office = office;
  }

  void start() {
    loop.check();
    members = memberIds();
    loop.repeat(longer(CHECK_MIN, me.life().dividedBy(CHECKS)), this::endLate);
    look();
  }

  private Set<String> memberIds() {
    return cluster.members().stream()
        .map(Cluster.Node::id)
        .filter(id -> id.equals(me.id()) || !cluster.isAside(id))
        .collect(Collectors.toSet());
  }

  boolean leads(TimerShard shard) {
    loop.check();
    return heldLeases.leads(shard.number());
  }

  /**
   * The leases of a leader that is dead or has stepped aside are not waited for: the cluster has
   * noticed before they expire.
   */
  void membersChanged() {
    loop.check();
    var now = memberIds();
    members.stream().filter(id -> !now.contains(id)).forEach(departed::add);
    departed.removeAll(now);
    members = now;
    look();
  }

  /** Another node has joined, or has leases to give. */
  void othersChanged() {
    loop.check();
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
    next.cancel();
    long asked = loop.nanoTime();
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
            retry = RETRY_MIN;
            var passed = Duration.ofNanos(loop.nanoTime() - asked);
            var due = me.life().dividedBy(RENEWALS_PER_LIFE).minus(passed);
            lookIn(again ? LOOK_MIN : longer(LOOK_MIN, due));
          }
          again = false;
        });
  }

  private void lookIn(Duration delay) {
    next = loop.schedule(delay, this::look);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  private void failed(Throwable cause) {
    log.atWarn()
        .addKeyValue("node", me.name())
        .addKeyValue("cause", cause.getMessage())
        .log("leader.not_renewed");
    lookIn(retry);
    var longest = me.life().dividedBy(RENEWALS_PER_LIFE);
    var doubled = retry.multipliedBy(2);
    retry = doubled.compareTo(longest) < 0 ? doubled : longest;
  }

  private Future<Void> removeDeparted() {
    if (departed.isEmpty()) {
      return Future.succeededFuture();
    }
    var gone = List.copyOf(departed);
    return loop.bring(leases.remove(gone)).onSuccess(_ -> departed.removeAll(gone));
  }

  private Future<Void> checkIn() {
    long asked = loop.nanoTime();
    var epochs = heldLeases.epochs();
    return loop.bring(leases.checkIn(me, epochs, meter.metrics()))
        .compose(seen -> stopped ? Future.succeededFuture() : balance(epochs, seen, asked));
  }

  private Future<Void> balance(Map<Integer, Long> asked, Seen seen, long askedNanos) {
    meter.confirmed(askedNanos);
    end(
        heldLeases.renewed(asked.keySet(), seen.renewed(), askedNanos),
        "another node has the lease");
    if (!announced) {
      announced = true;
      bus.announce();
    }
    var held = heldLeases.shards();
    var balance = Balance.of(me.shards(), seen.nodes(), me.id(), held, seen.ofOthers());
    log.debug(
        "Checked in with {} nodes: leads {}, gives up {}, takes {}",
        seen.nodes().size(),
        held,
        balance.giveUp(),
        balance.take());
    var release = new TreeMap<>(seen.unclaimed());
    release.keySet().removeAll(balance.take());
    release.putAll(giveUp(balance.giveUp()));
    return release(release).compose(_ -> take(balance.take()));
  }

  /** The epochs of the leases that are held no longer. */
  private Map<Integer, Long> giveUp(List<Integer> shards) {
    var epochs = new TreeMap<>(heldLeases.epochs());
    epochs.keySet().retainAll(shards);
    heldLeases.drop(shards);
    end(shards, "they are another node's part");
    return epochs;
  }

  /**
   * Those that this node has in the database without knowing of it would keep the others from them
   * until they expire: a check-in that was held up on its way renews the lease of a node that has
   * stepped down since.
   */
  private Future<Void> release(Map<Integer, Long> epochs) {
    return epochs.isEmpty()
        ? Future.succeededFuture()
        : loop.bring(leases.release(me, epochs)).onSuccess(_ -> bus.announce());
  }

  private Future<Void> take(List<Integer> shards) {
    if (shards.isEmpty() || stopped) {
      return Future.succeededFuture();
    }
    long asked = loop.nanoTime();
    return loop.bring(leases.take(me, shards))
        .map(taken -> {
          if (!stopped) {
            taken.forEach((shard, epoch) -> begin(shard, epoch, asked));
            again |= taken.size() < shards.size(); // Another node was faster: see what is left.
          }
          return null;
        });
  }

  private void begin(int number, long epoch, long askedNanos) {
    heldLeases.took(number, epoch, askedNanos);
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
      end(heldLeases.dropLate(), "no renewal was confirmed in time");
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

  /** Leads no longer, and lets others take over at once. May be repeated. */
  Future<Void> resign() {
    loop.check();
    if (stopped) {
      return Future.succeededFuture();
    }
    stopped = true;
    next.cancel();
    var held = heldLeases.shards();
    heldLeases.drop(held);
    held.forEach(shard -> office.end(new TimerShard(shard, me.shards())));
    return loop.bring(leases.leave(me))
        .onSuccess(_ -> {
          bus.announce();
          log.atInfo()
              .addKeyValue("node", me.name())
              .addKeyValue("shards", held.size())
              .log("leader.resigned");
        })
        .otherwiseEmpty()
        .eventually(leases::close);
  }
}
