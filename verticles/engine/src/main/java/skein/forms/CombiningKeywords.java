package skein.forms;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keywords that apply other schemas to the same value. */
final class CombiningKeywords {
  private final KeywordReader json;
  private final Schema schema;

  CombiningKeywords(KeywordReader json) {
    this.json = json;
    this.schema = json.schema();
  }

  void readReference() {
    var plain = target("$ref");
    if (plain != null) {
      schema.addInPlace(plain);
      schema.add(plain::check);
    }
    var dynamic = json.text("$dynamicRef");
    if (dynamic != null) {
      var anchor = dynamic.substring(dynamic.indexOf('#') + 1);
      var anchors = json.subschemas().dynamicAnchors(anchor);
      var first = target("$dynamicRef");
      add(first, first != null && anchors.containsValue(first) ? anchors : Map.of());
    }
    if (json.text("$recursiveRef") != null) {
      var first = target("$recursiveRef");
      var recursive = first != null && first.resource().recursive();
      add(first, recursive ? json.subschemas().recursiveAnchors() : Map.of());
    }
  }

  private @Nullable Schema target(String keyword) {
    var reference = json.text(keyword);
    return reference == null ? null : json.subschemas().referenced(reference, schema);
  }

  private void add(@Nullable Schema first, Map<Resource, Schema> outer) {
    if (first == null) {
      return;
    }
    schema.addInPlace(first);
    outer.values().forEach(schema::addInPlace);
    schema.add((check, value, at, seen) -> {
      var found = check.outermost(outer);
      return (found == null ? first : found).check(check, value, at, seen);
    });
  }

  void read() {
    var all = inPlace("allOf");
    if (!all.isEmpty()) {
      schema.add((check, value, at, seen) -> all(check, all, value, at, seen));
    }
    var any = inPlace("anyOf");
    if (!any.isEmpty()) {
      schema.add((check, value, at, seen) -> any(check, any, value, at, seen));
    }
    var one = inPlace("oneOf");
    if (!one.isEmpty()) {
      schema.add((check, value, at, seen) -> one(check, one, value, at, seen));
    }
    var not = json.inPlace("not");
    if (not != null) {
      schema.add((check, value, at, _) ->
          !not.fits(check, value, at, null)
              || check.wrong(at, "must not fit the schema at " + not.place()));
    }
    readCondition();
  }

  private List<Schema> inPlace(String keyword) {
    var found = json.schemas(keyword);
    found.forEach(schema::addInPlace);
    return found;
  }

  private void readCondition() {
    var condition = json.inPlace("if");
    var then = json.inPlace("then");
    var otherwise = json.inPlace("else");
    if (condition != null) {
      schema.add((check, value, at, seen) -> {
        var next = condition.fits(check, value, at, seen) ? then : otherwise;
        return next == null || next.check(check, value, at, seen);
      });
    }
  }

  private static boolean all(
      Check check,
      List<Schema> all,
      @Nullable Object value,
      FormLocation at,
      @Nullable Evaluated seen) {
    var fits = true;
    for (var schema : all) {
      if (!schema.check(check, value, at, seen)) {
        fits = false;
        if (check.isQuiet()) {
          break;
        }
      }
    }
    return fits;
  }

  private static boolean any(
      Check check,
      List<Schema> any,
      @Nullable Object value,
      FormLocation at,
      @Nullable Evaluated seen) {
    var fits = false;
    for (var schema : any) {
      if (schema.fits(check, value, at, seen)) {
        fits = true;
        if (seen == null) {
          break; // The evaluations of the others are not needed.
        }
      }
    }
    if (fits) {
      return true;
    }
    if (any.size() == 1) {
      return any.getFirst().check(check, value, at, seen);
    }
    return check.wrong(at, "must fit one of " + any.size() + " schemas, and fits none (anyOf)");
  }

  private static boolean one(
      Check check,
      List<Schema> one,
      @Nullable Object value,
      FormLocation at,
      @Nullable Evaluated seen) {
    var fitting = 0;
    for (var schema : one) {
      if (schema.fits(check, value, at, seen) && ++fitting > 1) {
        break;
      }
    }
    return fitting == 1
        || check.wrong(
            at,
            "must fit exactly one of %d schemas, and fits %s (oneOf)"
                .formatted(one.size(), fitting == 0 ? "none" : "several"));
  }
}
