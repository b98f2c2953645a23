package skein.work;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import io.vertx.sqlclient.data.Numeric;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.StorableText;

/** JSON values as a database takes them, and columns as JSON values. */
final class SqlValues {
  private SqlValues() {}

  /** An object or a list is bound as JSON. */
  static Tuple tuple(List<? extends @Nullable Object> values) {
    var tuple = Tuple.tuple();
    for (var value : values) {
      tuple.addValue(
          switch (value) {
            case null -> null;
            case Map<?, ?> map -> new JsonObject(plain(map));
            case List<?> list -> new JsonArray(plain(list));
            case Object scalar -> scalar;
          });
    }
    return tuple;
  }

  private static Map<String, @Nullable Object> plain(Map<?, ?> map) {
    var plain = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((name, value) -> plain.put(String.valueOf(name), plainValue(value)));
    return plain;
  }

  private static List<@Nullable Object> plain(List<?> list) {
    var plain = new ArrayList<@Nullable Object>();
    list.forEach(item -> plain.add(plainValue(item)));
    return plain;
  }

  private static @Nullable Object plainValue(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> plain(map);
      case List<?> list -> plain(list);
      case null, default -> value;
    };
  }

  static Map<String, @Nullable Object> row(Row row) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    for (var i = 0; i < row.size(); i++) {
      json.put(row.getColumnName(i), value(row.getValue(i)));
    }
    return json;
  }

  /** About as many bytes as the row has as JSON. */
  static long size(Row row) {
    long size = 2;
    for (var i = 0; i < row.size(); i++) {
      size += row.getColumnName(i).length() + 4 + size(row.getValue(i));
    }
    return size;
  }

  private static long size(@Nullable Object column) {
    return switch (column) {
      case String text -> text.length();
      case Buffer bytes -> bytes.length() * 4L / 3;
      case JsonObject object -> size(object.getMap());
      case JsonArray array -> size(array.getList());
      case Map<?, ?> map -> {
        long size = 2;
        for (var entry : map.entrySet()) {
          size += String.valueOf(entry.getKey()).length() + 4 + size(entry.getValue());
        }
        yield size;
      }
      case List<?> list -> {
        long size = 2;
        for (var item : list) {
          size += 1 + size(item);
        }
        yield size;
      }
      case Object[] array -> size(Arrays.asList(array));
      case BigDecimal number -> number.precision();
      case Numeric number -> number.toString().length();
      case null, default -> 16; // Numbers, dates, ids.
    };
  }

  /**
   * Whole numbers and reals are numbers; a decimal that no real holds exactly, dates, times, ids
   * and whatever else JSON lacks are text; bytes are Base64.
   */
  static @Nullable Object value(@Nullable Object column) {
    return switch (column) {
      case null -> null;
      case Boolean bool -> bool;
      case Byte number -> number.longValue();
      case Short number -> number.longValue();
      case Integer number -> number.longValue();
      case Long number -> number;
      case Float number -> finite(Double.parseDouble(number.toString()));
      case Double number -> finite(number);
      case BigInteger number -> decimal(new BigDecimal(number));
      case BigDecimal number -> decimal(number);
      case Numeric number -> number.isNaN() ? "NaN" : decimal(number.bigDecimalValue());
      case Buffer bytes -> Base64.getEncoder().encodeToString(bytes.getBytes());
      case JsonObject object -> value(object.getMap());
      case JsonArray array -> value(array.getList());
      case Map<?, ?> map -> {
        var json = new LinkedHashMap<String, @Nullable Object>();
        map.forEach((name, item) -> json.put(String.valueOf(name), value(item)));
        yield json;
      }
      case List<?> list -> {
        var json = new ArrayList<@Nullable Object>();
        list.forEach(item -> json.add(value(item)));
        yield json;
      }
      case Object[] array -> value(Arrays.asList(array));
      default -> storable(column.toString());
    };
  }

  private static Object finite(double number) {
    return Double.isFinite(number) ? (Object) number : String.valueOf(number);
  }

  private static Object decimal(BigDecimal number) {
    try {
      return number.longValueExact();
    } catch (ArithmeticException e) {
      double real = number.doubleValue();
      return Double.isFinite(real) && BigDecimal.valueOf(real).compareTo(number) == 0
          ? (Object) real
          : number.toPlainString();
    }
  }

  private static String storable(String text) {
    if (!StorableText.isStorable(text)) {
      throw new WorkRefusedException(
          "UnstorableText", "A column holds text with a character that cannot be stored");
    }
    return text;
  }
}
