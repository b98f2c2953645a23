package skein.node.bench;

import io.netty.buffer.ByteBuf;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.node.bench.BenchOptions.By;

/**
 * Asks for lists of instances, as consoles and dashboards do: the newest ones, later pages, by
 * status, definition, correlation id, words and time, one way after the other.
 */
final class ListScenario implements ClosedScenario {
  private static final String PATH = "/elsa/api/workflow-instances";
  private static final int PAGE_SIZE = 25;
  private static final int LATER_PAGE = 40;
  private static final int DAYS = 7;

  private String some = "";

  @Override
  public ScenarioName name() {
    return ScenarioName.LIST;
  }

  @Override
  public void prepare(Stage stage) {
    stage.api().publish(Definitions.waiting());
    var waiting = new Waiting(stage, By.API);
    waiting.fillUp();
    some = waiting.id(waiting.take());
  }

  @Override
  public Work round(Stage stage) {
    return new Lists(
        queries(some, Instant.now()).stream()
            .map(query -> Requests.post(PATH, query.encode()))
            .toList());
  }

  /** {@code id}: of one of the instances, which is its correlation id too. */
  static List<JsonObject> queries(String id, Instant now) {
    var recent =
        new JsonObject()
            .put("column", "CreatedAt")
            .put("operator", "GreaterThan")
            .put("timestamp", now.minus(DAYS, ChronoUnit.DAYS).toString());
    return List.of(
        page(0),
        page(LATER_PAGE),
        page(0).put("status", "Running"),
        page(0).put("subStatus", "Faulted"),
        page(0).put("definitionId", Definitions.WAIT).put("orderBy", "UpdatedAt"),
        page(0).put("correlationId", id),
        page(0).put("searchTerm", id),
        page(0).put("timestampFilters", new JsonArray().add(recent)));
  }

  private static JsonObject page(int number) {
    return new JsonObject().put("page", number).put("pageSize", PAGE_SIZE);
  }

  @Override
  public @Nullable Integer waiting(BenchOptions options) {
    return options.population().waiting();
  }

  private static final class Lists implements Work {
    private final List<byte[]> requests;
    private int next;

    Lists(List<byte[]> requests) {
      this.requests = requests;
    }

    @Override
    public boolean next(int caller, ByteBuf out) {
      out.writeBytes(requests.get(next));
      next = (next + 1) % requests.size();
      return true;
    }

    @Override
    public @Nullable String wrong(int caller, int status, ByteBuf body) {
      return status == 200 ? null : "A list answered " + status;
    }
  }
}
