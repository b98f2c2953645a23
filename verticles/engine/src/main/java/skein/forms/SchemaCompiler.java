package skein.forms;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns the JSON of a form into schemas whose keywords can be applied, and collects what is wrong
 * with it. Used once.
 */
final class SchemaCompiler implements Subschemas {
  private static final int PROBLEMS_MAX = 20;

  /** The share of a check's steps that the schemas of one place may take. */
  private static final int PLACES_OF_A_CHECK = 100;

  /** References one after the other that lead to the same value. */
  private static final int CHAIN_MAX = 60;

  private final Map<String, @Nullable Object> form;
  private final FormLimits limits;
  private final boolean refAlone;
  private final Set<String> problems = new LinkedHashSet<>();
  private final IdentityHashMap<Object, Schema> schemas = new IdentityHashMap<>();
  private final List<Schema> inOrder = new ArrayList<>();
  private final Deque<Pending> pending = new ArrayDeque<>();
  private final References references;
  private long patternSize;

  private record Pending(Schema schema, Object json) {}

  SchemaCompiler(Map<String, @Nullable Object> form, FormLimits limits) {
    this.form = form;
    this.limits = limits;
    if (depth(form) > limits.depthMax()) {
      throw new InvalidFormException(
          List.of("It is nested deeper than " + limits.depthMax() + " (forms.depth-max)"));
    }
    var draft = draft();
    this.refAlone = draft < 2019;
    this.references = new References(form, draft, this::problem);
  }

  /** Instructions of all patterns so far. */
  long patternSize() {
    return patternSize;
  }

  private int draft() {
    var named = form.get("$schema");
    if (named == null) {
      return 2020;
    }
    var draft = String.valueOf(named).replaceFirst("^https?://json-schema\\.org/", "");
    return switch (draft) {
      case "draft/2020-12/schema", "draft/2020-12/schema#" -> 2020;
      case "draft/2019-09/schema", "draft/2019-09/schema#" -> 2019;
      case "draft-07/schema", "draft-07/schema#" -> 7;
      case "draft-06/schema", "draft-06/schema#" -> 6;
      case "draft-04/schema", "draft-04/schema#" -> 4;
      default -> {
        problem(
            "/$schema", "\"" + FormLocation.cut(String.valueOf(named)) + "\" is not a known draft");
        yield 2020;
      }
    };
  }

  private static int depth(@Nullable Object value) {
    var deepest = 0;
    var below =
        switch (value) {
          case Map<?, ?> map -> map.values();
          case List<?> list -> list;
          case null, default -> List.of();
        };
    for (var item : below) {
      deepest = Math.max(deepest, depth(item));
    }
    return value instanceof Map || value instanceof List ? deepest + 1 : 0;
  }

  Schema compile() {
    var root = schema(form, "", references.root());
    while (!pending.isEmpty() && problems.size() < PROBLEMS_MAX) {
      var next = pending.removeFirst();
      read(next.schema(), next.json());
    }
    if (problems.isEmpty()) {
      checkChains();
    }
    if (!problems.isEmpty()) {
      throw new InvalidFormException(problems.stream().limit(PROBLEMS_MAX).toList());
    }
    return root;
  }

  @Override
  public void problem(String place, String what) {
    problems.add((place.isEmpty() ? "/" : place) + ": " + what);
  }

  @Override
  public Schema schema(@Nullable Object json, String place, Resource from) {
    if (json instanceof Map<?, ?>) {
      var known = schemas.get(json);
      if (known != null) {
        return known;
      }
    }
    var resource = json == null ? from : references.owner(json, from);
    var schema = new Schema(place, resource);
    inOrder.add(schema);
    if (json instanceof Map<?, ?>) {
      schemas.put(json, schema);
    }
    if (json == null) {
      problem(place, "null is not a schema");
    } else {
      pending.add(new Pending(schema, json));
    }
    return schema;
  }

  private void read(Schema schema, Object json) {
    switch (json) {
      case Boolean allowed -> {
        if (!allowed) {
          schema.add((check, _, at, _) -> check.wrong(at, "nothing is allowed here"));
        }
      }
      case Map<?, ?> map -> {
        var keywords = new KeywordReader(this, schema, References.object(map));
        if (refAlone && map.get("$ref") instanceof String) {
          new CombiningKeywords(keywords).readReference();
          return;
        }
        new CombiningKeywords(keywords).readReference();
        new ScalarKeywords(keywords).read();
        new CombiningKeywords(keywords).read();
        new ArrayKeywords(keywords).read();
        new ObjectKeywords(keywords).read();
        new ArrayKeywords(keywords).readUnevaluated();
        new ObjectKeywords(keywords).readUnevaluated();
      }
      default -> problem(schema.place(), "a schema is an object, true or false");
    }
  }

  @Override
  public @Nullable Schema referenced(String reference, Schema by) {
    var found = references.find(reference, by.resource(), by.place());
    if (found == null) {
      problem(
          by.place(),
          "\"" + FormLocation.cut(reference) + "\" is not in the form, and nothing is fetched");
      return null;
    }
    return schema(found.json(), found.place(), found.resource());
  }

  @Override
  public Map<Resource, Schema> dynamicAnchors(String name) {
    var found = new LinkedHashMap<Resource, Schema>();
    for (var resource : references.resources().values()) {
      var anchor = resource.dynamicAnchors().get(name);
      if (anchor != null) {
        found.put(resource, schema(anchor.json(), anchor.place(), anchor.resource()));
      }
    }
    return found;
  }

  @Override
  public Map<Resource, Schema> recursiveAnchors() {
    var found = new LinkedHashMap<Resource, Schema>();
    for (var resource : references.resources().values()) {
      if (resource.recursive()) {
        var whole = resource.whole();
        found.put(resource, schema(whole.json(), whole.place(), resource));
      }
    }
    return found;
  }

  @Override
  public @Nullable FormPattern pattern(String text, String place) {
    try {
      var pattern = FormPattern.of(text, limits.patternSizeMax() - patternSize);
      patternSize += pattern.size();
      return pattern;
    } catch (PatternText.RefusedException e) {
      problem(place, "the pattern \"" + FormLocation.cut(text) + "\" " + e.getMessage());
      return null;
    }
  }

  /**
   * What a schema makes of one value.
   *
   * @param cost schemas and keywords that are applied to it
   * @param height of the longest chain of those; 0 while it is not known
   */
  private record Reach(long cost, int height) {
    private static final Reach BEGUN = new Reach(0, 0);
  }

  /** A schema that leads back to itself with the same value would be applied for ever. */
  private void checkChains() {
    var known = new IdentityHashMap<Schema, Reach>();
    for (var schema : inOrder) {
      var reach = reach(schema, known, 0);
      if (reach.cost() > limits.stepsMax() / PLACES_OF_A_CHECK) {
        problem(
            schema.place(),
            "its schemas would be applied too often to one value (a hundredth of forms.steps-max)");
      }
      if (!problems.isEmpty()) {
        return;
      }
    }
  }

  /** {@code depth} bounds what is not known yet, so that the stack is not reached either. */
  private Reach reach(Schema schema, IdentityHashMap<Schema, Reach> known, int depth) {
    var found = known.get(schema);
    if (found != null) {
      if (found.height() == 0) {
        problem(schema.place(), "it refers to itself without going into the value");
      }
      return found;
    }
    known.put(schema, Reach.BEGUN);
    long cost = 1L + schema.keywords().size();
    int height = 0;
    if (depth <= CHAIN_MAX) {
      for (var next : schema.inPlace()) {
        var below = reach(next, known, depth + 1);
        if (!problems.isEmpty()) {
          return below;
        }
        cost = Math.min(cost + below.cost(), Integer.MAX_VALUE);
        height = Math.max(height, below.height());
      }
    }
    if (depth > CHAIN_MAX || height >= CHAIN_MAX) {
      problem(schema.place(), "more than " + CHAIN_MAX + " schemas lead here one by one");
    }
    var reach = new Reach(cost, height + 1);
    known.put(schema, reach);
    return reach;
  }
}
