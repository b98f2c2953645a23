package skein.codecs;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * The primitives of every binary format here; {@link ByteReader} is its mirror.
 *
 * <p>Whole numbers are varints of seven bits, low bits first; signed ones zigzag first. A string is
 * a varint, whose low two bits say how it is written ({@link StringForm}) and whose rest is a
 * length or the number of an earlier string: ids and paths are repeated a lot.
 */
final class ByteWriter {
  /** How a string is written; the two low bits of its head. */
  static final class StringForm {
    static final int UTF8 = 0;

    /** Two bytes a unit: text that is not well-formed Unicode. */
    static final int UTF16 = 1;

    /** The rest of the head is the number of an earlier string. */
    static final int AGAIN = 2;

    /** Upper-case hex, two digits a byte: hashes. */
    static final int HEX = 3;

    private StringForm() {}

    /** Shorter strings cost no more than a number; longer ones are seldom repeated. */
    static boolean isNumbered(String value) {
      return value.length() >= 3 && value.length() <= 256;
    }
  }

  /** The kind of a JSON value; one byte. */
  static final class Tag {
    static final int NULL = 0;
    static final int FALSE = 1;
    static final int TRUE = 2;
    static final int LONG = 3;
    static final int DOUBLE = 4;
    static final int BIG_INTEGER = 5;
    static final int BIG_DECIMAL = 6;
    static final int STRING = 7;
    static final int LIST = 8;
    static final int MAP = 9;

    private Tag() {}
  }

  private static final int HEX_MIN = 32;

  /** Reserved for a number, which seldom takes as much. */
  private static final int VARINT_MAX = 10;

  /** Longer arrays are refused by some JVMs. */
  private static final int LENGTH_MAX = Integer.MAX_VALUE - 8 - VARINT_MAX;

  /** The least that objects take on the heap beside their contents. */
  private static final class Heap {
    static final int STRING = 48;
    static final int NUMBER = 24;
    static final int LIST = 48;
    static final int MAP = 64;

    /** The size that the first entry of a map adds: the table of entries. */
    static final int TABLE = 80;

    /** A map's, or a list's whose elements are more than values. */
    static final int ENTRY = 56;

    static final int REFERENCE = 8;

    private Heap() {}
  }

  private byte[] bytes = new byte[512];
  private int length;
  private long heapBytes;
  private final StringNumbers numbers = new StringNumbers();
  private final int version;
  private final int max;
  private final Supplier<SkeinException> tooLong;

  /** Begins with the version, as every format does. */
  ByteWriter(int version) {
    this(version, LENGTH_MAX, () -> tooLong(LENGTH_MAX));
  }

  /**
   * Begins with the version, as every format does.
   *
   * @param max bytes; what is longer is not written to its end
   * @param tooLong what is thrown then
   */
  ByteWriter(int version, int max, Supplier<SkeinException> tooLong) {
    this.version = version;
    this.max = Math.min(max, LENGTH_MAX);
    this.tooLong = tooLong;
    oneByte(version);
  }

  private static SkeinException tooLong(int max) {
    return new SkeinException(ErrorCode.TOO_LARGE, "The value takes more than " + max + " bytes");
  }

  /** The version of the bytes being written. */
  int version() {
    return version;
  }

  byte[] toBytes() {
    if (length > max) {
      throw tooLong.get();
    }
    return Arrays.copyOf(bytes, length);
  }

  /**
   * About what the values that were written take on the heap when each is an object of its own:
   * small ones take there up to thirty times what they take here.
   */
  long heapBytes() {
    return heapBytes;
  }

  void oneByte(int value) {
    reserve(1);
    bytes[length++] = (byte) value;
  }

  void raw(byte[] value) {
    reserve(value.length);
    System.arraycopy(value, 0, bytes, length, value.length);
    length += value.length;
  }

  /** Also for negative numbers, which take ten bytes. */
  void varint(long value) {
    reserve(VARINT_MAX);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  void signed(long value) {
    varint((value << 1) ^ (value >> 63));
  }

  void bool(boolean value) {
    oneByte(value ? 1 : 0);
  }

  /** Of one of a few constants, which take nothing on the heap. */
  void name(Enum<?> value) {
    long before = heapBytes;
    string(value.name());
    heapBytes = before;
  }

  void string(String value) {
    heapBytes += Heap.STRING + value.length();
    if (StringForm.isNumbered(value)) {
      int number = numbers.add(value);
      if (number != StringNumbers.NEW) {
        varint(((long) number << 2) | StringForm.AGAIN);
        return;
      }
    }
    if (isHex(value)) {
      hex(value);
    } else if (writesAscii(value)) {
      return;
    } else if (StorableText.firstLoneSurrogate(value) < 0) {
      var utf8 = value.getBytes(StandardCharsets.UTF_8);
      varint(((long) utf8.length << 2) | StringForm.UTF8);
      heapBytes += utf8.length - value.length();
      raw(utf8);
    } else {
      varint(((long) value.length() << 3) | StringForm.UTF16);
      heapBytes += value.length();
      value.chars().forEach(this::unit);
    }
  }

  /** A presence byte, then the value. */
  <T> void nullable(@Nullable T value, BiConsumer<ByteWriter, T> write) {
    bool(value != null);
    if (value != null) {
      write.accept(this, value);
    }
  }

  <T> void list(List<T> values, BiConsumer<ByteWriter, T> write) {
    varint(values.size());
    heapBytes += Heap.LIST + (long) Heap.ENTRY * values.size();
    for (var value : values) {
      write.accept(this, value);
    }
  }

  /** Seconds, then microseconds doubled, or nanoseconds doubled and one where they are needed. */
  void instant(Instant value) {
    heapBytes += Heap.NUMBER;
    signed(value.getEpochSecond());
    int nanos = value.getNano();
    varint(nanos % 1000 == 0 ? ((long) nanos / 1000) << 1 : ((long) nanos << 1) | 1);
  }

  void duration(Duration value) {
    signed(value.getSeconds());
    varint(value.getNano());
  }

  void map(Map<String, ? extends @Nullable Object> values) {
    map(values, 0);
  }

  /** A JSON value, deeper than {@link JsonLimits#DEPTH_CEILING} is refused with TOO_DEEP. */
  void json(@Nullable Object value) {
    json(value, 0);
  }

  private void json(@Nullable Object value, int depth) {
    if (depth > JsonLimits.DEPTH_CEILING) {
      throw new SkeinException(
          ErrorCode.TOO_DEEP,
          "The value is more than " + JsonLimits.DEPTH_CEILING + " arrays and objects deep");
    }
    if (value == null) {
      oneByte(Tag.NULL);
    } else if (value instanceof Boolean truth) {
      oneByte(truth ? Tag.TRUE : Tag.FALSE);
    } else if (value instanceof Number number) {
      number(number);
    } else if (value instanceof String text) {
      oneByte(Tag.STRING);
      string(text);
    } else if (value instanceof List<?> list) {
      oneByte(Tag.LIST);
      varint(list.size());
      heapBytes += Heap.LIST + (long) Heap.REFERENCE * list.size();
      for (var element : list) {
        json(element, depth + 1);
      }
    } else if (value instanceof Map<?, ?> map) {
      oneByte(Tag.MAP);
      map(map, depth);
    } else {
      throw new IllegalArgumentException(value.getClass().getName() + " is not a JSON value");
    }
  }

  private void map(Map<?, ? extends @Nullable Object> values, int depth) {
    varint(values.size());
    heapBytes += Heap.MAP;
    if (!values.isEmpty()) {
      heapBytes += Heap.TABLE + (long) Heap.ENTRY * values.size();
    }
    for (var entry : values.entrySet()) {
      if (!(entry.getKey() instanceof String key)) {
        throw new IllegalArgumentException("The key " + entry.getKey() + " is not a string");
      }
      string(key);
      json(entry.getValue(), depth + 1);
    }
  }

  private void number(Number number) {
    heapBytes += Heap.NUMBER;
    if (number instanceof Long n) {
      whole(n);
    } else if (number instanceof Integer n) {
      whole(n);
    } else if (number instanceof Short n) {
      whole(n);
    } else if (number instanceof Byte n) {
      whole(n);
    } else if (number instanceof Double n) {
      fraction(n);
    } else if (number instanceof Float n) {
      fraction(n);
    } else if (number instanceof BigInteger n) {
      oneByte(Tag.BIG_INTEGER);
      magnitude(n);
    } else if (number instanceof BigDecimal n) {
      oneByte(Tag.BIG_DECIMAL);
      signed(n.scale());
      magnitude(n.unscaledValue());
    } else {
      throw new IllegalArgumentException(number.getClass().getName() + " is not a JSON value");
    }
  }

  private void whole(long value) {
    oneByte(Tag.LONG);
    signed(value);
  }

  private void fraction(double value) {
    oneByte(Tag.DOUBLE);
    long bits = Double.doubleToLongBits(value);
    for (int shift = 56; shift >= 0; shift -= 8) {
      oneByte((int) (bits >>> shift));
    }
  }

  private void magnitude(BigInteger value) {
    var twosComplement = value.toByteArray();
    varint(twosComplement.length);
    heapBytes += Heap.LIST + twosComplement.length;
    raw(twosComplement);
  }

  private void hex(String value) {
    varint(((long) value.length() << 1) | StringForm.HEX);
    reserve(value.length() / 2);
    for (int i = 0; i < value.length(); i += 2) {
      bytes[length++] = (byte) (digit(value.charAt(i)) << 4 | digit(value.charAt(i + 1)));
    }
  }

  /** Of a digit in upper case. */
  private static int digit(char c) {
    return c <= '9' ? c - '0' : c - 'A' + 10;
  }

  /** Writes a text of ASCII, which is its UTF-8; false: it is none, and nothing was written. */
  private boolean writesAscii(String value) {
    int before = length;
    int count = value.length();
    varint(((long) count << 2) | StringForm.UTF8);
    reserve(count);
    var target = bytes;
    int at = length;
    for (int i = 0; i < count; i++) {
      char c = value.charAt(i);
      if (c > 0x7F) {
        length = before;
        return false;
      }
      target[at + i] = (byte) c;
    }
    length = at + count;
    return true;
  }

  private void unit(int c) {
    oneByte(c >>> 8);
    oneByte(c);
  }

  private static boolean isHex(String value) {
    if (value.length() < HEX_MIN || value.length() % 2 != 0) {
      return false;
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if ((c < '0' || c > '9') && (c < 'A' || c > 'F')) {
        return false;
      }
    }
    return true;
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      grow((long) length + more);
    }
  }

  private void grow(long needed) {
    long most = (long) max + VARINT_MAX;
    if (needed > most) {
      throw tooLong.get();
    }
    bytes = Arrays.copyOf(bytes, (int) Math.min(Math.max(bytes.length * 2L, needed), most));
  }
}
