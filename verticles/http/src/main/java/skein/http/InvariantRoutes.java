package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.PassStore;
import skein.storage.ViolationStore;
import skein.storage.ViolationStore.Query;
import skein.storage.ViolationStore.State;
import skein.storage.ViolationStore.Violation;

/** The findings of the scanner, from any node, and requests for a pass. */
final class InvariantRoutes {
  private static final int PAGE_SIZE = 50;

  private static final Shape VIOLATION =
      Shape.object()
          .has("invariant", Shape.TEXT)
          .has("subjectId", Shape.TEXT)
          .has("detail", Shape.TEXT)
          .has("foundAt", Shape.INSTANT)
          .has("lastSeenAt", Shape.INSTANT)
          .has("repairedAt", Shape.INSTANT.orNull())
          .has("endedAt", Shape.INSTANT.orNull());

  private final ViolationStore violations;
  private final PassStore scanner;

  InvariantRoutes(ViolationStore violations, PassStore scanner) {
    this.violations = violations;
    this.scanner = scanner;
  }

  void addTo(Routes routes) {
    routes
        .get(
            "/invariants",
            Operation.of(Tag.MAINTENANCE, "listViolations", "Lists what the scanner found")
                .takesPage()
                .takes(
                    Parameter.query(
                        "state", Shape.oneOf(State.values()).byDefault(State.Open.name()), "Which"),
                    Parameter.query("invariant", Shape.ID, "Only of this invariant"))
                .answers(ListShapes.page(VIOLATION).has("scan", PassJson.SHAPE)),
            this::list)
        .post(
            "/invariants/scan",
            Operation.of(Tag.MAINTENANCE, "requestScan", "Asks for a pass of the scanner")
                .answers(202, PassJson.SHAPE),
            _ -> scan());
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
