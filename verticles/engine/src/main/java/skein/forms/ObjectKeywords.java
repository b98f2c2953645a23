package skein.forms;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keywords that look at objects. */
final class ObjectKeywords {
  private final KeywordReader json;
  private final Schema schema;

  ObjectKeywords(KeywordReader json) {
    this.json = json;
    this.schema = json.schema();
  }

  @FunctionalInterface
  private interface ObjectTest {
    boolean check(
        Check check,
        Map<String, @Nullable Object> object,
        FormLocation at,
        @Nullable Evaluated seen);
  }

  private record ByPattern(FormPattern pattern, Schema schema) {}

  private void add(ObjectTest test) {
    schema.add((check, value, at, seen) ->
        !(value instanceof Map<?, ?> map) || test.check(check, References.object(map), at, seen));
  }

  void read() {
    var most = json.count("maxProperties");
    if (most != null) {
      add((check, object, at, _) ->
          object.size() <= most || check.wrong(at, "must have at most " + most + " properties"));
    }
    var least = json.count("minProperties");
    if (least != null) {
      add((check, object, at, _) ->
          object.size() >= least || check.wrong(at, "must have at least " + least + " properties"));
    }
    var required = json.texts("required");
    if (!required.isEmpty()) {
      add((check, object, at, _) -> required(check, required, object, at));
    }
    readNames();
    readProperties();
    readDependent();
  }

  private static boolean required(
      Check check, List<String> required, Map<String, @Nullable Object> object, FormLocation at) {
    check.spend(required.size());
    var fits = true;
    for (var name : required) {
      if (!object.containsKey(name)) {
        fits = check.wrong(at, "\"" + name + "\" is missing");
      }
    }
    return fits;
  }

  private void readNames() {
    var names = json.schema("propertyNames");
    if (names != null) {
      add((check, object, at, _) -> {
        var fits = true;
        for (var name : object.keySet()) {
          fits &= names.check(check, name, at.at(name), null);
        }
        return fits;
      });
    }
  }

  private void readProperties() {
    var byName = json.named("properties");
    var byPattern = new ArrayList<ByPattern>();
    json.named("patternProperties")
        .forEach((text, wanted) -> {
          var pattern = json.subschemas().pattern(text, json.place("patternProperties"));
          if (pattern != null) {
            byPattern.add(new ByPattern(pattern, wanted));
          }
        });
    var others = json.schema("additionalProperties");
    if (!byName.isEmpty() || !byPattern.isEmpty() || others != null) {
      add((check, object, at, seen) -> {
        var fits = true;
        for (var entry : object.entrySet()) {
          var here = new Member(entry.getKey(), entry.getValue(), at.at(entry.getKey()));
          fits &= property(check, byName.get(here.name()), byPattern, others, here, seen);
          if (!fits && check.isQuiet()) {
            break;
          }
        }
        return fits;
      });
    }
  }

  private record Member(String name, @Nullable Object value, FormLocation at) {}

  private static boolean property(
      Check check,
      @Nullable Schema own,
      List<ByPattern> byPattern,
      @Nullable Schema others,
      Member member,
      @Nullable Evaluated seen) {
    check.spend(1);
    var fits = own == null || own.check(check, member.value(), member.at(), null);
    var known = own != null;
    for (var one : byPattern) {
      if (one.pattern().matches(check, member.name())) {
        known = true;
        fits &= one.schema().check(check, member.value(), member.at(), null);
      }
    }
    if (!known && others != null) {
      known = true;
      fits &= others.check(check, member.value(), member.at(), null);
    }
    if (known && seen != null) {
      seen.addProperty(member.name());
    }
    return fits;
  }

  /** {@code dependencies} is what drafts before 2019-09 have for the other two. */
  private void readDependent() {
    var names = new LinkedHashMap<String, List<String>>();
    var schemas = new LinkedHashMap<String, Schema>(json.named("dependentSchemas"));
    readRequired("dependentRequired", names);
    if (json.get("dependencies") instanceof Map<?, ?> map) {
      for (var entry : map.entrySet()) {
        var name = (String) entry.getKey();
        if (entry.getValue() instanceof List<?> list) {
          names.put(name, json.texts("dependencies", list, true));
        } else if (entry.getValue() instanceof String one) {
          names.put(name, List.of(one));
        } else {
          schemas.put(
              name,
              json.subschemas()
                  .schema(
                      entry.getValue(),
                      json.place("dependencies") + "/" + FormLocation.escaped(name),
                      schema.resource()));
        }
      }
    } else if (json.has("dependencies")) {
      json.problem("dependencies", "must be an object");
    }
    schemas.values().forEach(schema::addInPlace);
    if (!names.isEmpty() || !schemas.isEmpty()) {
      add((check, object, at, seen) -> {
        check.spend(names.size() + schemas.size());
        var fits = true;
        for (var entry : names.entrySet()) {
          if (object.containsKey(entry.getKey())) {
            fits &= required(check, entry.getValue(), object, at);
          }
        }
        for (var entry : schemas.entrySet()) {
          if (object.containsKey(entry.getKey())) {
            fits &= entry.getValue().check(check, object, at, seen);
          }
        }
        return fits;
      });
    }
  }

  private void readRequired(String keyword, Map<String, List<String>> names) {
    if (json.get(keyword) instanceof Map<?, ?> map) {
      map.forEach((name, value) -> names.put((String) name, json.texts(keyword, value, true)));
    } else if (json.has(keyword)) {
      json.problem(keyword, "must be an object of lists of names");
    }
  }

  void readUnevaluated() {
    var wanted = json.schema("unevaluatedProperties");
    if (wanted == null) {
      return;
    }
    json.schema().askWhatIsEvaluated();
    add((check, object, at, seen) -> {
      var fits = true;
      for (var entry : object.entrySet()) {
        if (seen == null) {
          break;
        }
        if (!seen.hasProperty(entry.getKey())) {
          fits &= wanted.check(check, entry.getValue(), at.at(entry.getKey()), null);
        }
      }
      if (seen != null) {
        seen.addAllProperties();
      }
      return fits;
    });
  }
}
