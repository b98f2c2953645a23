package skein.codecs;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;
import skein.model.BookmarkId;
import skein.model.DerivedIds;
import skein.model.InstanceId;
import skein.model.SkeinException;

/**
 * Makes and reads resume tokens: 30 to 64 characters of base64url, 128 bits of them secret.
 *
 * <p>A token carries the id of its bookmark, so that the instance is found without a look-up; the
 * id is masked with a hash of the secret, which makes the whole opaque. Whether the secret is the
 * right one only the hash stored with the bookmark shows.
 */
public final class ResumeToken {
  public static final int SECRET_BYTES = 16;

  /** The longest that a token may work. */
  public static final Duration LIFETIME_MAX = Duration.ofDays(3_660);

  private static final int LENGTH_MIN = 30;
  private static final int LENGTH_MAX = 64;
  private static final int BYTES_MAX = 48;
  private static final byte AS_TEXT = 0;
  private static final byte AS_UUID = 1;
  private static final byte AS_HEX = 2;
  private static final byte OF_TENANT = 3;

  /** Of the mark of the tenant; between a letter and a dash. */
  private static final int MARK_DIGITS = 8;

  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{32}");

  private ResumeToken() {}

  /**
   * Makes the token of a bookmark.
   *
   * @param secret {@link #SECRET_BYTES} random bytes, never used before
   * @throws SkeinException {@code INVALID_ID} when the instance id, chosen by a client, is too long
   *     for a token: over 27 characters and neither a UUID, nor 32 hex digits in lower case, nor an
   *     id of {@link DerivedIds}
   */
  public static String make(BookmarkId bookmark, byte[] secret) {
    if (secret.length != SECRET_BYTES) {
      throw new IllegalArgumentException("The secret has " + secret.length + " bytes");
    }
    var claim = claim(bookmark);
    if (SECRET_BYTES + claim.length > BYTES_MAX) {
      throw SkeinException.invalidId(
          "workflow instance with tokens", bookmark.instanceId().value());
    }
    var token = ByteBuffer.allocate(SECRET_BYTES + claim.length);
    token.put(secret).put(mask(secret, claim));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token.array());
  }

  /**
   * One of many secrets that follow from one; none of them reveals anything about the others.
   *
   * @param number another one for each
   */
  public static byte[] derivedSecret(byte[] secret, int number) {
    var digest = sha256();
    digest.update("skein.token.derived.1".getBytes(StandardCharsets.US_ASCII));
    digest.update(secret);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
    return Arrays.copyOf(digest.digest(), SECRET_BYTES);
  }

  private static byte[] claim(BookmarkId bookmark) {
    var id = bookmark.instanceId().value();
    if (UUID.matcher(id).matches()) {
      return claim(AS_UUID, bookmark, HexFormat.of().parseHex(id.replace("-", "")));
    }
    if (HEX.matcher(id).matches()) {
      return claim(AS_HEX, bookmark, HexFormat.of().parseHex(id));
    }
    if (DerivedIds.isOfTenant(bookmark.instanceId())) {
      var digits = id.substring(1).replace("-", "");
      return claim(OF_TENANT, bookmark, HexFormat.of().parseHex(digits));
    }
    return claim(AS_TEXT, bookmark, id.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] claim(byte form, BookmarkId bookmark, byte[] id) {
    return ByteBuffer.allocate(5 + id.length).put(form).putInt(bookmark.number()).put(id).array();
  }

  /** The bookmark a token claims to be for; throws {@code TOKEN_INVALID} for anything else. */
  public static BookmarkId bookmark(String token) {
    if (token.length() < LENGTH_MIN || token.length() > LENGTH_MAX) {
      throw SkeinException.tokenInvalid();
    }
    try {
      var bytes = Base64.getUrlDecoder().decode(token);
      var secret = Arrays.copyOf(bytes, SECRET_BYTES);
      var claim = mask(secret, Arrays.copyOfRange(bytes, SECRET_BYTES, bytes.length));
      return read(claim);
    } catch (RuntimeException e) {
      throw SkeinException.tokenInvalid();
    }
  }

  private static BookmarkId read(byte[] claim) {
    var buffer = ByteBuffer.wrap(claim);
    byte form = buffer.get();
    int number = buffer.getInt();
    var rest = new byte[buffer.remaining()];
    buffer.get(rest);
    var id =
        switch (form) {
          case AS_TEXT -> new String(rest, StandardCharsets.US_ASCII);
          case AS_HEX -> HexFormat.of().formatHex(rest);
          case AS_UUID -> dashed(HexFormat.of().formatHex(rest));
          case OF_TENANT -> ofTenant(HexFormat.of().formatHex(rest));
          default -> "";
        };
    return new BookmarkId(new InstanceId(id), number);
  }

  private static String ofTenant(String hex) {
    return "t" + hex.substring(0, MARK_DIGITS) + "-" + hex.substring(MARK_DIGITS);
  }

  private static String dashed(String hex) {
    return String.join(
        "-",
        hex.substring(0, 8),
        hex.substring(8, 12),
        hex.substring(12, 16),
        hex.substring(16, 20),
        hex.substring(20));
  }

  /** Its own inverse. */
  private static byte[] mask(byte[] secret, byte[] text) {
    var digest = sha256();
    digest.update("skein.token.1".getBytes(StandardCharsets.US_ASCII));
    var key = digest.digest(secret);
    var masked = text.clone();
    for (int i = 0; i < masked.length; i++) {
      masked[i] ^= key[i % key.length];
    }
    return masked;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }
}
