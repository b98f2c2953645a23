package skein.codecs;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Map;
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
  /** Of most texts. */
  private static final int CHARS_EXPECTED = 256;

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

  /**
   * Appends what {@link #print(Object)} returns, for a text that is composed of several values.
   *
   * @param depth of the value in the whole text: arrays and objects that it is in, from 0
   */
  public static void append(StringBuilder text, @Nullable Object value, int depth) {
    if (value instanceof String string && JsonTextWriter.isPlain(string)) {
      text.append('"').append(string).append('"');
    } else {
      new JsonTextWriter(text, false).value(value, depth);
    }
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
    var text = new StringBuilder(CHARS_EXPECTED);
    new JsonTextWriter(text, canonical).value(value, 0);
    return text.toString();
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
