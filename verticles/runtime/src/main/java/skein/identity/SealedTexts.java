package skein.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Texts that others carry for the nodes and can neither read nor make: encrypted with AES-256-GCM
 * by a key that is derived from the one that all nodes share. Thread-safe.
 */
final class SealedTexts {
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int CHARS_MAX = 8_192;

  private final SecretKeySpec key;

  /** {@code cluster}: whose texts they are; those of others are none. */
  SealedTexts(String signingKey, String cluster) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(signingKey.getBytes(UTF_8), "HmacSHA256"));
      this.key = new SecretKeySpec(mac.doFinal(("sealed texts:" + cluster).getBytes(UTF_8)), "AES");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has HMAC-SHA-256", e);
    }
  }

  /**
   * As letters, digits, {@code -} and {@code _}.
   *
   * @param purpose it is opened for no other
   */
  String seal(String purpose, String text) {
    try {
      var nonce = Secrets.bytes(NONCE_BYTES);
      var sealed = cipher(Cipher.ENCRYPT_MODE, purpose, nonce).doFinal(text.getBytes(UTF_8));
      var both = ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
      return Base64.getUrlEncoder().withoutPadding().encodeToString(both);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has AES-GCM", e);
    }
  }

  /** Null for what was not sealed for this purpose by a node of the cluster. */
  @Nullable String open(String purpose, String sealed) {
    if (sealed.length() > CHARS_MAX) {
      return null;
    }
    try {
      var both = Base64.getUrlDecoder().decode(sealed);
      if (both.length < NONCE_BYTES) {
        return null;
      }
      var nonce = ByteBuffer.wrap(both, 0, NONCE_BYTES);
      var cipher = cipher(Cipher.DECRYPT_MODE, purpose, bytes(nonce));
      return new String(cipher.doFinal(both, NONCE_BYTES, both.length - NONCE_BYTES), UTF_8);
    } catch (IllegalArgumentException | GeneralSecurityException _) {
      return null;
    }
  }

  private static byte[] bytes(ByteBuffer buffer) {
    var bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private Cipher cipher(int mode, String purpose, byte[] nonce) throws GeneralSecurityException {
    var cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(purpose.getBytes(UTF_8));
    return cipher;
  }
}
