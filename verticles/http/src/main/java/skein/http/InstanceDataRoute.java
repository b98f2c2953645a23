package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.definitions.DefinitionCache;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.InstanceScan;
import skein.storage.InstanceScan.Position;

/**
 * Finds instances of a definition by the value of a variable or an input. Data have no index: the
 * states of the instances are read, as many as one request may, and the answer says how many.
 */
final class InstanceDataRoute {
  private static final int TAKE = 50;
  private static final int TAKE_MAX = 100;

  private static final Shape SHAPE =
      Shape.object()
          .has(
              "items",
              Shape.listOf(
                  InstanceShapes.SUMMARY_MEMBERS.has("foundIn", Shape.oneOf("variable", "input"))))
          .has("searched", Shape.COUNT)
          .has("unreadable", Shape.COUNT)
          .has("total", Shape.COUNT)
          .has("totalIsExact", Shape.FLAG)
          .has("searchedBackTo", Shape.INSTANT.orNull())
          .has("cursor", Shape.TEXT.orNull());

  private final InstanceScan scan;
  private final DefinitionCache definitions;
  private final SearchBounds bounds;
  private final InstantSource clock;

  /** Searches that have not been answered; of one event loop. */
  private int underWay;

  InstanceDataRoute(
      InstanceScan scan, DefinitionCache definitions, SearchBounds bounds, InstantSource clock) {
    this.scan = scan;
    this.definitions = definitions;
    this.bounds = bounds;
    this.clock = clock;
  }

  void addTo(Routes routes) {
    routes.get(
        "/workflow-definitions/:definitionId/instances-by-data",
        Operation.of(
                Tag.INSTANCES,
                "findInstancesByData",
                "Finds instances by the value of a variable or an input, the newest first")
            .takes(
                Parameter.needed(
                    "name",
                    Shape.TEXT,
                    "The variable or input; with dots a member of its value, as order.id"),
                Parameter.needed(
                    "value", Shape.TEXT, "Its value as text; a list has it as one of its items"),
                Parameter.query(
                    "finished",
                    Shape.FLAG,
                    "Whether instances that have ended are searched, too; their variables are"
                        + " mostly gone"),
                Parameter.query(
                    "take", Shape.INTEGER.within(1, TAKE_MAX), "Instances that are enough; 50"),
                Parameter.query("cursor", Shape.TEXT, "Goes on where the answer with it ended"))
            .answers(SHAPE),
        this::find);
  }

  private Future<Answer> find(Call call) {
    var fields = call.queryFields();
    var wanted = InstanceData.of(fields.required("name"), fields.required("value"));
    var scope = call.scope();
    var query = new InstanceScan.Query(call.path("definitionId"), fields.isTrue("finished"), scope);
    var cursor = fields.text("cursor");
    var after = cursor == null ? null : position(cursor);
    var search =
        new InstanceDataSearch(
            wanted,
            position -> scan.next(query, position, call::onWorker),
            definitions::version,
            call::onWorker,
            fields.number("take", 1, TAKE_MAX, TAKE),
            bounds,
            clock);
    if (underWay >= bounds.concurrentMax()) {
      throw SkeinException.tooMany("searches by data", bounds.concurrentMax());
    }
    underWay++;
    return search
        .run(after)
        .compose(result -> scan.total(query).map(counted -> Answer.ok(json(result, counted))))
        .onComplete(_ -> underWay--);
  }

  private static Map<String, @Nullable Object> json(
      InstanceDataSearch.Result result, InstanceScan.Total total) {
    var next = result.next();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("items", result.matches().stream().map(InstanceDataRoute::json).toList());
    json.put("searched", result.searched());
    json.put("unreadable", result.unreadable());
    json.put("total", total.count());
    json.put("totalIsExact", total.exact());
    json.put("searchedBackTo", next == null ? null : next.createdAt().toString());
    json.put("cursor", next == null ? null : cursor(next));
    return json;
  }

  private static Map<String, @Nullable Object> json(InstanceDataSearch.Match match) {
    var json = new LinkedHashMap<String, @Nullable Object>(match.summary());
    json.put("foundIn", match.place().name().toLowerCase(Locale.ROOT));
    return json;
  }

  private static String cursor(Position position) {
    var text = position.createdAt() + " " + position.id();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
  }

  /** Reads what {@link #cursor} wrote; throws {@code INVALID_REQUEST} for anything else. */
  private static Position position(String cursor) {
    try {
      var text = new String(Base64.getUrlDecoder().decode(cursor), UTF_8);
      int space = text.indexOf(' ');
      return new Position(
          Fields.instant("cursor", text.substring(0, Math.max(0, space))),
          new InstanceId(text.substring(space + 1)));
    } catch (IllegalArgumentException | SkeinException _) {
      throw BadRequest.of("cursor is not one that an answer had");
    }
  }
}
