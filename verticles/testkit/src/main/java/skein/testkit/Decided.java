package skein.testkit;

import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.burst.BurstInputs;
import skein.graph.Graph;
import skein.messages.Command;
import skein.model.Transition;

/** A decision that was committed, with all that it was made from; states as they are stored. */
record Decided(
    Command command,
    Stored.@Nullable State before,
    @Nullable Graph graph,
    BurstInputs inputs,
    List<MockAnswer> mocks,
    Transition transition,
    Stored.State after) {

  /** Whether the same command, decided again, comes to the same. */
  boolean cameTo(Transition again) {
    return after.isOf(again.next())
        && again.effects().equals(transition.effects())
        && again.timersMade().equals(transition.timersMade())
        && again.journal().equals(transition.journal());
  }
}
