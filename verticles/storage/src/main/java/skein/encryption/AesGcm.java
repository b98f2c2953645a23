package skein.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/** AES-256-GCM with random nonces of 96 bits and tags of 128 bits (NIST SP 800-38D). */
final class AesGcm {
  static final int KEY_BYTES = 32;
  static final int NONCE_BYTES = 12;
  static final int TAG_BYTES = 16;

  private static final SecureRandom RANDOM = new SecureRandom();

  private AesGcm() {}

  static byte[] random(int bytes) {
    var random = new byte[bytes];
    RANDOM.nextBytes(random);
    return random;
  }

  static Cipher cipher() {
    try {
      return Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has AES-GCM", e);
    }
  }

  /**
   * @param cipher may be used for several, one after the other
   * @param head what the result begins with
   * @param associated what must be given again to decrypt
   * @return head, nonce, ciphertext and tag
   */
  static byte[] encrypt(
      Cipher cipher, SecretKey key, byte[] head, String associated, byte[] clear) {
    try {
      var nonce = random(NONCE_BYTES);
      begin(cipher, Cipher.ENCRYPT_MODE, key, nonce, 0, associated);
      int start = head.length + NONCE_BYTES;
      var result = new byte[start + cipher.getOutputSize(clear.length)];
      ByteBuffer.wrap(result).put(head).put(nonce);
      cipher.doFinal(clear, 0, clear.length, result, start);
      return result;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has AES-GCM", e);
    }
  }

  /**
   * @param from where the nonce begins
   * @throws GeneralSecurityException it was not encrypted by this key for this purpose
   */
  static byte[] decrypt(SecretKey key, byte[] encrypted, int from, String associated)
      throws GeneralSecurityException {
    int start = from + NONCE_BYTES;
    if (encrypted.length < start + TAG_BYTES) {
      throw new GeneralSecurityException("is too short");
    }
    var cipher = cipher();
    begin(cipher, Cipher.DECRYPT_MODE, key, encrypted, from, associated);
    return cipher.doFinal(encrypted, start, encrypted.length - start);
  }

  private static void begin(
      Cipher cipher, int mode, SecretKey key, byte[] nonce, int from, String associated)
      throws GeneralSecurityException {
    cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * 8, nonce, from, NONCE_BYTES));
    cipher.updateAAD(associated.getBytes(UTF_8));
  }
}
