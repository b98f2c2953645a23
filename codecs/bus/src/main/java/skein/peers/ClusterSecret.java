package skein.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that only the nodes of a cluster and its services know. A file has a secret a line:
 * this process proves that it knows the first, and takes a proof of any of them, so that a secret
 * can be replaced while the cluster works.
 */
public final class ClusterSecret {
  /** The shortest line. */
  public static final int BYTES_MIN = 32;

  private static final int FILE_BYTES_MAX = 16_384;
  private static final int LINES_MAX = 8;
  private static final String ALGORITHM = "HmacSHA256";

  private final List<SecretKeySpec> keys;

  private ClusterSecret(List<SecretKeySpec> keys) {
    this.keys = List.copyOf(keys);
  }

  /** The file cannot be used, and its message says why. */
  public static final class UnusableException extends RuntimeException {
    UnusableException(Path file, String why) {
      super("The secret of the cluster in " + file + " " + why);
    }
  }

  /**
   * Reads the lines of a file; one end of line at its end belongs to none of them.
   *
   * @throws UnusableException others than its owner and group may read or write it, or a line is
   *     shorter than {@link #BYTES_MIN}
   */
  public static ClusterSecret read(Path file) {
    try {
      return new ClusterSecret(keys(file, bytes(file)));
    } catch (IOException e) {
      throw new UnusableException(file, "cannot be read: " + e);
    }
  }

  /**
   * A secret by itself, that of the line of a file.
   *
   * @throws IllegalArgumentException it is shorter than {@link #BYTES_MIN}
   */
  public static ClusterSecret of(String line) {
    var bytes = line.getBytes(StandardCharsets.UTF_8);
    if (bytes.length < BYTES_MIN) {
      throw new IllegalArgumentException(
          "A secret of %d bytes is shorter than %d".formatted(bytes.length, BYTES_MIN));
    }
    return new ClusterSecret(List.of(new SecretKeySpec(bytes, ALGORITHM)));
  }

  private static byte[] bytes(Path file) throws IOException {
    if (!PrivateFile.isPrivate(file)) {
      throw new UnusableException(file, PrivateFile.OPEN);
    }
    var bytes = PrivateFile.bytes(file, FILE_BYTES_MAX);
    if (bytes == null) {
      throw new UnusableException(file, "is longer than " + FILE_BYTES_MAX + " bytes");
    }
    return bytes;
  }

  private static List<SecretKeySpec> keys(Path file, byte[] bytes) {
    var keys = new ArrayList<SecretKeySpec>();
    for (int begin = 0; begin < bytes.length || keys.isEmpty(); ) {
      int end = begin;
      while (end < bytes.length && bytes[end] != '\n') {
        end++;
      }
      int next = end + 1;
      if (end > begin && end < bytes.length && bytes[end - 1] == '\r') {
        end--;
      }
      if (end - begin < BYTES_MIN || keys.size() == LINES_MAX) {
        throw new UnusableException(
            file,
            "must be 1 to %d lines of %d bytes and more each, such as openssl rand -hex 32 makes; line %d has %d"
                .formatted(LINES_MAX, BYTES_MIN, keys.size() + 1, end - begin));
      }
      keys.add(new SecretKeySpec(Arrays.copyOfRange(bytes, begin, end), ALGORITHM));
      begin = next;
    }
    return keys;
  }

  /** A proof with the first of them. */
  byte[] prove(byte[] statement) {
    return prove(keys.get(0), statement);
  }

  /** Whether it is proved by one of them; takes the same time for every wrong proof. */
  boolean isProved(byte[] statement, byte[] proof) {
    boolean proved = false;
    for (var key : keys) {
      proved |= MessageDigest.isEqual(prove(key, statement), proof);
    }
    return proved;
  }

  private static byte[] prove(SecretKeySpec key, byte[] statement) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(statement);
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("Every Java has " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return "ClusterSecret[" + keys.size() + "]";
  }
}
