package skein.cluster;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import skein.model.InstanceId;

/**
 * Which commands wait for their turn, over all nodes: each tells of the instances with the most, in
 * ages, so that their clocks need not agree.
 *
 * @param instances those with the most commands first; of each node at most {@link #INSTANCES_MAX}
 * @param silent nodes that did not answer, and why
 */
public record WaitingReport(List<OfNode> instances, List<LockReport.Silent> silent) {
  /** Instances that one node lists. */
  public static final int INSTANCES_MAX = 20;

  private static final String INSTANCES = "instances";

  /** Those with the most commands first; of as many, those that have waited longest. */
  private static final Comparator<WaitingCommands> MOST_FIRST =
      Comparator.comparingInt(WaitingCommands::count)
          .thenComparing(WaitingCommands::waitedFor)
          .reversed();

  /** Commands and the node on which they wait. */
  public record OfNode(Cluster.Node node, WaitingCommands commands) {}

  public WaitingReport {
    instances = List.copyOf(instances);
    silent = List.copyOf(silent);
  }

  /** The instances with the most commands; at most {@link #INSTANCES_MAX}. */
  public static List<WaitingCommands> most(List<WaitingCommands> all) {
    return all.stream().sorted(MOST_FIRST).limit(INSTANCES_MAX).toList();
  }

  /** Lets a node tell of its commands; {@code waiting}: of all its lanes. */
  public static Future<Void> serve(
      Inquiries inquiries, Supplier<Future<List<WaitingCommands>>> waiting) {
    return inquiries.serve(
        Inquiries.Topic.WAITING, _ -> waiting.get().map(all -> written(most(all))));
  }

  public static Future<WaitingReport> of(Inquiries inquiries) {
    return inquiries.all(Inquiries.Topic.WAITING, new JsonObject()).map(WaitingReport::read);
  }

  private static JsonObject written(List<WaitingCommands> waiting) {
    var instances = new JsonArray();
    for (var commands : waiting) {
      instances.add(
          new JsonObject()
              .put("id", commands.id().value())
              .put("count", commands.count())
              .put("waitedMs", commands.waitedFor().toMillis())
              .put("reason", commands.reason().name()));
    }
    return new JsonObject().put(INSTANCES, instances);
  }

  static WaitingReport read(List<Inquiries.Answer> answers) {
    var instances = new ArrayList<OfNode>();
    var silent = new ArrayList<LockReport.Silent>();
    for (var answer : answers) {
      var refused = answer.refused();
      if (refused != null) {
        silent.add(new LockReport.Silent(answer.node(), refused.detail()));
        continue;
      }
      for (var commands : answer.json().getJsonArray(INSTANCES, new JsonArray())) {
        instances.add(new OfNode(answer.node(), read((JsonObject) commands)));
      }
    }
    instances.sort(Comparator.comparing(OfNode::commands, MOST_FIRST));
    return new WaitingReport(instances, silent);
  }

  private static WaitingCommands read(JsonObject json) {
    return new WaitingCommands(
        new InstanceId(json.getString("id")),
        json.getInteger("count"),
        Duration.ofMillis(json.getLong("waitedMs")),
        WaitingCommands.Reason.valueOf(json.getString("reason")));
  }
}
