package skein.http;

import io.vertx.core.Future;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.openapi.ErrorHelp;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;

/** The codes of refusals as data, for clients that advise their users. */
final class ErrorRoutes {
  private static final int PAGE_SIZE = 1_000;

  private static final Shape CODES =
      ListShapes.page(
          Shape.object()
              .has("code", Shape.TEXT)
              .has("type", Shape.TEXT)
              .has("status", Shape.INTEGER)
              .has("mayRepeat", Shape.FLAG)
              .has("help", Shape.TEXT));

  void addTo(Routes routes) {
    routes.get(
        "/errors",
        Operation.of(Tag.CLUSTER, "listErrors", "Lists the codes of refusals, and what to do")
            .takesPage()
            .takes(Parameter.query("code", Shape.TEXT, "Only this code"))
            .answers(CODES),
        this::list);
  }

  private Future<Answer> list(Call call) {
    var fields = call.queryFields();
    var window = fields.window(PAGE_SIZE);
    var wanted = fields.text("code");
    var found =
        Arrays.stream(ErrorCode.values())
            .filter(code -> wanted == null || code.name().equals(wanted))
            .toList();
    var page =
        found.stream().skip(window.skip()).limit(window.take()).map(ErrorRoutes::json).toList();
    return Future.succeededFuture(Answer.ok(Lists.page(page, found.size())));
  }

  private static Map<String, @Nullable Object> json(ErrorCode code) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("code", code.name());
    json.put("type", Problems.type(code));
    json.put("status", Problems.status(code));
    json.put("mayRepeat", code.isTransient());
    json.put("help", ErrorHelp.of(code));
    return json;
  }
}
