package skein.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key of 256 bits of which the keys of values are derived, one for each subject (HKDF, RFC 5869).
 * Nonces are random: a subject may have 2^32 values of one data key, where one key for all would be
 * used up within days.
 *
 * @param number it is known by; in each envelope
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DataKey(int number, byte[] secret) {
  /** No version of a format that values without encryption begin with. */
  static final byte MARK = (byte) 0xEE;

  static final int HEAD_BYTES = 1 + Integer.BYTES;

  /** The number of the key in an envelope that has a whole head. */
  static int numberIn(byte[] envelope) {
    return ByteBuffer.wrap(envelope).getInt(1);
  }

  Sealer sealer(String subject) {
    var head = ByteBuffer.allocate(HEAD_BYTES).put(MARK).putInt(number).array();
    return new Sealer(derived(subject), head);
  }

  byte[] open(String subject, String place, byte[] envelope) throws GeneralSecurityException {
    return AesGcm.decrypt(derived(subject), envelope, HEAD_BYTES, Sealer.associated(place));
  }

  private SecretKey derived(String subject) {
    try {
      var info = ("stored value\n" + subject).getBytes(UTF_8);
      var expand =
          HKDFParameterSpec.expandOnly(new SecretKeySpec(secret, "HKDF"), info, AesGcm.KEY_BYTES);
      return KDF.getInstance("HKDF-SHA256").deriveKey("AES", expand);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has HKDF", e);
    }
  }

  @Override
  public String toString() {
    return "data key " + number;
  }
}
