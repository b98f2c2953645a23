package skein.codecs;

import java.net.URLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Small conversions of text that HTTP and its users need. */
public final class WebText {
  private WebText() {}

  /** For a query: a space is {@code %20}. */
  public static String encodeQuery(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The content type that the end of a file's name says; null when it says none. */
  public static @Nullable String contentType(String fileName) {
    return URLConnection.guessContentTypeFromName(fileName);
  }

  /**
   * In lower-case hex.
   *
   * @param algorithm MD5, SHA-1 or SHA-256; throws {@link IllegalArgumentException} for one that
   *     Java does not have
   */
  public static String hash(String algorithm, byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalArgumentException(algorithm, e);
    }
  }
}
