package skein.encryption;

import java.security.GeneralSecurityException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.SkeinException;

/**
 * The data keys that this node has, and the one that it encrypts with. Without any it stores values
 * as they are. Thread-safe.
 */
public final class KeyRing {
  private record Keys(Map<Integer, DataKey> known, @Nullable DataKey current) {}

  private volatile Keys keys = new Keys(Map.of(), null);
  private volatile int missing;

  /** {@code current}: null: nothing is encrypted. */
  public void set(Map<Integer, DataKey> known, @Nullable DataKey current) {
    keys = new Keys(Map.copyOf(known), current);
    if (known.containsKey(missing)) {
      missing = 0;
    }
  }

  public Map<Integer, DataKey> known() {
    return keys.known();
  }

  /** The number of the key that encrypts now; 0: none. */
  public int current() {
    var current = keys.current();
    return current == null ? 0 : current.number();
  }

  /** The number of a key that a value needed and this node did not have; 0: none. */
  public int missing() {
    return missing;
  }

  /** For the values of one subject; null: they are stored as they are. */
  public @Nullable Sealer sealer(String subject) {
    var current = keys.current();
    return current == null ? null : current.sealer(subject);
  }

  public static boolean isSealed(byte[] stored) {
    return stored.length > 0 && stored[0] == DataKey.MARK;
  }

  /** The number of the key of what {@link #isSealed}; 0: it has none. */
  public static int keyOf(byte[] sealed) {
    return sealed.length < DataKey.HEAD_BYTES ? 0 : DataKey.numberIn(sealed);
  }

  /**
   * @param sealed what {@link #isSealed}
   * @throws SkeinException {@code ENCRYPTION_KEY_MISSING} or {@code ENCRYPTED_VALUE_DAMAGED}
   */
  public byte[] open(String subject, String place, byte[] sealed) {
    int number = keyOf(sealed);
    if (number <= 0) {
      throw SkeinException.encryptedValueDamaged(subject, place, null);
    }
    var key = keys.known().get(number);
    if (key == null) {
      missing = number;
      throw SkeinException.encryptionKeyMissing(subject, place, number);
    }
    try {
      return key.open(subject, place, sealed);
    } catch (GeneralSecurityException e) {
      throw SkeinException.encryptedValueDamaged(subject, place, e);
    }
  }
}
