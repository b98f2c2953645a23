package skein.openapi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a JSON value, as a schema of JSON Schema 2020-12. Immutable.
 *
 * @param schema without the shapes it refers to by name
 * @param named the shapes it refers to as {@code #/components/schemas/<name>}, at any depth
 */
public record Shape(Map<String, @Nullable Object> schema, Map<String, Shape> named) {
  static final String REFERENCE = "#/components/schemas/";

  public static final Shape ANY = of(Map.of());
  public static final Shape TEXT = of(Map.of("type", "string"));
  public static final Shape INTEGER = of(Map.of("type", "integer"));
  public static final Shape COUNT = INTEGER.with("minimum", 0L);
  public static final Shape NUMBER = of(Map.of("type", "number"));
  public static final Shape FLAG = of(Map.of("type", "boolean"));
  public static final Shape INSTANT = TEXT.with("format", "date-time");
  public static final Shape DURATION = TEXT.with("format", "duration");

  /** 1 to 255 characters. */
  public static final Shape ID = TEXT.with("minLength", 1L).with("maxLength", 255L);

  /** An object with any members. */
  public static final Shape MEMBERS = object().open();

  public Shape {
    schema = Collections.unmodifiableMap(new LinkedHashMap<String, @Nullable Object>(schema));
    named = named.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(named));
  }

  private static Shape of(Map<String, @Nullable Object> schema) {
    return new Shape(schema, Map.of());
  }

  /** An object without members so far. */
  public static Shape object() {
    return of(Map.of("type", "object"));
  }

  public static Shape listOf(Shape items) {
    return of(Map.of("type", "array")).with("items", items);
  }

  /** An object whose members have any names and this shape. */
  public static Shape mapOf(Shape values) {
    return object().with("additionalProperties", values);
  }

  public static Shape oneOf(String... texts) {
    return TEXT.with("enum", List.of(texts));
  }

  /** The names of constants. */
  public static Shape oneOf(Enum<?>... constants) {
    return oneOf(Arrays.stream(constants).map(Enum::name).toArray(String[]::new));
  }

  public static Shape anyOf(Shape... shapes) {
    var named = new TreeMap<String, Shape>();
    var schemas = new ArrayList<Object>();
    for (var shape : shapes) {
      schemas.add(shape.schema);
      named.putAll(shape.named);
    }
    return new Shape(Map.of("anyOf", schemas), named);
  }

  /** The same, written once in the document under this name, which no other shape has. */
  public Shape as(String name) {
    var all = new TreeMap<>(named);
    all.put(name, this);
    return new Shape(Map.of("$ref", REFERENCE + name), all);
  }

  public Shape orNull() {
    if (schema.get("type") instanceof String type && !schema.containsKey("enum")) {
      return with("type", List.of(type, "null"));
    }
    return anyOf(this, of(Map.of("type", "null")));
  }

  /** With a member that is always there. */
  public Shape has(String member, Shape shape) {
    var required = new ArrayList<Object>(list("required"));
    required.add(member);
    return may(member, shape).with("required", List.copyOf(required));
  }

  /** With a member that may be missing. */
  public Shape may(String member, Shape shape) {
    var properties = new LinkedHashMap<String, @Nullable Object>();
    if (schema.get("properties") instanceof Map<?, ?> known) {
      known.forEach((name, value) -> properties.put(String.valueOf(name), value));
    }
    properties.put(member, shape.schema);
    return with("properties", Collections.unmodifiableMap(properties)).naming(shape);
  }

  /** With the members of another object, which is not named. */
  public Shape plus(Shape other) {
    var all = this;
    if (other.schema.get("properties") instanceof Map<?, ?> more) {
      for (var member : more.entrySet()) {
        var name = String.valueOf(member.getKey());
        var shape = new Shape(members(member.getValue()), Map.of());
        all = other.list("required").contains(name) ? all.has(name, shape) : all.may(name, shape);
      }
    }
    return all.naming(other);
  }

  /** With members beside those that are known. */
  public Shape open() {
    return with("additionalProperties", true);
  }

  public Shape described(String text) {
    return with("description", text);
  }

  public Shape within(long min, long max) {
    return with("minimum", min).with("maximum", max);
  }

  public Shape byDefault(Object value) {
    return with("default", value);
  }

  private Shape with(String keyword, Object value) {
    var all = new LinkedHashMap<String, @Nullable Object>(schema);
    all.put(keyword, value instanceof Shape shape ? shape.schema : value);
    var next = new Shape(all, named);
    return value instanceof Shape shape ? next.naming(shape) : next;
  }

  private Shape naming(Shape other) {
    if (other.named.isEmpty()) {
      return this;
    }
    var all = new TreeMap<>(named);
    all.putAll(other.named);
    return new Shape(schema, all);
  }

  private List<?> list(String keyword) {
    return schema.get(keyword) instanceof List<?> list ? list : List.of();
  }

  private static Map<String, @Nullable Object> members(@Nullable Object value) {
    var members = new LinkedHashMap<String, @Nullable Object>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, member) -> members.put(String.valueOf(name), member));
    }
    return members;
  }
}
