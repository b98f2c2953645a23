package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.AuditList;
import skein.storage.AuditList.Line;
import skein.storage.AuditList.Place;

/** The audit log, the newest line first. */
final class AuditRoutes {
  private static final int TAKE = 50;
  private static final int TAKE_MAX = 1_000;

  /** An instant, and how many of its lines were there. */
  private static final Pattern PLACE = Pattern.compile("([^~]{1,40})~([1-9][0-9]{0,8})");

  private static final Shape PAGE =
      Shape.object()
          .has(
              "items",
              Shape.listOf(
                  Shape.object()
                      .has("at", Shape.INSTANT)
                      .has("action", Shape.TEXT)
                      .has("outcome", Shape.TEXT.orNull())
                      .has("subject", Shape.TEXT.orNull())
                      .has("workflowInstanceId", Shape.ID.orNull())
                      .has("bookmarkId", Shape.ID.orNull())
                      .has("actor", Shape.TEXT.orNull())
                      .has("node", Shape.TEXT.orNull())))
          .has("next", Shape.TEXT.orNull());

  private final AuditList lines;

  AuditRoutes(AuditList lines) {
    this.lines = lines;
  }

  void addTo(Routes routes) {
    routes.get(
        "/audit",
        Operation.of(Tag.MAINTENANCE, "listAuditLines", "Lists who changed what, the newest first")
            .takes(
                Parameter.several("actions", "Only these actions"),
                Parameter.query("workflowInstanceId", Shape.ID, "Only about this instance"),
                Parameter.query("actor", Shape.ID, "Only by this address"),
                Parameter.query("from", Shape.INSTANT, "From this instant on"),
                Parameter.query("to", Shape.INSTANT, "Until this instant"),
                Parameter.query("after", Shape.TEXT, "The next of an answer before"),
                Parameter.query(
                    "take",
                    Shape.INTEGER.within(1, TAKE_MAX).byDefault((long) TAKE),
                    "Lines at most"))
            .answers(PAGE),
        this::list);
  }

  private Future<Answer> list(Call call) {
    var fields = call.queryFields();
    var query =
        new AuditList.Query(
            fields.texts("action", "actions"),
            fields.text("workflowInstanceId"),
            fields.text("actor"),
            fields.instant("from"),
            fields.instant("to"),
            place(fields.text("after")),
            fields.number("take", 1, TAKE_MAX, TAKE));
    return lines.page(query, call.scope()).map(page -> Answer.ok(json(page)));
  }

  private static Map<String, @Nullable Object> json(AuditList.Page page) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("items", page.lines().stream().map(AuditRoutes::json).toList());
    var next = page.next();
    json.put("next", next == null ? null : next.at() + "~" + next.lines());
    return json;
  }

  private static Map<String, @Nullable Object> json(Line line) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("at", line.at().toString());
    json.put("action", line.action());
    json.put("outcome", line.outcome());
    json.put("subject", line.subject());
    json.put("workflowInstanceId", line.instanceId());
    json.put("bookmarkId", line.bookmarkId());
    json.put("actor", line.actor());
    json.put("node", line.node());
    return json;
  }

  private static @Nullable Place place(@Nullable String text) {
    if (text == null) {
      return null;
    }
    var place = PLACE.matcher(text);
    var at = place.matches() ? Fields.instant("after", place.group(1)) : null;
    if (at == null) {
      throw BadRequest.of("after is \"" + text + "\", not the value of next of an answer before");
    }
    return new Place(at, Integer.parseInt(place.group(2)));
  }
}
