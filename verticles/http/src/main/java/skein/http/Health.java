package skein.http;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import skein.cluster.CallersContext;
import skein.cluster.Cluster;
import skein.cluster.LockProbe;
import skein.cluster.NoLocks;
import skein.cluster.Readiness;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.Database;
import skein.storage.ViolationStore;

/**
 * Whether this node lives, has started, and should be sent work; one for all verticles of a node,
 * so that all connections get the same answer. The checks of readiness run at most once a second,
 * however often readiness is. While all was well a moment ago, that is the answer, so that a
 * balancer gets it at once, and a node is unready {@link #KEPT} and {@link #TIMEOUT} after
 * something went away; what was amiss is asked for again. Thread-safe.
 */
public final class Health {
  private static final Duration TIMEOUT = Duration.ofMillis(2_500);
  private static final Duration KEPT = Duration.ofSeconds(1);
  private static final Shape CHECKED =
      Shape.object()
          .has("status", Shape.oneOf("UP", "DOWN"))
          .has("phase", Shape.oneOf(Readiness.Phase.values()))
          .has(
              "checks",
              Shape.listOf(
                  Shape.object()
                      .has("name", Shape.TEXT)
                      .has("status", Shape.oneOf("UP", "DOWN"))
                      .may("detail", Shape.TEXT)))
          .as("Health");

  private static final int VIOLATIONS_SHOWN = 1_000;

  private final Readiness readiness;
  private final Cluster cluster;
  private final Database database;
  private final LockProbe locks;
  private final List<SelfCheck> own;
  private @Nullable Found last;
  private @Nullable Future<Found> asking;

  private record Found(List<Map<String, @Nullable Object>> checks, long nanos) {
    boolean isYounger(Duration age) {
      return System.nanoTime() - nanos < age.toNanos();
    }

    boolean areUp() {
      return checks.stream().allMatch(check -> "UP".equals(check.get("status")));
    }
  }

  /** Without locks; for tests. */
  public Health(Readiness readiness, Cluster cluster, Database database) {
    this(
        readiness,
        cluster,
        database,
        new LockProbe(new NoLocks(), KEPT, System::nanoTime),
        List.of());
  }

  /**
   * @param readiness what the node says of itself, whatever is found around it
   * @param own looked at whenever readiness is asked for
   */
  public Health(
      Readiness readiness,
      Cluster cluster,
      Database database,
      LockProbe locks,
      List<SelfCheck> own) {
    this.readiness = readiness;
    this.cluster = cluster;
    this.database = database;
    this.locks = locks;
    this.own = List.copyOf(own);
  }

  void addTo(Routes routes) {
    routes
        .always(
            "/health/live",
            Operation.of(Tag.HEALTH, "getLiveness", "Says whether the node should keep running")
                .answers(CHECKED)
                .answers(503, CHECKED),
            _ -> live())
        .always(
            "/health/started",
            Operation.of(Tag.HEALTH, "getStarted", "Says whether the node has started")
                .answers(CHECKED)
                .answers(503, CHECKED),
            _ -> started())
        .always(
            "/health/startup",
            Operation.of(Tag.HEALTH, "getStartup", "Says whether the node has started")
                .answers(CHECKED)
                .answers(503, CHECKED),
            _ -> started())
        .always(
            "/health/ready",
            Operation.of(Tag.HEALTH, "getReadiness", "Says whether the node should be sent work")
                .answers(CHECKED)
                .answers(503, CHECKED),
            _ -> ready());
  }

  /**
   * An unavailable database is not a reason to kill a node; an involuntary end of its membership is
   * one, since it does not come back.
   */
  private Future<Answer> live() {
    return Future.succeededFuture(answer(cluster.isRunning(), List.of()));
  }

  private Future<Answer> started() {
    return Future.succeededFuture(answer(readiness.phase() != Readiness.Phase.STARTING, List.of()));
  }

  Future<Answer> ready() {
    return found()
        .map(found -> {
          var checks = new ArrayList<>(found.checks());
          boolean well = true;
          for (var check : own) {
            var trouble = check.trouble().get();
            boolean up = trouble == null || !check.vital();
            checks.add(result(check.name(), trouble, up));
            well &= up;
          }
          return answer(readiness.isReady() && found.areUp() && well, checks);
        });
  }

  private Future<Found> found() {
    Future<Found> asked;
    synchronized (this) {
      var known = last;
      if (known != null && known.isYounger(KEPT)) {
        return Future.succeededFuture(known);
      }
      asked = asking != null ? asking : ask();
      asking = asked.isComplete() ? null : asked;
      if (known != null && known.areUp() && known.isYounger(KEPT.plus(TIMEOUT))) {
        return Future.succeededFuture(known);
      }
    }
    return CallersContext.of(asked);
  }

  private Future<Found> ask() {
    var answers =
        List.of(
            result("database", database.ping().mapEmpty()),
            result("cluster", seesItself()),
            result("locks", locksCanBeHad()),
            result("invariants", violations()));
    return Future.join(answers)
        .map(
            _ -> keep(new Found(answers.stream().map(Future::result).toList(), System.nanoTime())));
  }

  private synchronized Found keep(Found found) {
    last = found;
    asking = null;
    return found;
  }

  private Future<@Nullable String> seesItself() {
    if (!cluster.isRunning()) {
      return Future.failedFuture(
          new SkeinException(
              ErrorCode.NOT_READY,
              "This node is not a member of its cluster any more: start it again"));
    }
    if (cluster.isAside(cluster.nodeId())) {
      return Future.failedFuture(
          new SkeinException(
              ErrorCode.NOT_READY,
              "This node has stepped aside, since messages between it and other nodes are lost; it comes"
                  + " back by itself: repair the network between them"));
    }
    boolean seen = cluster.members().stream().anyMatch(n -> n.id().equals(cluster.nodeId()));
    return seen
        ? Future.succeededFuture()
        : Future.failedFuture(
            new SkeinException(
                ErrorCode.NOT_READY,
                "The members of the cluster do not list this node yet: wait, and restart it if it stays so"));
  }

  private Future<@Nullable String> locksCanBeHad() {
    var found = locks.look();
    return found.up()
        ? Future.succeededFuture(found.detail())
        : Future.failedFuture(
            new SkeinException(ErrorCode.NOT_READY, String.valueOf(found.detail())));
  }

  /** Never a reason to be unready: stuck work stays where it is, whichever node is asked. */
  private Future<@Nullable String> violations() {
    return new ViolationStore(database)
        .openUpTo(VIOLATIONS_SHOWN)
        .map(open -> open == 0 ? null : open + " open violations, see /elsa/api/invariants")
        .otherwise("The violations were not counted");
  }

  /** {@code check}: succeeds when all is well, with a text if there is something to say. */
  private static Future<Map<String, @Nullable Object>> result(
      String name, Future<@Nullable String> check) {
    return check
        .timeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .map(said -> result(name, said, true))
        .otherwise(e -> result(name, why(e), false));
  }

  private static String why(Throwable e) {
    return e instanceof TimeoutException
        ? "No answer within " + TIMEOUT.toMillis() + " ms"
        : Problems.refusal(e).detail();
  }

  private static Map<String, @Nullable Object> result(
      String name, @Nullable String detail, boolean up) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("name", name);
    json.put("status", up ? "UP" : "DOWN");
    if (detail != null) {
      json.put("detail", detail);
    }
    return json;
  }

  private Answer answer(boolean up, List<Map<String, @Nullable Object>> found) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("status", up ? "UP" : "DOWN");
    json.put("phase", readiness.phase().name());
    json.put("checks", found);
    return Answer.json(up ? 200 : 503, json).with("Cache-Control", "no-store");
  }
}
