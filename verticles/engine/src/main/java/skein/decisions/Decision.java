package skein.decisions;

import org.jspecify.annotations.Nullable;
import skein.messages.Reply;
import skein.model.Timer;
import skein.model.Transition;

/** The decision about a command, once the state is known. */
public sealed interface Decision {
  /** With no token to hand out. */
  static Decision commit(Transition transition) {
    return new Commit(transition, null);
  }

  /**
   * @param token to hand out when the commit succeeded
   */
  record Commit(Transition transition, @Nullable String token) implements Decision {
    /** Without the token. */
    @Override
    public String toString() {
      return "Commit[transition=" + transition + "]";
    }
  }

  /** Nothing is left to do; the timer that asked for it goes. */
  record Obsolete(Timer timer, @Nullable Timer replacement) implements Decision {}

  /** Nothing is to be committed. */
  record Answer(Reply reply) implements Decision {}
}
