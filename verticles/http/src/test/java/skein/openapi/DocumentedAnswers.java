package skein.openapi;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/**
 * Compares answers of a server with what its OpenAPI document says of them. Stricter than the
 * document is for clients: a member that an object has and its schema has not is a violation.
 * Thread-safe.
 */
public final class DocumentedAnswers {
  private final Map<?, ?> document;
  private final Map<Pattern, Map<?, ?>> paths = new LinkedHashMap<>();
  private final Map<Object, JsonSchemas> schemas = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> checked = new ConcurrentHashMap<>();
  private final Object components;

  /** {@code openApi}: the document as JSON text. */
  public DocumentedAnswers(String openApi) {
    document = JsonText.parseObject(openApi, JsonLimits.STORED);
    object(document.get("paths")).entrySet().stream()
        .sorted((a, b) -> order(a.getKey()) - order(b.getKey()))
        .forEach(
            path -> paths.put(pattern(String.valueOf(path.getKey())), object(path.getValue())));
    components = closed(object(document.get("components")).get("schemas"));
  }

  /** Paths with fixed words before those with parameters, as the server tries them. */
  private static int order(Object path) {
    return (int) String.valueOf(path).chars().filter(c -> c == '{').count();
  }

  private static Pattern pattern(String path) {
    var regex = new StringBuilder();
    int end = 0;
    var found = Pattern.compile("\\{([A-Za-z]+)}").matcher(path);
    while (found.find()) {
      regex.append(Pattern.quote(path.substring(end, found.start())));
      regex.append(found.group(1).equals(OpenApi.REST) ? ".*" : "[^/]+");
      end = found.end();
    }
    return Pattern.compile(regex + Pattern.quote(path.substring(end)));
  }

  /**
   * How an answer differs from the document; empty when it does not.
   *
   * @param path as sent, with or without a query
   * @param contentType null: there was none
   */
  public List<String> violations(
      String method, String path, int status, @Nullable String contentType, String body) {
    var plain = URI.create(path).getRawPath();
    var operation = operation(method, plain);
    var what = method + " " + plain + " -> " + status;
    if (operation == null) {
      // What no route answers is refused.
      return status == 404 || status == 405 || status == 400
          ? List.of()
          : List.of(what + ": there is no such operation");
    }
    var id = String.valueOf(operation.get("operationId"));
    var response = response(operation, status);
    if (response == null) {
      return List.of(what + ": " + id + " has no such answer: " + cut(body));
    }
    checked.computeIfAbsent(id, _ -> new AtomicInteger()).incrementAndGet();
    if (body.isEmpty()) {
      return List.of();
    }
    return problems(response, contentType, body).stream()
        .map(problem -> what + " (" + id + "): " + problem + " in " + cut(body))
        .toList();
  }

  /** How many answers of each operation were compared. */
  public Map<String, Integer> checked() {
    var counts = new TreeMap<String, Integer>();
    checked.forEach((id, count) -> counts.put(id, count.get()));
    return counts;
  }

  private @Nullable Map<?, ?> operation(String method, String path) {
    var key = (method.equals("HEAD") ? "GET" : method).toLowerCase(Locale.ROOT);
    for (var candidate : paths.entrySet()) {
      if (candidate.getKey().matcher(path).matches()
          && candidate.getValue().get(key) instanceof Map<?, ?> operation) {
        return operation;
      }
    }
    return null;
  }

  /** The answers of that status, or of any if it is a refusal. */
  private @Nullable Map<?, ?> response(Map<?, ?> operation, int status) {
    var responses = object(operation.get("responses"));
    var ofStatus = responses.get(String.valueOf(status));
    var exact = ofStatus == null ? responses.get(status / 100 + "XX") : ofStatus;
    if (exact != null) {
      var both = new LinkedHashMap<Object, Object>(object(object(exact).get("content")));
      var any = shared(responses);
      both.put("default", any);
      return both;
    }
    return status >= 400 ? Map.of("default", shared(responses)) : null;
  }

  private Object shared(Map<?, ?> responses) {
    var name = String.valueOf(object(responses.get("default")).get("$ref"));
    var all = object(object(document.get("components")).get("responses"));
    var content = object(all.get(name.substring(name.lastIndexOf('/') + 1))).get("content");
    return object(object(content).get(CommonParts.PROBLEM_TYPE));
  }

  private List<String> problems(Map<?, ?> content, @Nullable String contentType, String body) {
    var type = contentType == null ? "" : contentType.split(";", 2)[0].strip();
    if (content.containsKey("*/*") && !content.containsKey(type) && !isProblem(type)) {
      return List.of();
    }
    var candidates = new ArrayList<Object>();
    if (content.get(type) instanceof Map<?, ?> known) {
      candidates.add(known);
    }
    if (isProblem(type)) {
      candidates.add(content.get("default"));
    }
    if (candidates.isEmpty()) {
      return List.of("the media type is " + contentType + ", not one of " + content.keySet());
    }
    List<String> problems = List.of();
    for (var candidate : candidates) {
      var schema = object(candidate).get("schema");
      problems = schema == null ? List.of() : validator(schema).problems(body);
      if (problems.isEmpty()) {
        return problems;
      }
    }
    return problems;
  }

  private static boolean isProblem(String type) {
    return type.equals(CommonParts.PROBLEM_TYPE);
  }

  private JsonSchemas validator(Object schema) {
    return schemas.computeIfAbsent(
        schema,
        key -> {
          var whole = new LinkedHashMap<String, Object>();
          whole.put(
              "allOf",
              List.of(
                  key instanceof Map<?, ?> map && map.containsKey("allOf") ? key : closed(key)));
          whole.put("components", Map.of("schemas", components));
          return JsonSchemas.of(whole);
        });
  }

  /** Objects that do not say that they have other members have none. */
  private static Object closed(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        var copy = new LinkedHashMap<Object, Object>();
        map.forEach((name, member) -> copy.put(name, closed(member)));
        if (map.get("properties") instanceof Map<?, ?>
            && !map.containsKey("additionalProperties")) {
          copy.put("additionalProperties", false);
        }
        yield copy;
      }
      case List<?> list -> list.stream().map(DocumentedAnswers::closed).toList();
      case null -> Map.of();
      default -> value;
    };
  }

  private static String cut(String body) {
    return body.length() > 500 ? body.substring(0, 500) + "…" : body;
  }

  private static Map<?, ?> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  /** The ids of all operations of a document. */
  public static Set<String> operations(Map<?, ?> document) {
    var ids = new TreeSet<String>();
    object(document.get("paths"))
        .values()
        .forEach(methods ->
            object(methods)
                .values()
                .forEach(
                    operation -> ids.add(String.valueOf(object(operation).get("operationId")))));
    return ids;
  }
}
