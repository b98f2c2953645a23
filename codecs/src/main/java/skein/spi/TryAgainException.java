package skein.spi;

import org.jspecify.annotations.Nullable;

/** Work could not be done now; another attempt may fare better. */
public final class TryAgainException extends Exception {
  public TryAgainException(String message) {
    this(message, null);
  }

  public TryAgainException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
