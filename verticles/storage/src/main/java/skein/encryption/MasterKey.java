package skein.encryption;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A key of 256 bits from outside of the database that wraps data keys.
 *
 * @param id names it without telling it
 */
public record MasterKey(String id, SecretKey key) {
  private static final int ID_BYTES = 8;

  /**
   * The keys of a text, a line for each: the first wraps, all unwrap.
   *
   * @throws IllegalArgumentException a line is not 32 bytes in Base64
   */
  public static List<MasterKey> parse(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .map(MasterKey::of)
        .toList();
  }

  private static MasterKey of(String line) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(line);
    } catch (IllegalArgumentException _) {
      bytes = new byte[0]; // The message of the decoder quotes the key.
    }
    if (bytes.length != AesGcm.KEY_BYTES) {
      throw new IllegalArgumentException(
          "must have " + AesGcm.KEY_BYTES + " bytes in Base64 in each line");
    }
    return new MasterKey(id(bytes), new SecretKeySpec(bytes, "AES"));
  }

  private static String id(byte[] key) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update((byte) 'm'); // what else is made of the key does not begin so
      return HexFormat.of().formatHex(digest.digest(key), 0, ID_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  /** A new data key, with this number. */
  public WrappedKey newKey(int number) {
    return wrap(new DataKey(number, AesGcm.random(AesGcm.KEY_BYTES)));
  }

  public WrappedKey wrap(DataKey key) {
    var wrapped =
        AesGcm.encrypt(
            AesGcm.cipher(), this.key, new byte[0], associated(key.number()), key.secret());
    return new WrappedKey(key.number(), id, wrapped);
  }

  /** Null when none of these keys can. */
  public static @Nullable DataKey unwrap(WrappedKey wrapped, List<MasterKey> masterKeys) {
    for (var masterKey : masterKeys) {
      if (masterKey.id.equals(wrapped.masterKeyId())) {
        return masterKey.unwrap(wrapped);
      }
    }
    return null;
  }

  private @Nullable DataKey unwrap(WrappedKey wrapped) {
    try {
      var secret = AesGcm.decrypt(key, wrapped.bytes(), 0, associated(wrapped.number()));
      return new DataKey(wrapped.number(), secret);
    } catch (GeneralSecurityException _) {
      return null;
    }
  }

  private static String associated(int number) {
    return "data key " + number;
  }

  @Override
  public String toString() {
    return "master key " + id;
  }
}
