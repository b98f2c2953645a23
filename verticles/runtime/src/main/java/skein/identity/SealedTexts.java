package skein.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Texts that others carry for the nodes and can neither read nor make: encrypted with AES-256-GCM
 * by keys that are derived from those that all nodes share. Thread-safe.
 */
final class SealedTexts {
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int CHARS_MAX = 8_192;

  private final Supplier<List<String>> signingKeys;
  private final String cluster;

  /**
   * @param signingKeys as they are now: the first seals, each opens
   * @param cluster whose texts they are; those of others are none
   */
  SealedTexts(Supplier<List<String>> signingKeys, String cluster) {
    this.signingKeys = signingKeys;
    this.cluster = cluster;
  }

  private SecretKeySpec derived(String signingKey) throws GeneralSecurityException {
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(signingKey.getBytes(UTF_8), "HmacSHA256"));
    return new SecretKeySpec(mac.doFinal(("sealed texts:" + cluster).getBytes(UTF_8)), "AES");
  }

  /**
   * As letters, digits, {@code -} and {@code _}.
   *
   * @param purpose it is opened for no other
   */
  String seal(String purpose, String text) {
    try {
      var nonce = Secrets.bytes(NONCE_BYTES);
      var key = derived(signingKeys.get().getFirst());
      var cipher = cipher(Cipher.ENCRYPT_MODE, key, purpose, nonce);
      var sealed = cipher.doFinal(text.getBytes(UTF_8));
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
    for (var signingKey : signingKeys.get()) {
      var text = open(signingKey, purpose, sealed);
      if (text != null) {
        return text;
      }
    }
    return null;
  }

  private @Nullable String open(String signingKey, String purpose, String sealed) {
    try {
      var both = Base64.getUrlDecoder().decode(sealed);
      if (both.length < NONCE_BYTES) {
        return null;
      }
      var nonce = ByteBuffer.wrap(both, 0, NONCE_BYTES);
      var cipher = cipher(Cipher.DECRYPT_MODE, derived(signingKey), purpose, bytes(nonce));
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

  private static Cipher cipher(int mode, SecretKeySpec key, String purpose, byte[] nonce)
      throws GeneralSecurityException {
    var cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(purpose.getBytes(UTF_8));
    return cipher;
  }
}
