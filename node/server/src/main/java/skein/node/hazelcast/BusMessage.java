package skein.node.hazelcast;

import io.netty.buffer.ByteBuf;

/**
 * One message of the event bus while it comes in, however it is cut: whether the lengths in it stay
 * within it. Vert.x makes room for each of them before it looks whether so much is there.
 *
 * <p>A message is a version, the number of its codec (-1: then its name follows), a byte, address,
 * address for the reply, sender, headers, and what the codec writes, which begins with a length
 * where it has one. Texts are four bytes of length, and so many bytes. Belongs to one connection.
 */
final class BusMessage {
  private static final int LENGTH_BYTES = 4;
  private static final int NAMED_CODEC = -1;
  private static final int TEXT_CODEC = 9;
  private static final int CHARACTER_CODEC = 10;
  private static final int FAILURE_CODEC = 15;

  /**
   * Codecs from this number on make objects of classes that the message names; no node uses them.
   */
  private static final int OBJECT_CODEC = 16;

  private enum Step {
    VERSION,
    CODEC,
    CODEC_NAME,
    KIND,
    ADDRESS,
    REPLY_ADDRESS,
    SENDER,
    HEADERS,
    HEADER_COUNT,
    HEADER_TEXT,
    FAILURE,
    FAILURE_HAS_TEXT,
    BODY,
    REST
  }

  private Step step = Step.VERSION;
  private long left;
  private long skipped;
  private int number;
  private int numberBytes;
  private int codec;
  private long headerBytes;
  private long headerTexts;

  /** Another message, of so many bytes. */
  void begin(int length) {
    step = Step.VERSION;
    left = length;
    skipped = 0;
    numberBytes = 0;
    number = 0;
  }

  /** Takes the next bytes of it, at most as many as are left; false when it is not a message. */
  boolean take(ByteBuf bytes, int from, int count) {
    int at = from;
    int end = from + count;
    while (at < end) {
      if (skipped > 0 || step == Step.REST) {
        int taken = step == Step.REST ? end - at : (int) Math.min(skipped, end - at);
        skipped -= Math.min(skipped, taken);
        left -= taken;
        at += taken;
      } else {
        left--;
        if (!take(bytes.getByte(at++))) {
          return false;
        }
      }
    }
    return left > 0 || (step == Step.REST && skipped == 0);
  }

  private boolean take(byte value) {
    switch (step) {
      case VERSION -> step = Step.CODEC;
      case CODEC -> {
        codec = value;
        step = codec == NAMED_CODEC ? Step.CODEC_NAME : Step.KIND;
        return codec >= NAMED_CODEC && codec < OBJECT_CODEC;
      }
      case KIND -> step = Step.ADDRESS;
      case FAILURE -> { // its kind, then a number
        step = Step.FAILURE_HAS_TEXT;
        skipped = LENGTH_BYTES;
      }
      case FAILURE_HAS_TEXT -> step = value == 0 ? Step.REST : Step.BODY;
      default -> {
        number = (number << 8) | (value & 0xff);
        if (++numberBytes == LENGTH_BYTES) {
          numberBytes = 0;
          return isWithin(number);
        }
      }
    }
    return true;
  }

  private boolean isWithin(int given) {
    if (given < 0 || given > (step == Step.HEADERS ? left + LENGTH_BYTES : left)) {
      return false;
    }
    switch (step) {
      case CODEC_NAME -> text(given, Step.KIND);
      case ADDRESS -> text(given, Step.REPLY_ADDRESS);
      case REPLY_ADDRESS -> text(given, Step.SENDER);
      case SENDER -> text(given, Step.HEADERS);
      case HEADERS -> {
        headerBytes = (long) given - LENGTH_BYTES;
        step = headerBytes > 0 ? Step.HEADER_COUNT : body();
        return headerBytes >= 0;
      }
      case HEADER_COUNT -> {
        headerBytes -= LENGTH_BYTES;
        headerTexts = 2L * given;
        step = headerTexts > 0 ? Step.HEADER_TEXT : body();
        return headerTexts > 0 ? headerTexts * LENGTH_BYTES <= headerBytes : headerBytes == 0;
      }
      case HEADER_TEXT -> {
        headerBytes -= LENGTH_BYTES + (long) given;
        headerTexts--;
        text(given, headerTexts > 0 ? Step.HEADER_TEXT : body());
        return headerTexts > 0 ? headerBytes > 0 : headerBytes == 0;
      }
      default -> step = Step.REST; // that of the body
    }
    return true;
  }

  private void text(int length, Step next) {
    skipped = length;
    step = next;
  }

  private Step body() {
    return codec == FAILURE_CODEC ? Step.FAILURE : hasLength() ? Step.BODY : Step.REST;
  }

  /** Those of nothing, numbers and flags have none. */
  private boolean hasLength() {
    return codec == NAMED_CODEC || (codec >= TEXT_CODEC && codec != CHARACTER_CODEC);
  }
}
