package skein.codecs;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.codecs.ByteWriter.StringForm;
import skein.codecs.ByteWriter.Tag;

/**
 * The mirror of {@link ByteWriter}. Every failure is a {@link BadBytesException}; nothing is
 * allocated for a length or a count that the remaining bytes could not hold.
 */
final class ByteReader {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final String what;
  private final byte[] bytes;
  private int position;
  private int version;
  private final List<String> numbered = new ArrayList<>();

  /** {@code what}: what the bytes should be, for the exception. */
  ByteReader(String what, byte[] bytes) {
    this.what = what;
    this.bytes = bytes;
  }

  /** Reads the version that every format begins with; {@code known}: the newest. */
  void readVersion(int known) {
    version = oneByte();
    if (version < 1 || version > known) {
      throw version > known
          ? newer(
              "format version " + version + " is newer than " + known + ", which this node knows")
          : bad("format version " + version + " does not exist");
    }
  }

  /** The version of the bytes being read. */
  int version() {
    return version;
  }

  /** Reads a byte if it is the next; else nothing, also at the end. */
  boolean skips(int marker) {
    boolean next = position < bytes.length && (bytes[position] & 0xFF) == marker;
    if (next) {
      position++;
    }
    return next;
  }

  /** Checks that nothing is left. */
  void end() {
    if (position != bytes.length) {
      throw bad((bytes.length - position) + " bytes too many");
    }
  }

  int oneByte() {
    if (position == bytes.length) {
      throw bad("the bytes end here");
    }
    return bytes[position++] & 0xFF;
  }

  byte[] raw(int length) {
    if (length > bytes.length - position) {
      throw bad("a length of " + length + ", but " + (bytes.length - position) + " bytes are left");
    }
    position += length;
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  long varint() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = oneByte();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        if (shift == 63 && next > 1) {
          throw bad("a number of more than 64 bits");
        }
        return value;
      }
    }
    throw bad("a number of more than 64 bits");
  }

  /** A varint from 0 to {@code Integer.MAX_VALUE}. */
  int count() {
    long value = varint();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw bad(Long.toUnsignedString(value) + " is out of range");
    }
    return (int) value;
  }

  long signed() {
    long value = varint();
    return (value >>> 1) ^ -(value & 1);
  }

  boolean bool() {
    int value = oneByte();
    if (value > 1) {
      throw bad(value + " is neither true nor false");
    }
    return value == 1;
  }

  <E extends Enum<E>> E name(Class<E> type) {
    var name = string();
    for (var constant : type.getEnumConstants()) {
      if (constant.name().equals(name)) {
        return constant;
      }
    }
    throw newer("\"" + shown(name) + "\" is no " + type.getSimpleName() + " this node knows");
  }

  String string() {
    long head = varint();
    long rest = head >>> 2;
    if ((head & 3) == StringForm.AGAIN) {
      if (rest >= numbered.size()) {
        throw bad("string " + rest + " is meant, but " + numbered.size() + " were there");
      }
      return numbered.get((int) rest);
    }
    if (rest > bytes.length - position) {
      throw bad("a string of " + rest + " bytes, but " + (bytes.length - position) + " are left");
    }
    int length = (int) rest;
    var value =
        switch ((int) (head & 3)) {
          case StringForm.UTF8 -> utf8(length);
          case StringForm.UTF16 -> utf16(length);
          default -> HEX.formatHex(raw(length));
        };
    if (StringForm.isNumbered(value)) {
      numbered.add(value);
    }
    return value;
  }

  <T> @Nullable T nullable(Function<ByteReader, T> read) {
    return bool() ? read.apply(this) : null;
  }

  <T> List<T> list(Function<ByteReader, T> read) {
    int size = size(1);
    var values = new ArrayList<T>(size);
    for (int i = 0; i < size; i++) {
      values.add(read.apply(this));
    }
    return List.copyOf(values);
  }

  Instant instant() {
    long seconds = signed();
    long fraction = varint();
    long nanos = (fraction & 1) == 0 ? (fraction >>> 1) * 1000 : fraction >>> 1;
    requireNanos(nanos);
    try {
      return Instant.ofEpochSecond(seconds, nanos);
    } catch (DateTimeException e) {
      throw bad(seconds + " seconds are not a valid instant");
    }
  }

  Duration duration() {
    long seconds = signed();
    long nanos = varint();
    requireNanos(nanos);
    return Duration.ofSeconds(seconds, nanos);
  }

  Map<String, @Nullable Object> map() {
    return map(0);
  }

  @Nullable Object json() {
    return json(0);
  }

  /** Reads with a function that refuses what is out of its range. */
  <A, B> B checked(A argument, Function<A, B> make) {
    try {
      return make.apply(argument);
    } catch (RuntimeException e) {
      throw bad(e.getMessage() == null ? "a value out of range" : e.getMessage());
    }
  }

  BadBytesException bad(String problem) {
    return new BadBytesException(what, position, problem);
  }

  /** Data that a newer version may have written. */
  BadBytesException newer(String problem) {
    return new BadBytesException(what, position, problem, true);
  }

  private @Nullable Object json(int depth) {
    if (depth > JsonLimits.DEPTH_CEILING) {
      throw bad("more than " + JsonLimits.DEPTH_CEILING + " arrays and objects deep");
    }
    int tag = oneByte();
    return switch (tag) {
      case Tag.NULL -> null;
      case Tag.FALSE -> false;
      case Tag.TRUE -> true;
      case Tag.LONG -> signed();
      case Tag.DOUBLE -> Double.longBitsToDouble(ByteBuffer.wrap(raw(8)).getLong());
      case Tag.BIG_INTEGER -> magnitude();
      case Tag.BIG_DECIMAL -> decimal();
      case Tag.STRING -> string();
      case Tag.LIST -> jsonList(depth);
      case Tag.MAP -> map(depth);
      default -> throw bad(tag + " is not a kind of JSON value");
    };
  }

  private List<@Nullable Object> jsonList(int depth) {
    int size = size(1);
    if (size == 0) {
      return Collections.emptyList();
    }
    var values = new ArrayList<@Nullable Object>(size);
    for (int i = 0; i < size; i++) {
      values.add(json(depth + 1));
    }
    return Collections.unmodifiableList(values);
  }

  private Map<String, @Nullable Object> map(int depth) {
    int size = size(2);
    if (size == 0) {
      return Collections.emptyMap();
    }
    var values = new LinkedHashMap<String, @Nullable Object>(capacity(size));
    for (int i = 0; i < size; i++) {
      var key = string();
      if (values.containsKey(key)) {
        throw bad("the key \"" + shown(key) + "\" is there twice");
      }
      values.put(key, json(depth + 1));
    }
    return Collections.unmodifiableMap(values);
  }

  private BigInteger magnitude() {
    int length = count();
    if (length == 0) {
      throw bad("a number without digits");
    }
    return new BigInteger(raw(length));
  }

  private BigDecimal decimal() {
    long scale = signed();
    if (scale != (int) scale) {
      throw bad("a scale of " + scale);
    }
    return new BigDecimal(magnitude(), (int) scale);
  }

  private String utf8(int length) {
    if (isAscii(length)) { // Most are: without a decoder and its buffers.
      var text = new String(bytes, position, length, StandardCharsets.US_ASCII);
      position += length;
      return text;
    }
    try {
      var text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, position, length));
      position += length;
      return text.toString();
    } catch (CharacterCodingException e) {
      throw bad("a string that is not UTF-8");
    }
  }

  private boolean isAscii(int length) {
    for (int i = position; i < position + length; i++) {
      if (bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }

  private String utf16(int length) {
    if (length % 2 != 0) {
      throw bad("half a character");
    }
    var units = new char[length / 2];
    ByteBuffer.wrap(raw(length)).asCharBuffer().get(units);
    return new String(units);
  }

  /** A number of elements of at least {@code bytesMin} bytes each. */
  private int size(int bytesMin) {
    long size = varint();
    if (size < 0 || size > (bytes.length - position) / bytesMin) {
      throw bad(
          Long.toUnsignedString(size)
              + " elements, but "
              + (bytes.length - position)
              + " bytes are left");
    }
    return (int) size;
  }

  private void requireNanos(long nanos) {
    if (nanos < 0 || nanos > 999_999_999) {
      throw bad(nanos + " nanoseconds");
    }
  }

  private static String shown(String text) {
    return text.length() > 80 ? text.substring(0, 80) + "…" : text;
  }

  /** The capacity of a map that need not grow for so many entries. */
  static int capacity(int entries) {
    return (int) Math.min(Integer.MAX_VALUE, entries * 4L / 3 + 1);
  }
}
