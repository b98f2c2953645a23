package skein.storage;

import io.vertx.core.buffer.Buffer;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.Transition;

/**
 * A transition that is to be committed, and the states that it leads from and to.
 *
 * @param builtOn the id of the state that it was decided on; null for a new instance, and for a
 *     state that has no id
 * @param stateId names the state that it makes; drawn for this decision and no other
 * @param reply the answer to a repeat of the command, encoded; null: what revision and status say
 */
public record Proposal(
    Transition transition, @Nullable UUID builtOn, UUID stateId, @Nullable Buffer reply) {
  /** The outcome of a proposal. */
  public enum Outcome {
    /** It is in the database, by this call or an earlier attempt of it. */
    COMMITTED,
    /**
     * Nothing of it was or will be written: another state was stored, or its guard did not hold.
     */
    LOST,
    /**
     * Nothing of it was or will be written, and that says nothing about the proposal itself: what
     * it was built on, or one that was sent together with it, was not committed.
     */
    ABANDONED
  }

  /** {@code base}: what it was decided on; null: there is no instance yet. */
  public static Proposal of(
      Transition transition, @Nullable NamedState base, UUID stateId, @Nullable Buffer reply) {
    return new Proposal(transition, base == null ? null : base.id(), stateId, reply);
  }

  /** The state that it makes. */
  public NamedState state() {
    return new NamedState(transition.next(), stateId);
  }

  InstanceId id() {
    return transition.next().id();
  }

  boolean isNew() {
    return transition.expectedRevision() == 0;
  }

  /** Whether this is the state that it was decided on; null: there is no instance. */
  public boolean startsFrom(@Nullable NamedState state) {
    return state == null
        ? isNew()
        : !isNew()
            && state.instance().revision() == transition.expectedRevision()
            && Objects.equals(state.id(), builtOn);
  }

  /** Whether it was decided on the state that the other one makes. */
  boolean follows(Proposal before) {
    return before.stateId.equals(builtOn)
        && before.transition.next().revision() == transition.expectedRevision();
  }
}
