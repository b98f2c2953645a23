package skein.codecs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.SegmentedStringWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * JSON text to JSON values and back; what a JSON value is stands in the description of {@code
 * skein.model}.
 *
 * <p>Strict: RFC 8259 and nothing more, no duplicate keys, nothing after the value, well-formed
 * UTF-8 with or without a byte order mark, storable text alone (see {@link StorableText}). Refusals
 * are {@link SkeinException}s with {@code INVALID_JSON}, {@code TOO_LARGE}, {@code TOO_DEEP} or
 * {@code UNSTORABLE_TEXT} and the line and column.
 */
public final class JsonText {
  private static final JsonFactory WRITERS =
      JsonFactory.builder()
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .streamWriteConstraints(
              StreamWriteConstraints.builder().maxNestingDepth(Integer.MAX_VALUE).build())
          .build();

  /** The replacement character: for bytes that are not UTF-8, or for itself. */
  private static final char REPLACEMENT = '\uFFFD';

  private JsonText() {}

  /** Maps and lists in the result are unmodifiable; maps keep the order of the text. */
  public static @Nullable Object parse(byte[] utf8, JsonLimits limits) {
    if (utf8.length > limits.bytesMax()) {
      throw tooLarge(utf8.length, limits);
    }
    return new JsonTextReader(decode(utf8), limits).read();
  }

  /** As {@link #parse(byte[], JsonLimits)}. */
  public static @Nullable Object parse(String text, JsonLimits limits) {
    if (text.length() > limits.bytesMax()) {
      throw tooLarge(text.length(), limits);
    }
    if (text.length() > limits.bytesMax() / 3) {
      int bytes = text.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > limits.bytesMax()) {
        throw tooLarge(bytes, limits);
      }
    }
    return new JsonTextReader(text.startsWith("\uFEFF") ? text.substring(1) : text, limits).read();
  }

  /**
   * As {@link #parse(byte[], JsonLimits)}, and refuses with {@code INVALID_JSON} what is not an
   * object.
   */
  public static Map<String, @Nullable Object> parseObject(byte[] utf8, JsonLimits limits) {
    return object(parse(utf8, limits));
  }

  /** As {@link #parseObject(byte[], JsonLimits)}. */
  public static Map<String, @Nullable Object> parseObject(String text, JsonLimits limits) {
    return object(parse(text, limits));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, @Nullable Object> object(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    throw new SkeinException(ErrorCode.INVALID_JSON, "A JSON object is expected, at 1:1");
  }

  /**
   * Text without blanks, in the order of the maps. NaN and infinities, which JSON does not have,
   * become null as in JavaScript; characters that cannot be stored (see {@link StorableText})
   * become U+FFFD, so that {@link #parse} and every store take what is printed; deeper than {@link
   * JsonLimits#DEPTH_CEILING} is refused with {@code TOO_DEEP}.
   */
  public static String print(@Nullable Object value) {
    return print(value, false);
  }

  /** {@link #print} in UTF-8. */
  public static byte[] printBytes(@Nullable Object value) {
    return print(value).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The one text of a value: keys sorted by UTF-16 unit, no blanks, numbers by value alone ({@code
   * 1}, {@code 1.0} and {@code 1.00} are all {@code 1}). Equal values have equal texts.
   */
  public static String canonical(@Nullable Object value) {
    return value == null || value instanceof Long || value instanceof Boolean
        ? String.valueOf(value)
        : print(value, true);
  }

  private static String print(@Nullable Object value, boolean canonical) {
    var buffers = WRITERS._getBufferRecycler();
    try (var text = new SegmentedStringWriter(buffers);
        var generator = WRITERS.createGenerator(text)) {
      write(generator, value, canonical, 0);
      generator.flush();
      return text.getAndClear();
    } catch (IOException e) {
      throw new UncheckedIOException("A writer into memory failed", e);
    } finally {
      buffers.releaseToPool();
    }
  }

  private static void write(JsonGenerator out, @Nullable Object value, boolean canonical, int depth)
      throws IOException {
    if (value == null) {
      out.writeNull();
    } else if (value instanceof String text) {
      out.writeString(canonical ? text : StorableText.replaced(text));
    } else if (value instanceof Boolean truth) {
      out.writeBoolean(truth);
    } else if (value instanceof Long number) {
      out.writeNumber(number.longValue());
    } else if (value instanceof Number number) {
      out.writeNumber(number(number, canonical));
    } else if (value instanceof Map<?, ?> map) {
      writeMap(out, canonical ? sorted(map) : withStorableKeys(map), canonical, deeper(depth));
    } else if (value instanceof List<?> list) {
      int within = deeper(depth);
      out.writeStartArray();
      for (var element : list) {
        write(out, element, canonical, within);
      }
      out.writeEndArray();
    } else {
      throw notJson(value);
    }
  }

  private static void writeMap(JsonGenerator out, Map<?, ?> map, boolean canonical, int depth)
      throws IOException {
    out.writeStartObject();
    for (var entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String key)) {
        throw new IllegalArgumentException("The key " + entry.getKey() + " is not a string");
      }
      out.writeFieldName(key);
      write(out, entry.getValue(), canonical, depth);
    }
    out.writeEndObject();
  }

  /** As deep as is read again. */
  private static int deeper(int depth) {
    if (depth >= JsonLimits.DEPTH_CEILING) {
      throw new SkeinException(
          ErrorCode.TOO_DEEP,
          "The value is more than " + JsonLimits.DEPTH_CEILING + " arrays and objects deep");
    }
    return depth + 1;
  }

  /** The map with keys that can be stored, each still another one than all others. */
  private static Map<?, ?> withStorableKeys(Map<?, ?> map) {
    if (hasStorableKeys(map)) {
      return map;
    }
    var taken = new HashSet<Object>(map.keySet());
    var renamed = new LinkedHashMap<Object, @Nullable Object>();
    map.forEach((key, value) -> {
      var name = key;
      if (key instanceof String text && !StorableText.isStorable(text)) {
        var next = StorableText.replaced(text);
        while (!taken.add(next)) {
          next += renamed.size(); // many keys may become the same text
        }
        name = next;
      }
      renamed.put(name, value);
    });
    return renamed;
  }

  private static boolean hasStorableKeys(Map<?, ?> map) {
    for (var key : map.keySet()) {
      if (key instanceof String text && !StorableText.isStorable(text)) {
        return false;
      }
    }
    return true;
  }

  private static Map<?, ?> sorted(Map<?, ?> map) {
    return map.size() < 2 ? map : new TreeMap<>(map);
  }

  private static String number(Number number, boolean canonical) {
    if (number instanceof Integer n) {
      return n.toString();
    }
    if (number instanceof Short n) {
      return n.toString();
    }
    if (number instanceof Byte n) {
      return n.toString();
    }
    if (number instanceof BigInteger n) {
      return canonical ? minimal(new BigDecimal(n)) : n.toString();
    }
    if (number instanceof BigDecimal n) {
      return canonical ? minimal(n) : n.toString();
    }
    if (number instanceof Double n) {
      return decimal(n.doubleValue(), n.toString(), canonical);
    }
    if (number instanceof Float n) {
      return decimal(n.doubleValue(), n.toString(), canonical);
    }
    throw notJson(number);
  }

  private static String decimal(double value, String text, boolean canonical) {
    if (!Double.isFinite(value)) {
      return "null";
    }
    return canonical ? minimal(new BigDecimal(text)) : text;
  }

  /** Plain up to 21 digits as in JavaScript, else digits and an exponent. */
  private static String minimal(BigDecimal value) {
    if (value.signum() == 0) {
      return "0";
    }
    var stripped = value.stripTrailingZeros();
    int integerDigits = stripped.precision() - stripped.scale();
    return integerDigits <= 21 && stripped.scale() <= 21
        ? stripped.toPlainString()
        : stripped.unscaledValue() + "e" + -(long) stripped.scale();
  }

  private static IllegalArgumentException notJson(Object value) {
    return new IllegalArgumentException(value.getClass().getName() + " is not a JSON value");
  }

  private static String decode(byte[] utf8) {
    boolean mark =
        utf8.length >= 3
            && utf8[0] == (byte) 0xEF
            && utf8[1] == (byte) 0xBB
            && utf8[2] == (byte) 0xBF;
    int from = mark ? 3 : 0;
    var text = new String(utf8, from, utf8.length - from, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) < 0) {
      return text; // Nothing had to be replaced.
    }
    var bytes = ByteBuffer.wrap(utf8, from, utf8.length - from);
    var decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    try {
      return decoder.decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new SkeinException(
          ErrorCode.INVALID_JSON, "The text is not UTF-8, at " + place(utf8, bytes.position()));
    }
  }

  /** Line and column, in bytes, of an offset. */
  private static String place(byte[] utf8, int offset) {
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < offset; i++) {
      if (utf8[i] == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    return line + ":" + (offset - lineStart + 1);
  }

  private static SkeinException tooLarge(int length, JsonLimits limits) {
    return new SkeinException(
        ErrorCode.TOO_LARGE,
        "The text has " + length + " bytes; at most " + limits.bytesMax() + " are allowed, at 1:1");
  }
}
