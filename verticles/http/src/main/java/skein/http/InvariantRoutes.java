package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.storage.PassStore;
import skein.storage.ViolationStore;
import skein.storage.ViolationStore.Query;
import skein.storage.ViolationStore.State;
import skein.storage.ViolationStore.Violation;

/** What the scanner found, from any node, and asking it for a pass. */
final class InvariantRoutes {
  private static final int PAGE_SIZE = 50;

  private final ViolationStore violations;
  private final PassStore scanner;

  InvariantRoutes(ViolationStore violations, PassStore scanner) {
    this.violations = violations;
    this.scanner = scanner;
  }

  void addTo(Routes routes) {
    routes.get("/invariants", this::list).post("/invariants/scan", _ -> scan());
  }

  private Future<Answer> list(Call call) {
    var fields = call.queryFields();
    var window = fields.window(PAGE_SIZE);
    var query =
        new Query(
            fields.choice("state", State.class, State.Open),
            fields.text("invariant"),
            window.skip(),
            window.take());
    return violations
        .list(query)
        .compose(page ->
            scanner
                .progress()
                .map(progress -> {
                  var items = page.items().stream().map(InvariantRoutes::json).toList();
                  var json = Lists.page(items, page.total());
                  json.put("scan", PassJson.of(progress));
                  return Answer.ok(json);
                }));
  }

  /** The pass begins within a second, on the node that scans; the list says when it has ended. */
  private Future<Answer> scan() {
    return scanner.request().map(progress -> Answer.json(202, PassJson.of(progress)));
  }

  static Map<String, @Nullable Object> json(Violation violation) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("invariant", violation.invariant());
    json.put("subjectId", violation.subjectId());
    json.put("detail", violation.detail());
    json.put("foundAt", violation.foundAt().toString());
    json.put("lastSeenAt", violation.lastSeenAt().toString());
    json.put("repairedAt", PassJson.text(violation.repairedAt()));
    json.put("endedAt", PassJson.text(violation.endedAt()));
    return json;
  }
}
