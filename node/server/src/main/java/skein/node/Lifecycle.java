package skein.node;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.InFlight;
import skein.cluster.NodeAction;
import skein.cluster.Nodes;
import skein.cluster.Readiness;
import skein.cluster.Readiness.Phase;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.Role;
import skein.node.hazelcast.HazelcastMember;

/**
 * Takes a node out of work and back while it runs. Instances are handed over by giving up the part
 * of them that the node owns: others execute them from then on, and what has begun here is finished
 * here. Procedures of virtual threads, one at a time.
 */
final class Lifecycle implements Nodes.Control {
  private static final Logger log = LoggerFactory.getLogger(Lifecycle.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);
  private static final Duration SHOW_MAX = Duration.ofSeconds(1);
  private static final Duration OTHERS_MAX = Duration.ofSeconds(2);

  /** How long the last node that could own instances waits for others that leave as well. */
  private static final Duration LAST_MAX = Duration.ofSeconds(3);

  private static final Duration ANSWER_TIME = Duration.ofMillis(200);

  /** The exit code of a process that SIGKILL has ended. */
  private static final int KILLED = 137;

  private final NodeConfig config;
  private final Readiness readiness;
  private final HazelcastMember member;
  private final Deployment deployment;
  private final ReentrantLock changing = new ReentrantLock();
  private volatile long unreadySince;
  private volatile boolean leaving;
  private volatile boolean last;
  private boolean stoodAside; // guarded by changing

  Lifecycle(NodeConfig config, Readiness readiness, HazelcastMember member, Deployment deployment) {
    this.config = config;
    this.readiness = readiness;
    this.member = member;
    this.deployment = deployment;
  }

  @Override
  public Future<JsonObject> act(NodeAction action) {
    Promise<JsonObject> done = Promise.promise();
    Thread.ofVirtual()
        .name("node-" + action.wireName())
        .start(() -> {
          try {
            switch (action) {
              case SHOW -> {}
              case PAUSE -> exclusively(this::pause);
              case RESUME -> exclusively(this::resume);
              case DRAIN -> beginDrain();
              case STOP -> becomeUnready(Phase.DRAINING);
              case KILL -> requireKillable();
            }
            done.complete(show());
            if (action == NodeAction.STOP) {
              Shutdown.exit(0);
            } else if (action == NodeAction.KILL) {
              crash();
            }
          } catch (RuntimeException e) {
            done.fail(refusal(config.node().name(), e));
          }
        });
    return done.future();
  }

  /** The error for the caller; an unexpected failure is logged here. */
  static RuntimeException refusal(String node, RuntimeException e) {
    return switch (e) {
      case SkeinException _ -> e;
      case Await.UnansweredException late ->
          new SkeinException(
              ErrorCode.TIMEOUT,
              "Node " + node + " is busy and did not say in time how it is; list the nodes to see",
              List.of(),
              late);
      default -> {
        log.atError().setCause(e).log("node.actionFailed");
        yield e;
      }
    };
  }

  private void requireKillable() {
    if (!config.console().tour()) {
      throw new SkeinException(
          ErrorCode.FORBIDDEN,
          "Nodes are killed on request where console.tour is set, as by skein dev: drain it, with"
              + " \"exit\": true");
    }
    if (member.isAlone()) {
      throw member.lastNode();
    }
  }

  /** As by SIGKILL, when the answer has left. */
  private void crash() {
    log.atWarn().log("node.killed");
    LockSupport.parkNanos(ANSWER_TIME.toNanos());
    Runtime.getRuntime().halt(KILLED);
  }

  private void exclusively(Runnable change) {
    if (leaving || !changing.tryLock()) {
      throw busy();
    }
    try {
      change.run();
    } finally {
      changing.unlock();
    }
  }

  private SkeinException busy() {
    return new SkeinException(
        ErrorCode.NODE_BUSY,
        "Node "
            + config.node().name()
            + " is "
            + (leaving ? "stopping" : "changing: " + readiness.phase())
            + "; list the nodes to see its progress");
  }

  private void pause() {
    switch (readiness.phase()) {
      case PAUSED -> {}
      case READY -> {
        stepDown();
        becomeUnready(Phase.PAUSED);
        log.atInfo().log("node.paused");
      }
      case STARTING, DRAINING, DRAINED -> throw busy();
    }
  }

  private void becomeUnready(Phase phase) {
    if (readiness.isReady()) {
      unreadySince = System.nanoTime();
    }
    readiness.advanceTo(phase);
  }

  private void stepDown() {
    DrainStep.timed("partitions", member::handOver);
    DrainStep.timed("leases", deployment::stopTimers);
  }

  private void resume() {
    if (readiness.phase() == Phase.READY) {
      return;
    }
    member.takeOver();
    deployment.startTimers();
    readiness.resume();
    log.atInfo().log("node.resumed");
  }

  /**
   * This node has stepped aside, or comes back: while aside it fires no timers and is unready. Its
   * instances are other nodes' as soon as they know.
   */
  void setAside(boolean aside) {
    if (aside) {
      readiness.setAside(true);
    }
    Thread.ofVirtual().name("node-aside").start(this::followLinks);
  }

  private void followLinks() {
    changing.lock();
    try {
      boolean aside = member.cluster().isAside(member.cluster().nodeId());
      if (leaving || aside == stoodAside) {
        return;
      }
      stoodAside = aside;
      if (readiness.phase().compareTo(Phase.READY) <= 0) {
        DrainStep.timed("leases", aside ? deployment::stopTimers : deployment::startTimers);
      }
      log.atWarn().log(aside ? "node.stepped_aside" : "node.came_back");
    } catch (RuntimeException e) {
      log.atWarn().setCause(e).log("node.links_not_followed");
    } finally {
      readiness.setAside(member.cluster().isAside(member.cluster().nodeId()));
      changing.unlock();
    }
  }

  /** Continues by itself; the phase shows its progress. */
  private void beginDrain() {
    exclusively(() -> {
      if (config.node().has(Role.EXECUTION) && member.isAlone()) {
        throw member.lastNode();
      }
      if (!readiness.isLeaving()) {
        becomeUnready(Phase.DRAINING);
        tell();
        Thread.ofVirtual().name("node-draining").start(this::drain);
      }
    });
  }

  private void tell() {
    log.atInfo()
        .addKeyValue("delayMs", config.node().drainDelay().toMillis())
        .addKeyValue("timeoutMs", config.node().drainTimeout().toMillis())
        .log("node.draining");
  }

  private void drain() {
    changing.lock();
    try {
      stepDown();
      while (!leaving && (!inFlight().isIdle() || unreadyFor(config.node().drainDelay()) > 0)) {
        Thread.sleep(LOOK_EVERY);
      }
      if (!leaving) {
        readiness.advanceTo(Phase.DRAINED);
        log.atInfo().log("node.drained");
      }
    } catch (RuntimeException e) {
      log.atWarn().setCause(e).log("node.drainIncomplete");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      changing.unlock();
    }
  }

  /** The rest of the time that a node is to be unready before clients find it closed. */
  private long unreadyFor(Duration delay) {
    return delay.toNanos() - (System.nanoTime() - unreadySince);
  }

  /**
   * The first part of a stop: all that other nodes can do they do when it returns, and balancers
   * have had their time to notice. Does not fail.
   */
  void leave(DrainTime time) {
    leaving = true;
    boolean known = readiness.phase() != Phase.STARTING;
    becomeUnready(Phase.DRAINING);
    tell();
    var handingOver =
        Thread.ofVirtual()
            .name("node-leaving")
            .start(() -> {
              DrainStep.attempt("leases", deployment::resign);
              awaitOthers();
              DrainStep.attempt("partitions", this::handOver);
            });
    try {
      if (known && config.node().has(Role.HTTP)) {
        var delay = Duration.ofNanos(Math.max(0, unreadyFor(config.node().drainDelay())));
        DrainStep.timed("delay", () -> time.pause(delay));
      }
      handingOver.join(Duration.ofNanos(Math.max(1, time.leftNanos())));
      if (last) {
        DrainStep.timed("others", () -> awaitOthersGone(time));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void handOver() {
    try {
      if (!member.nobodyStays()) {
        member.handOver();
        return;
      }
    } catch (SkeinException e) {
      log.atInfo().addKeyValue("cause", e.getMessage()).log("node.nobodyToHandOverTo");
    }
    member.keeps();
    last = true;
  }

  /**
   * When all nodes stop at once, one that had no node to hand over to leaves after those that have
   * handed over: they give back what it keeps for the cluster.
   */
  private void awaitOthersGone(DrainTime time) {
    var max = Duration.ofNanos(Math.min(LAST_MAX.toNanos(), time.leftNanos()));
    long end = System.nanoTime() + max.toNanos();
    while (member.isNeeded() && System.nanoTime() < end && !time.isHurried()) {
      time.pause(LOOK_EVERY);
    }
  }

  /** Waits until a pause or drain of this node that is under way has noticed that it leaves. */
  private void awaitOthers() {
    try {
      if (changing.tryLock(OTHERS_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        changing.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  InFlight inFlight() {
    return Await.result(deployment.inFlight(), SHOW_MAX);
  }

  private JsonObject show() {
    var self = member.cluster().self();
    var inFlight = inFlight();
    return new JsonObject()
        .put("id", self.id())
        .put("name", self.name())
        .put("version", BuildInfo.read().version())
        .put("phase", readiness.phase().name())
        .put("ready", readiness.isReady())
        .put("aside", readiness.isAside())
        .put("tour", config.console().tour())
        .put(
            "roles",
            new JsonArray(
                config.node().roles().stream()
                    .map(r -> r.name().toLowerCase(Locale.ROOT))
                    .toList()))
        .put("cluster", config.cluster().name())
        .put("database", member.databaseId())
        .put("locks", config.cluster().locks().name().toLowerCase(Locale.ROOT))
        .put("lanes", self.lanes())
        .put("partitions", member.partitions())
        .put("shards", new JsonArray(Await.result(deployment.shardsLed(), SHOW_MAX)))
        .put("load", deployment.load().json())
        .put(
            "inFlight",
            new JsonObject()
                .put("requests", inFlight.requests())
                .put("commands", inFlight.commands())
                .put("work", inFlight.work()));
  }
}
