package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.definitions.DefinitionChecks;
import skein.model.Finding;
import skein.openapi.FindingShape;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;

/** Says what is wrong with a definition before it is saved. */
final class DefinitionCheckRoutes {
  static final Parameter STRICT =
      Parameter.query("strict", Shape.FLAG, "True: warnings forbid publishing, as errors do");

  private static final Shape CHECKED =
      Shape.object()
          .has("valid", Shape.FLAG.described("Whether it would be published"))
          .has("errors", Shape.COUNT)
          .has("warnings", Shape.COUNT)
          .has("findings", Shape.listOf(FindingShape.FINDING))
          .as("CheckedDefinition");

  private final DefinitionChecks checks;
  private final JsonLimits limits;

  /** {@code limits}: of a definition that is sent. */
  DefinitionCheckRoutes(DefinitionChecks checks, JsonLimits limits) {
    this.checks = checks;
    this.limits = limits;
  }

  void addTo(Routes routes) {
    routes.post(
        "/workflow-definitions/validate",
        Operation.of(
                Tag.DEFINITIONS,
                "validateDefinition",
                "Says what saving and publishing would refuse or warn of; changes nothing")
            .takes(STRICT)
            .needs(DefinitionShapes.SAVE)
            .answers(CHECKED),
        this::validate);
  }

  static boolean isStrict(Call call) {
    return call.queryFields().isTrue("strict");
  }

  private Future<Answer> validate(Call call) {
    boolean strict = isStrict(call);
    return call.largeBody(limits)
        .compose(body -> {
          var fields = Fields.of(body);
          var model = fields.has("model") ? fields.object("model") : body;
          return checks.findings(model, null, call.scope().owner());
        })
        .map(findings -> Answer.ok(json(findings, strict)));
  }

  private static Map<String, @Nullable Object> json(List<Finding> findings, boolean strict) {
    long errors = findings.stream().filter(Finding::isError).count();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("valid", errors == 0 && !(strict && !findings.isEmpty()));
    json.put("errors", errors);
    json.put("warnings", findings.size() - errors);
    json.put("findings", FindingJson.all(findings));
    return json;
  }
}
