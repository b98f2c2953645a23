package skein.burst;

import java.util.List;
import skein.model.Effect;

/** The effects that follow the commit of the burst. */
final class Effects {
  private final List<Effect> all;
  private final Usage usage;
  private final Children children;

  /** {@code all}: empty as yet; {@code usage} measures it. */
  Effects(List<Effect> all, Usage usage, Children children) {
    this.all = all;
    this.usage = usage;
    this.children = children;
  }

  void add(Effect effect) {
    // Nothing is sent before the commit, so the last answer is the one meant.
    if (effect instanceof Effect.HttpAnswer) {
      all.removeIf(Effect.HttpAnswer.class::isInstance);
    }
    if (!usage.mayHold(Usage.valueOf(effect))) {
      return;
    }
    all.add(effect instanceof Effect.EventPublished event ? children.published(event) : effect);
  }

  List<Effect> snapshot() {
    return List.copyOf(all);
  }
}
