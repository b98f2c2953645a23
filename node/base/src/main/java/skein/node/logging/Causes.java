package skein.node.logging;

import org.jspecify.annotations.Nullable;

/** Failures of classes that this module does not have. */
final class Causes {
  private static final int DEPTH_MAX = 10;

  private Causes() {}

  /** The failure or the first of its causes whose class has this simple name; null: none has. */
  static @Nullable Throwable find(@Nullable Throwable failure, String simpleName) {
    @Nullable Throwable cause = failure;
    for (int i = 0; i < DEPTH_MAX && cause != null; i++) {
      if (cause.getClass().getSimpleName().equals(simpleName)) {
        return cause;
      }
      cause = cause.getCause();
    }
    return null;
  }
}
