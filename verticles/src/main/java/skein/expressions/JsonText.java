package skein.expressions;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON text to JSON values and back; strict, duplicate names refused. */
final class JsonText {
  private static final int DEPTH_MAX = 200;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
          .build();

  private JsonText() {}

  /** Throws {@link IllegalArgumentException} where the text is not exactly one JSON value. */
  static @Nullable Object parse(String text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() == null) {
        throw new IllegalArgumentException("empty JSON text");
      }
      var value = value(parser);
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("text after the JSON value");
      }
      return value;
    } catch (IOException e) {
      throw new IllegalArgumentException("not JSON: " + firstLine(e), e);
    }
  }

  static String print(@Nullable Object value) {
    var out = new StringWriter();
    try (var generator = FACTORY.createGenerator(out)) {
      print(generator, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString();
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> integer(parser.getText());
      case VALUE_NUMBER_FLOAT -> fraction(parser.getText());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new IllegalArgumentException("unexpected " + parser.currentToken());
    };
  }

  private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
    var object = new LinkedHashMap<String, @Nullable Object>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.currentName();
      parser.nextToken();
      object.put(name, value(parser));
    }
    return object;
  }

  private static List<@Nullable Object> array(JsonParser parser) throws IOException {
    var array = new ArrayList<@Nullable Object>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser));
    }
    return array;
  }

  private static Object integer(String text) {
    if (text.length() <= 18) {
      return Long.parseLong(text);
    }
    var big = new BigInteger(text);
    return big.bitLength() < 64 ? (Object) big.longValue() : big;
  }

  private static Object fraction(String text) {
    var exact = new BigDecimal(text);
    var nearest = exact.doubleValue();
    return Double.isFinite(nearest) && BigDecimal.valueOf(nearest).compareTo(exact) == 0
        ? (Object) nearest
        : exact;
  }

  private static void print(
      com.fasterxml.jackson.core.JsonGenerator generator, @Nullable Object value)
      throws IOException {
    switch (value) {
      case null -> generator.writeNull();
      case Boolean bool -> generator.writeBoolean(bool);
      case Double number -> generator.writeNumber(number);
      case BigDecimal number -> generator.writeNumber(number);
      case BigInteger number -> generator.writeNumber(number);
      case Number number -> generator.writeNumber(number.longValue());
      case Map<?, ?> map -> {
        generator.writeStartObject();
        for (var entry : map.entrySet()) {
          generator.writeFieldName(String.valueOf(entry.getKey()));
          print(generator, entry.getValue());
        }
        generator.writeEndObject();
      }
      case List<?> list -> {
        generator.writeStartArray();
        for (var item : list) {
          print(generator, item);
        }
        generator.writeEndArray();
      }
      default -> generator.writeString(value.toString());
    }
  }

  private static String firstLine(IOException e) {
    var message = String.valueOf(e.getMessage());
    var end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
