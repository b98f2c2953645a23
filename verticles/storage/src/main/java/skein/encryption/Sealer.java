package skein.encryption;

import javax.crypto.Cipher;
import javax.crypto.SecretKey;

/**
 * Encrypts the values of one subject, one after the other. Not thread-safe.
 *
 * <p>An envelope is: a mark of one byte, the number of the data key in four, the nonce, the
 * ciphertext, the tag.
 */
public final class Sealer {
  private final SecretKey key;
  private final byte[] head;
  private final Cipher cipher = AesGcm.cipher();

  Sealer(SecretKey key, byte[] head) {
    this.key = key;
    this.head = head;
  }

  /** {@code place}: where among those of its subject the value is; it is opened at no other. */
  public byte[] seal(String place, byte[] clear) {
    return AesGcm.encrypt(cipher, key, head, associated(place), clear);
  }

  static String associated(String place) {
    return "stored value\n" + place;
  }
}
