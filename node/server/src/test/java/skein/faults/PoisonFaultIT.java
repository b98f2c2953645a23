package skein.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.Api;
import skein.node.Eventually;
import skein.node.Measured;
import skein.node.ServerProcess;

/** Workflows that would take a node down with them, if they were let, beside those that work. */
@ExtendWith(FaultClusters.class)
@Tag("long")
@Tag("alone")
class PoisonFaultIT {
  private static final Duration ENDED_MAX = Duration.ofSeconds(60);

  /** What such a workflow does; each is bounded, and faulted at its bound. */
  private enum Poison {
    ENDLESS_SCRIPT("while (true) {}"),
    ENDLESS_CALLS("(function deeper(n) { return deeper(n + 1) + 1 })(0)"),
    ENDLESS_STRING("var s = 'x'; while (true) { s += s }"),
    ENDLESS_ARRAYS("var all = []; while (true) { all.push(new Array(1000).join('x')) }"),
    ENDLESS_MATCH("/^(a+)+$/.test(new Array(60).join('a') + 'b')"),
    FAILURE("throw new Error('no')"),
    ENDLESS_LOOP("") {
      @Override
      JsonObject activity() {
        return Definitions.activity("While", "loop")
            .put("condition", Definitions.literal("Boolean", true))
            .put("body", Definitions.line("again"));
      }
    };

    private final String script;

    Poison(String script) {
      this.script = script;
    }

    JsonObject activity() {
      return Definitions.activity("RunJavaScript", "script")
          .put("script", Definitions.literal("String", script));
    }
  }

  @Test
  @LongRun
  void workflows_that_would_take_a_node_with_them_are_faulted_and_others_are_served(
      FaultCluster cluster) {
    var prefix = "poison-" + System.nanoTime() + "-";
    for (var poison : Poison.values()) {
      cluster.api(0).publish(Definitions.sequence(prefix + poison, poison.activity()));
    }
    var pids = pids(cluster);
    var started = new ArrayList<Poison>();

    new Scenario(cluster, "poison")
        .run(havoc ->
            havoc.repeat(
                300,
                () -> {
                  var poison = Poison.values()[started.size() % Poison.values().length];
                  started.add(poison);
                  havoc.during(
                      "poison",
                      poison.name(),
                      Duration.ZERO,
                      () -> start(cluster.api(havoc.anyNode()), prefix + poison),
                      () -> {});
                }));

    Eventually.isTrue(ENDED_MAX, () -> notFaulted(cluster, prefix).isEmpty());
    Measured.say("faults poison", "%d started", started.size());
    assertThat(notFaulted(cluster, prefix)).isEmpty();
    assertThat(faulted(cluster, prefix)).isEqualTo(Poison.values().length);
    assertThat(pids(cluster)).as("nodes live on").isEqualTo(pids);
  }

  /** Its answer is not checked: the instance shows the outcome. */
  private static void start(Api api, String definitionId) {
    Attempt.of(() -> api.start(new JsonObject().put("definitionId", definitionId)));
  }

  private static List<Long> pids(FaultCluster cluster) {
    assertThat(cluster.nodes().nodes()).allMatch(ServerProcess::isAlive);
    return cluster.nodes().nodes().stream().map(ServerProcess::pid).toList();
  }

  private static List<String> notFaulted(FaultCluster cluster, String prefix) {
    return cluster
        .sql()
        .rows(
            "select definition_id || ' is ' || status as text from workflow_instances"
                + " where definition_id like $1 || '%' and status <> 'Faulted'",
            prefix)
        .stream()
        .map(row -> row.getString("text"))
        .toList();
  }

  /** Kinds of which at least one instance is faulted. */
  private static long faulted(FaultCluster cluster, String prefix) {
    return cluster
        .sql()
        .number(
            "select count(distinct definition_id) from workflow_instances"
                + " where definition_id like $1 || '%' and status = 'Faulted'",
            prefix);
  }
}
