package skein.node.dev;

import java.net.URISyntaxException;
import java.nio.file.Path;

/**
 * {@code skein-dev.jar}: the PostgreSQL of {@code skein dev}, what unpacks it, and {@code skein
 * bench}. It is found where {@code skein.jar} lies; servers do without.
 */
public final class DevJar {
  private static final String NAME = "skein-dev.jar";
  private static final String TYPICAL = "/org/tukaani/xz/XZInputStream.class";

  private DevJar() {}

  /** It is missing. The message says where it belongs, and what else can be done. */
  public static final class MissingException extends RuntimeException {
    MissingException(String message) {
      super(message);
    }
  }

  public static boolean isThere() {
    return DevJar.class.getResource(TYPICAL) != null;
  }

  /**
   * @param need what is not possible then, as the beginning of a sentence
   * @param otherwise what else can be done, as its end; may be empty
   * @throws MissingException when it is missing
   */
  public static void require(String need, String otherwise) {
    if (!isThere()) {
      throw new MissingException(
          need
              + " without "
              + NAME
              + ": put the one of the same build beside "
              + jar()
              + otherwise);
    }
  }

  private static String jar() {
    try {
      var source = DevJar.class.getProtectionDomain().getCodeSource();
      return source == null ? "skein.jar" : Path.of(source.getLocation().toURI()).toString();
    } catch (URISyntaxException _) {
      return "skein.jar";
    }
  }
}
