package skein.openapi;

import static skein.openapi.Members.ordered;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;

/** Makes the OpenAPI 3.1 document of a server's routes. */
public final class OpenApi {
  static final String ANY_METHOD = "*";
  static final String REST = "path";
  private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");
  private static final Pattern PARAMETER = Pattern.compile(":([A-Za-z]+)");
  private static final Pattern TEMPLATED = Pattern.compile("\\{([A-Za-z]+)}");

  private static final Map<String, String> PATH_PARAMETERS =
      Map.ofEntries(
          Map.entry("activityId", "The id of an activity in its definition"),
          Map.entry("bookmarkId", "The id of a bookmark of this instance"),
          Map.entry("definitionId", "The id that all versions of a definition share"),
          Map.entry("eventName", "The name of an event"),
          Map.entry("fullName", "The name of a feature with its namespace"),
          Map.entry("id", "Its id"),
          Map.entry("name", "The name of a file"),
          Map.entry("node", "The name or id of a node"),
          Map.entry(REST, "The path of an endpoint, with or without slashes"),
          Map.entry("propertyName", "The name of an input, in any case"),
          Map.entry("provider", "The name of an OpenID provider in the configuration"),
          Map.entry("taskId", "The id of a task, as the activity RunTask has given it"),
          Map.entry("token", "A resume token"),
          Map.entry("typeName", "The type of an activity, such as Elsa.Delay"),
          Map.entry("view", "The name of a view"),
          Map.entry("version", "The number of a version, 1 to 999999999"));

  private final ToIntFunction<ErrorCode> statusOf;
  private final Map<String, Shape> named = new TreeMap<>();
  private final Set<Tag> tags = EnumSet.noneOf(Tag.class);
  private final Map<String, Map<String, @Nullable Object>> paths = new LinkedHashMap<>();

  private OpenApi(ToIntFunction<ErrorCode> statusOf) {
    this.statusOf = statusOf;
  }

  /**
   * The document as a JSON value.
   *
   * @param statusOf the HTTP status of a refusal
   * @throws IllegalArgumentException for a path parameter that nothing describes, two operations of
   *     one id, two shapes of one name, or an operation without an answer
   */
  public static Map<String, @Nullable Object> of(
      List<DescribedRoute> routes, ToIntFunction<ErrorCode> statusOf) {
    var document = new OpenApi(statusOf);
    routes.forEach(document::add);
    return document.json();
  }

  /** The path of a route as the document writes it: {@code /a/{id}}. */
  public static String template(String path) {
    return PARAMETER.matcher(path).replaceAll("{$1}").replace("*", "{" + REST + "}");
  }

  private void add(DescribedRoute route) {
    var operation = route.operation();
    if (!route.method().equals(ANY_METHOD)) {
      add(route.method(), route, operation);
      return;
    }
    for (var method : METHODS) {
      var lower = method.toLowerCase(Locale.ROOT);
      var suffix = Character.toUpperCase(lower.charAt(0)) + lower.substring(1);
      add(method, route, operation.as(operation.id() + "By" + suffix));
    }
  }

  private void add(String method, DescribedRoute route, Operation operation) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("operationId", operation.id());
    json.put("summary", operation.summary());
    json.put("tags", List.of(operation.tag().title()));
    tags.add(operation.tag());
    var path = template(route.path());
    var parameters = parameters(path, operation, route.changing());
    if (!parameters.isEmpty()) {
      json.put("parameters", parameters);
    }
    var body = operation.body();
    if (body != null) {
      var content = new TreeMap<String, @Nullable Object>();
      body.shapes().forEach((type, shape) -> content.putAll(content(type, shape)));
      json.put("requestBody", ordered("required", body.required(), "content", content));
    }
    json.put("responses", responses(operation, route.changing() || body != null));
    paths
        .computeIfAbsent(path, _ -> new LinkedHashMap<>())
        .put(method.toLowerCase(Locale.ROOT), json);
  }

  private List<Object> parameters(String path, Operation operation, boolean changing) {
    var all = new ArrayList<Object>();
    TEMPLATED.matcher(path).results().forEach(found -> all.add(pathParameter(found.group(1))));
    for (var parameter : operation.parameters()) {
      all.add(
          ordered(
              "name",
              parameter.name(),
              "in",
              parameter.place().name(),
              "required",
              parameter.required(),
              "description",
              parameter.description(),
              "schema",
              schema(parameter.shape())));
    }
    if (changing) {
      all.add(Map.of("$ref", "#/components/parameters/" + CommonParts.KEY));
    }
    return all;
  }

  private static Map<String, @Nullable Object> pathParameter(String name) {
    var description = PATH_PARAMETERS.get(name);
    if (description == null) {
      throw new IllegalArgumentException("Nothing describes the path parameter " + name);
    }
    var shape = name.equals("version") ? Shape.INTEGER.within(1, 999_999_999) : Shape.ID;
    return ordered(
        "name",
        name,
        "in",
        "path",
        "required",
        true,
        "description",
        description,
        "schema",
        (name.equals("token") || name.equals(REST) ? Shape.TEXT : shape).schema());
  }

  private Map<String, @Nullable Object> responses(Operation operation, boolean changing) {
    if (operation.responses().isEmpty()) {
      throw new IllegalArgumentException(operation.id() + " has no answer");
    }
    var byStatus = new TreeMap<String, Map<String, @Nullable Object>>();
    for (var response : operation.responses()) {
      var json =
          byStatus.computeIfAbsent(
              response.status(), _ -> ordered("description", response.description()));
      if (response.mediaType() != null) {
        merge(json, content(response.mediaType(), response.shape()));
      }
    }
    var refusals =
        new TreeSet<>(operation.errors())
            .stream()
                .collect(
                    Collectors.groupingBy(
                        statusOf::applyAsInt,
                        TreeMap::new,
                        Collectors.mapping(ErrorCode::name, Collectors.toList())));
    refusals.forEach((status, codes) -> {
      var json =
          byStatus.computeIfAbsent(
              String.valueOf(status), _ -> ordered("description", String.join(", ", codes)));
      merge(json, content(CommonParts.PROBLEM_TYPE, CommonParts.problem(codes)));
    });
    var all = new LinkedHashMap<String, @Nullable Object>(byStatus);
    all.put("default", Map.of("$ref", "#/components/responses/" + CommonParts.refused(changing)));
    return all;
  }

  /** Several media types, or several shapes of one, stand side by side. */
  private static void merge(
      Map<String, @Nullable Object> response, Map<String, @Nullable Object> content) {
    var all = new LinkedHashMap<String, @Nullable Object>();
    if (response.get("content") instanceof Map<?, ?> known) {
      known.forEach((type, value) -> all.put(String.valueOf(type), value));
    }
    all.putAll(content);
    response.put("content", all);
  }

  private Map<String, @Nullable Object> content(String mediaType, @Nullable Shape shape) {
    return ordered(mediaType, shape == null ? Map.of() : Map.of("schema", schema(shape)));
  }

  private Map<String, @Nullable Object> schema(Shape shape) {
    shape
        .named()
        .forEach((name, value) -> {
          var known = named.put(name, value);
          if (known != null && !known.equals(value)) {
            throw new IllegalArgumentException("Two shapes have the name " + name);
          }
        });
    return shape.schema();
  }

  private Map<String, @Nullable Object> json() {
    requireDistinctIds();
    schema(CommonParts.PROBLEM);
    var schemas = new LinkedHashMap<String, @Nullable Object>();
    named.forEach((name, shape) -> schemas.put(name, shape.schema()));
    return ordered(
        "openapi",
        "3.1.0",
        "info",
        CommonParts.info(),
        "servers",
        List.of(Map.of("url", "/")),
        "security",
        CommonParts.security(),
        "tags",
        tags.stream()
            .map(tag -> ordered("name", tag.title(), "description", tag.description()))
            .toList(),
        "paths",
        paths,
        "components",
        ordered(
            "schemas",
            schemas,
            "responses",
            CommonParts.responses(),
            "parameters",
            CommonParts.parameters(),
            "securitySchemes",
            CommonParts.securitySchemes()));
  }

  private void requireDistinctIds() {
    var ids = new TreeSet<String>();
    for (var methods : paths.values()) {
      for (var operation : methods.values()) {
        if (operation instanceof Map<?, ?> json
            && !ids.add(String.valueOf(json.get("operationId")))) {
          throw new IllegalArgumentException(
              "Two operations have the id " + json.get("operationId"));
        }
      }
    }
  }
}
