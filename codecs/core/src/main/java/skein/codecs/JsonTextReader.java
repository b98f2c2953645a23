package skein.codecs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Reads one text once. */
final class JsonTextReader {
  // Our own limits come first and say more; the parser's would only change the error.
  private static final JsonFactory PARSERS =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final String text;
  private final JsonLimits limits;
  private int values;

  JsonTextReader(String text, JsonLimits limits) {
    this.text = text;
    this.limits = limits;
  }

  @Nullable Object read() {
    try (var parser = PARSERS.createParser(text)) {
      if (parser.nextToken() == null) {
        throw refuse(ErrorCode.INVALID_JSON, "The text is empty", parser.currentLocation());
      }
      var value = value(parser, 0);
      if (parser.nextToken() != null) {
        throw refuse(
            ErrorCode.INVALID_JSON, "Something follows the value", parser.currentTokenLocation());
      }
      return value;
    } catch (JsonProcessingException e) {
      throw refuse(ErrorCode.INVALID_JSON, e.getOriginalMessage(), e.getLocation());
    } catch (IOException e) {
      throw new UncheckedIOException("A reader from memory failed", e);
    }
  }

  private @Nullable Object value(JsonParser parser, int depth) throws IOException {
    if (++values > limits.membersMax()) {
      throw refuse(
          ErrorCode.TOO_LARGE,
          "The text has more than " + limits.membersMax() + " values",
          parser.currentTokenLocation());
    }
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, deeper(parser, depth));
      case START_ARRAY -> array(parser, deeper(parser, depth));
      case VALUE_STRING -> string(parser, "A string");
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> decimal(parser);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case FIELD_NAME, END_ARRAY, END_OBJECT, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new IllegalStateException("The parser gave " + parser.currentToken());
    };
  }

  private int deeper(JsonParser parser, int depth) {
    if (depth >= limits.depthMax()) {
      throw refuse(
          ErrorCode.TOO_DEEP,
          "More than " + limits.depthMax() + " arrays and objects within one another",
          parser.currentTokenLocation());
    }
    return depth + 1;
  }

  private Map<String, @Nullable Object> object(JsonParser parser, int depth) throws IOException {
    var members = new LinkedHashMap<String, @Nullable Object>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var key = string(parser, "A key");
      if (members.containsKey(key)) {
        throw refuse(
            ErrorCode.INVALID_JSON,
            "The key \"" + ShownText.of(key) + "\" is there twice",
            parser.currentTokenLocation());
      }
      parser.nextToken();
      members.put(key, value(parser, depth));
    }
    return Collections.unmodifiableMap(members);
  }

  private List<@Nullable Object> array(JsonParser parser, int depth) throws IOException {
    var elements = new ArrayList<@Nullable Object>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser, depth));
    }
    return Collections.unmodifiableList(elements);
  }

  private String string(JsonParser parser, String what) throws IOException {
    int length = parser.getTextLength();
    if (length > limits.stringCharsMax()) {
      throw refuse(
          ErrorCode.TOO_LARGE,
          what + " has " + length + " characters; at most " + limits.stringCharsMax(),
          parser.currentTokenLocation());
    }
    var value = parser.getText();
    int bad = StorableText.firstUnstorable(value);
    if (bad >= 0) {
      throw refuse(
          ErrorCode.UNSTORABLE_TEXT,
          what + " has " + StorableText.name(value.charAt(bad)),
          parser.currentTokenLocation());
    }
    return value;
  }

  private Number integer(JsonParser parser) throws IOException {
    if (parser.getTextLength() <= 18) {
      return parser.getLongValue(); // Without a text of it.
    }
    requireDigits(parser, parser.getTextLength());
    var value = new BigInteger(parser.getText());
    return value.bitLength() < Long.SIZE ? (Number) value.longValue() : value;
  }

  /** A double when it prints as the same number, else the decimal itself. */
  private Number decimal(JsonParser parser) throws IOException {
    // Sign, point, and an exponent of a sign and ten digits are not digits of the number.
    requireDigits(parser, parser.getTextLength() - 14);
    var text = parser.getText();
    BigDecimal exact;
    try {
      exact = new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw tooManyDigits(parser);
    }
    requireDigits(parser, Math.max(exact.precision() - (long) exact.scale(), exact.scale()));
    double near = exact.doubleValue();
    boolean same =
        Double.isFinite(near) && new BigDecimal(Double.toString(near)).compareTo(exact) == 0;
    return same ? (Number) near : exact;
  }

  private void requireDigits(JsonParser parser, long digits) {
    if (digits > limits.numberDigitsMax()) {
      throw tooManyDigits(parser);
    }
  }

  private SkeinException tooManyDigits(JsonParser parser) {
    return refuse(
        ErrorCode.TOO_LARGE,
        "A number has more than " + limits.numberDigitsMax() + " digits",
        parser.currentTokenLocation());
  }

  private static SkeinException refuse(
      ErrorCode code, @Nullable String problem, @Nullable JsonLocation at) {
    var place = at == null ? "" : ", at " + at.getLineNr() + ":" + at.getColumnNr();
    return new SkeinException(code, (problem == null ? "Not JSON" : problem) + place);
  }
}
