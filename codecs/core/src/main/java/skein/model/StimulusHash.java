package skein.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds bookmarks and triggers from a stimulus: the same stimulus always has the same hash. */
public final class StimulusHash {
  private StimulusHash() {}

  /**
   * Upper-case hex of SHA-256 of name and canonical payload text, joined with {@code |} as in Elsa.
   *
   * @param payload canonical text of what is waited for; keys sorted, no blanks
   * @param discriminator the activity execution when the bookmark must not be shared; else null
   */
  public static String of(String name, String payload, @Nullable String discriminator) {
    return sha256(
        discriminator == null ? name + "|" + payload : name + "|" + payload + "|" + discriminator);
  }

  /**
   * The hash under which rows of a tenant are found: a stimulus of one tenant meets no bookmark and
   * no trigger of another.
   *
   * @param tenant empty is the default tenant, whose rows have the hash itself
   */
  public static String of(String tenant, String hash) {
    return tenant.isEmpty() ? hash : sha256("tenant|" + tenant + "|" + hash);
  }

  /** An id that follows from a text: 32 hex digits in lower case, 128 bits of its SHA-256. */
  public static String id(String text) {
    return sha256(text).substring(0, 32).toLowerCase(Locale.ROOT);
  }

  /** Upper-case hex of the SHA-256 of the text's UTF-8. */
  public static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of()
          .withUpperCase()
          .formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }
}
