package skein.http;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The name by which a client connects to the hub: a secret, and when it was made. Nodes need not
 * know it before, so that any of them may be connected to; they take it as new for a short time, so
 * that a connection that was lost with its node is not taken for a new one.
 */
final class HubToken {
  private static final int SECRET_BYTES = 16;
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{22}\\.[0-9a-f]{16}");
  private static final SecureRandom RANDOM = new SecureRandom();

  private HubToken() {}

  /** {@code nowMillis}: of the clock of the cluster. */
  static String make(long nowMillis) {
    return secret() + "." + HexFormat.of().toHexDigits(nowMillis);
  }

  /** An opaque id. */
  static String secret() {
    var bytes = new byte[SECRET_BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Whether it was made within this time. */
  static boolean isNew(String token, long nowMillis, Duration time) {
    if (!FORM.matcher(token).matches()) {
      return false;
    }
    long made = HexFormat.fromHexDigitsToLong(token.substring(token.indexOf('.') + 1));
    return made <= nowMillis + time.toMillis() && nowMillis - made <= time.toMillis();
  }
}
