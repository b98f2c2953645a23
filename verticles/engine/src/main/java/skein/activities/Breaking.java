package skein.activities;

/** Remembers that a {@link Break} was met below an execution, until its child has completed. */
final class Breaking {
  static final String KEY = "breaking";

  private Breaking() {}

  /** True when it was the signal to break; the caller says whether it goes further. */
  static boolean note(ActivityContext context, String signal) {
    if (!signal.equals(Signals.BREAK)) {
      return false;
    }
    context.memory().put(KEY, true);
    return true;
  }

  static boolean is(ActivityContext context) {
    return context.memory().containsKey(KEY);
  }
}
