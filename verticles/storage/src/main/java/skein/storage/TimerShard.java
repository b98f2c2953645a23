package skein.storage;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import skein.model.InstanceId;

/**
 * A part of all timers: those whose instance's id has this hash. Every instance is in one shard, so
 * the shares that an instance has of what is under way hold for all of its timers.
 *
 * <p>Which shard a row is in, PostgreSQL says, by its own hash of the id. It is repeated here for
 * nudges alone: a disagreement would cost the nudge and nothing else.
 *
 * @param number 0 and up to {@code count}
 * @param count 1 to {@link #COUNT_MAX}
 */
public record TimerShard(int number, int count) {
  /** Shards that one scheduler may have. */
  public static final int COUNT_MAX = 64;

  /** All timers. */
  public static final TimerShard ONLY = new TimerShard(0, 1);

  public TimerShard {
    if (count < 1 || count > COUNT_MAX || number < 0 || number >= count) {
      throw new IllegalArgumentException("No shard " + number + " of " + count);
    }
  }

  public static TimerShard of(InstanceId id, int count) {
    return count == 1
        ? ONLY
        : new TimerShard((hash(id.value()) & Integer.MAX_VALUE) % count, count);
  }

  /** The lease of who fires these. Another number of shards has other leases. */
  public String leaseName() {
    return "scheduler-" + number + "-of-" + count;
  }

  /** The number of a row's shard, as it stands in the index. */
  static String expression(int count) {
    return "((hashtext(workflow_instance_id collate \"C\") & 2147483647) %% %d)".formatted(count);
  }

  /** PostgreSQL's {@code hashtext}: lookup3 of Bob Jenkins, with an offset to the first state. */
  static int hash(String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    var in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int a = 0x9e3779b9 + bytes.length + 3_923_095;
    int b = a;
    int c = a;
    while (in.remaining() >= 12) {
      a += in.getInt();
      b += in.getInt();
      c += in.getInt();
      a = (a - c) ^ Integer.rotateLeft(c, 4);
      c += b;
      b = (b - a) ^ Integer.rotateLeft(a, 6);
      a += c;
      c = (c - b) ^ Integer.rotateLeft(b, 8);
      b += a;
      a = (a - c) ^ Integer.rotateLeft(c, 16);
      c += b;
      b = (b - a) ^ Integer.rotateLeft(a, 19);
      a += c;
      c = (c - b) ^ Integer.rotateLeft(b, 4);
      b += a;
    }
    // The lowest byte of c belongs to the length.
    a += word(in, 4, 0);
    b += word(in, 4, 0);
    c += word(in, 3, 8);
    c = (c ^ b) - Integer.rotateLeft(b, 14);
    a = (a ^ c) - Integer.rotateLeft(c, 11);
    b = (b ^ a) - Integer.rotateLeft(a, 25);
    c = (c ^ b) - Integer.rotateLeft(b, 16);
    a = (a ^ c) - Integer.rotateLeft(c, 4);
    b = (b ^ a) - Integer.rotateLeft(a, 14);
    return (c ^ b) - Integer.rotateLeft(b, 24);
  }

  /** As many bytes as are left, the first one lowest. */
  private static int word(ByteBuffer in, int max, int shift) {
    int word = 0;
    for (int i = 0; i < max && in.hasRemaining(); i++) {
      word |= (in.get() & 0xff) << (shift + 8 * i);
    }
    return word;
  }
}
