package skein.spi;

import org.jspecify.annotations.Nullable;

/** Work could not be done now; it may succeed on retry. */
public final class TryAgainException extends Exception {
  public TryAgainException(String message) {
    this(message, null);
  }

  public TryAgainException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
