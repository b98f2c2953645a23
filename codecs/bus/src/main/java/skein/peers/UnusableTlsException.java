package skein.peers;

import java.nio.file.Path;

/** A file with certificates or a key cannot be used, and the message says why. */
public final class UnusableTlsException extends RuntimeException {
  private final Use use;

  /** What the file is for. */
  public enum Use {
    BETWEEN_NODES("TLS between nodes"),
    HTTPS("HTTPS");

    private final String text;

    Use(String text) {
      this.text = text;
    }
  }

  UnusableTlsException(Use use, Path file, String why) {
    super(use.text + ": " + file + " " + why);
    this.use = use;
  }

  public Use use() {
    return use;
  }
}
