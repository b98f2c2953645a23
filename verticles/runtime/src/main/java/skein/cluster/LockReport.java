package skein.cluster;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Who holds which lock, over all nodes: each reports its own, in ages, so that their clocks need
 * not agree.
 *
 * @param provider as {@code cluster.locks} names it
 * @param locks by node; shards first, then instances, those held longest first
 * @param instances how many instances are locked; of each node at most {@link #INSTANCES_MAX} are
 *     listed
 * @param silent nodes that did not answer, and why
 */
public record LockReport(String provider, List<OfNode> locks, long instances, List<Silent> silent) {
  /** Locks of instances that one node lists. */
  public static final int INSTANCES_MAX = 1_000;

  private static final String LOCKS = "locks";

  /** A lock and who holds it. */
  public record OfNode(Cluster.Node node, HeldLock lock) {}

  /** A node that did not say what it holds. */
  public record Silent(Cluster.Node node, String detail) {}

  public LockReport {
    locks = List.copyOf(locks);
    silent = List.copyOf(silent);
  }

  /** Lets a node report what it holds. */
  public static Future<Void> serve(Inquiries inquiries, Locks locks) {
    return inquiries.serve(
        Inquiries.Topic.LOCKS, _ -> Future.succeededFuture(written(locks.holdings(INSTANCES_MAX))));
  }

  public static Future<LockReport> of(Inquiries inquiries) {
    return inquiries.all(Inquiries.Topic.LOCKS, new JsonObject()).map(LockReport::read);
  }

  private static JsonObject written(HeldLock.Holdings holdings) {
    var locks = new JsonArray();
    for (var lock : holdings.locks()) {
      locks.add(
          new JsonObject()
              .put("kind", lock.kind().name())
              .put("key", lock.key())
              .put("heldMs", lock.heldFor().toMillis())
              .put("freeMs", lock.freeAfter().toMillis())
              .put("token", lock.token()));
    }
    return new JsonObject()
        .put("provider", holdings.provider())
        .put("instances", holdings.instances())
        .put(LOCKS, locks);
  }

  private static LockReport read(List<Inquiries.Answer> answers) {
    var provider = "none";
    var locks = new ArrayList<OfNode>();
    var silent = new ArrayList<Silent>();
    long instances = 0;
    for (var answer : answers) {
      var json = answer.json();
      var refused = answer.refused();
      if (refused != null) {
        silent.add(new Silent(answer.node(), refused.detail()));
        continue;
      }
      provider = answer.node().executes() ? json.getString("provider", provider) : provider;
      instances += json.getLong("instances", 0L);
      for (var lock : json.getJsonArray(LOCKS, new JsonArray())) {
        locks.add(new OfNode(answer.node(), read((JsonObject) lock)));
      }
    }
    return new LockReport(provider, locks, instances, silent);
  }

  private static HeldLock read(JsonObject lock) {
    return new HeldLock(
        HeldLock.Kind.valueOf(lock.getString("kind")),
        lock.getString("key"),
        Duration.ofMillis(lock.getLong("heldMs")),
        Duration.ofMillis(lock.getLong("freeMs")),
        lock.getLong("token", Locks.HELD)); // Nodes of older versions do not say it.
  }
}
