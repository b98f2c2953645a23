package skein.decisions;

import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.Effect;
import skein.model.InstanceId;
import skein.model.Transition;
import skein.model.WorkflowInstance;

/** Says what was done, as the answer to a command. */
public final class Replies {
  private Replies() {}

  /**
   * The answer to a command that was committed.
   *
   * @param token that the transition has made; null: none
   */
  public static Reply of(Command command, Transition transition, @Nullable String token) {
    if (token == null) {
      return done(transition, wantsState(command));
    }
    var grant = transition.made().getFirst().token();
    return new Reply.TokenMinted(token, grant == null ? null : grant.expiresAt());
  }

  public static Reply.Done done(Transition transition, boolean wantState) {
    Effect.HttpAnswer answer = null;
    for (var effect : transition.effects()) {
      if (effect instanceof Effect.HttpAnswer http) {
        answer = http;
      }
    }
    return done(transition.next(), wantState, answer);
  }

  public static Reply.Done done(
      WorkflowInstance instance, boolean wantState, Effect.@Nullable HttpAnswer answer) {
    return new Reply.Done(
        instance.id(),
        instance.definition(),
        instance.status(),
        instance.revision(),
        answer,
        wantState ? instance : null);
  }

  /** Its timer stays, and is due again later: the instance is still to be reached. */
  public static Reply postponed(InstanceId instance) {
    return new Reply.Delivered(0, 0, List.of(instance));
  }

  /** Whether who sent a command asked for the state that it leads to. */
  public static boolean wantsState(Command command) {
    return switch (command) {
      case Command.Start start -> start.wantState();
      case Command.Resume resume -> resume.wantState();
      default -> false;
    };
  }
}
