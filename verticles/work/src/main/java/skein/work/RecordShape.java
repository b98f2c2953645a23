package skein.work;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.expressions.Expressions;

/** A record as a JSON object and back. Immutable. */
final class RecordShape<R extends Record> {
  private final Class<R> type;
  private final Constructor<R> constructor;

  /** Throws {@link IllegalArgumentException} for a record that cannot be made from outside. */
  RecordShape(Class<R> type) {
    this.type = type;
    try {
      var types =
          Arrays.stream(type.getRecordComponents())
              .map(RecordComponent::getType)
              .toArray(Class<?>[]::new);
      constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
    } catch (NoSuchMethodException | RuntimeException e) {
      throw new IllegalArgumentException(type.getName() + " must be a public record", e);
    }
  }

  List<RecordComponent> components() {
    return List.of(type.getRecordComponents());
  }

  /** The type to which the value of a component is converted; an alias. */
  static String typeName(Class<?> type) {
    if (type == String.class || type.isEnum()) {
      return "String";
    }
    if (type == int.class || type == Integer.class) {
      return "Int32";
    }
    if (type == long.class || type == Long.class) {
      return "Int64";
    }
    if (type == double.class || type == Double.class) {
      return "Double";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "Boolean";
    }
    if (type == BigDecimal.class) {
      return "Decimal";
    }
    if (type == Instant.class) {
      return "DateTimeOffset";
    }
    if (type == Duration.class) {
      return "TimeSpan";
    }
    if (type == UUID.class) {
      return "Guid";
    }
    return type == List.class ? "Object[]" : "Object";
  }

  R read(Map<String, @Nullable Object> json) {
    var components = type.getRecordComponents();
    var arguments = new @Nullable Object[components.length];
    for (var i = 0; i < components.length; i++) {
      var component = components[i];
      arguments[i] =
          value(component.getName(), json.get(component.getName()), component.getGenericType());
    }
    try {
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      // What the record itself refuses is said by the record itself.
      throw e.getCause() instanceof RuntimeException refused
          ? refused
          : new IllegalArgumentException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type.getName() + " cannot be made", e);
    }
  }

  Map<String, @Nullable Object> write(Record value) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    for (var component : value.getClass().getRecordComponents()) {
      var accessor = component.getAccessor();
      accessor.setAccessible(true);
      try {
        json.put(component.getName(), toJson(accessor.invoke(value)));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(component + " cannot be read", e);
      }
    }
    return json;
  }

  private @Nullable Object toJson(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Boolean bool -> bool;
      case Long number -> number;
      case Double number -> number;
      case Integer number -> number.longValue();
      case Short number -> number.longValue();
      case Byte number -> number.longValue();
      case Float number -> Double.valueOf(number.toString());
      case BigDecimal number -> SqlValues.value(number);
      case Enum<?> constant -> constant.name();
      case Record nested -> write(nested);
      case List<?> list -> {
        var items = new ArrayList<@Nullable Object>();
        list.forEach(item -> items.add(toJson(item)));
        yield items;
      }
      case Map<?, ?> map -> {
        var members = new LinkedHashMap<String, @Nullable Object>();
        map.forEach((name, item) -> members.put(String.valueOf(name), toJson(item)));
        yield members;
      }
      default -> value.toString();
    };
  }

  private static @Nullable Object value(String name, @Nullable Object json, Type type) {
    if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
      var items = new ArrayList<@Nullable Object>();
      for (var item : Json.list(json)) {
        items.add(value(name, item, generic.getActualTypeArguments()[0]));
      }
      return json == null ? null : items;
    }
    var raw = type instanceof ParameterizedType generic ? generic.getRawType() : type;
    if (!(raw instanceof Class<?> wanted)) {
      return json;
    }
    var converted = Expressions.convert(json, typeName(wanted));
    return converted == null ? zero(wanted) : scalar(name, converted, wanted);
  }

  private static Object scalar(String name, Object value, Class<?> wanted) {
    if (wanted.isEnum()) {
      return Arrays.stream(wanted.getEnumConstants())
          .filter(constant -> ((Enum<?>) constant).name().equalsIgnoreCase(value.toString()))
          .findFirst()
          .orElseThrow(() ->
              new IllegalArgumentException(
                  name + " must be one of " + Arrays.toString(wanted.getEnumConstants())));
    }
    if (wanted.isRecord()) {
      var members = Json.object(value);
      if (members == null) {
        throw new IllegalArgumentException(name + " must be an object");
      }
      return new RecordShape<>(wanted.asSubclass(Record.class)).read(members);
    }
    return switch (typeName(wanted)) {
      case "Int32" -> ((Number) value).intValue();
      case "Int64" -> ((Number) value).longValue();
      case "Double" -> ((Number) value).doubleValue();
      case "Decimal" -> new BigDecimal(value.toString());
      case "DateTimeOffset" -> Expressions.instant(value);
      case "TimeSpan" -> Expressions.duration(value);
      case "Guid" -> UUID.fromString(value.toString());
      default -> value;
    };
  }

  private static @Nullable Object zero(Class<?> wanted) {
    if (wanted == boolean.class) {
      return false;
    }
    if (wanted == int.class) {
      return 0;
    }
    if (wanted == long.class) {
      return 0L;
    }
    return wanted == double.class ? (Object) 0.0 : null;
  }
}
