package skein.faults;

import io.vertx.core.json.JsonArray;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import skein.node.Api;
import skein.node.Eventually;
import skein.node.Together;

/** Reads what instances have kept in their states, over the API, when all is quiet. */
record States(FaultCluster cluster, Definitions definitions) {
  private static final int AT_ONCE = 6;
  private static final Duration READ_MAX = Duration.ofSeconds(10);

  /** By instance, what it was completed with so far; only of definitions that keep it. */
  Map<String, List<String>> read(List<Rows.Instance> instances) {
    var ids =
        instances.stream()
            .filter(instance -> definitions.keeping().contains(instance.definition()))
            .map(Rows.Instance::id)
            .toList();
    var lists = Together.call(ids.size(), AT_ONCE, number -> kept(ids.get(number), number));
    return IntStream.range(0, ids.size())
        .boxed()
        .collect(Collectors.toMap(ids::get, lists::get, (a, _) -> a));
  }

  private List<String> kept(String instance, int node) {
    var path = "/elsa/api/workflow-instances/" + instance + "/variables";
    var answer =
        Eventually.get(
                READ_MAX,
                () -> Attempt.of(() -> cluster.api(node).http().get(path)),
                attempt -> attempt.outcome() == Operation.Outcome.OK)
            .answer()
            .orThrow();
    return Api.objects(answer.json().getJsonArray("items")).stream()
        .filter(variable -> variable.getString("name").equals(Definitions.KEPT))
        .filter(variable -> variable.getValue("value") instanceof JsonArray)
        .flatMap(variable -> variable.getJsonArray("value").stream())
        .map(String::valueOf)
        .toList();
  }
}
