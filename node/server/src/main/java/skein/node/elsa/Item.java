package skein.node.elsa;

import org.jspecify.annotations.Nullable;

/**
 * Something of Elsa's, and what is done with it.
 *
 * @param id of a definition or an instance; of a label its name
 * @param version the number that Elsa's version of a definition has; null for everything else
 * @param reason why it is left; null: it is not
 * @param detail a sentence for people; may be empty
 */
public record Item(
    Kind kind,
    String id,
    @Nullable Integer version,
    @Nullable String name,
    Action action,
    @Nullable Reason reason,
    String detail) {

  public enum Kind {
    DEFINITION,
    LABEL,
    INSTANCE
  }

  public enum Action {
    /** A dry run would have taken it. */
    TAKE,
    /** The cluster has it now. */
    TAKEN,
    /** The cluster had it before. */
    SAME,
    /** It is not taken. */
    LEFT
  }

  static Item of(ElsaDefinition definition, Action action, String detail) {
    return of(definition, action, null, detail);
  }

  static Item left(ElsaDefinition definition, Refusal refusal) {
    return of(definition, Action.LEFT, refusal.reason(), refusal.detail());
  }

  private static Item of(
      ElsaDefinition definition, Action action, @Nullable Reason reason, String detail) {
    return new Item(
        Kind.DEFINITION,
        definition.definitionId(),
        definition.version(),
        definition.name(),
        action,
        reason,
        detail);
  }

  static Item of(ElsaInstance instance, Action action, String detail) {
    return new Item(Kind.INSTANCE, instance.id(), null, instance.name(), action, null, detail);
  }

  static Item left(ElsaInstance instance, Refusal refusal) {
    return new Item(
        Kind.INSTANCE,
        instance.id(),
        null,
        instance.name(),
        Action.LEFT,
        refusal.reason(),
        refusal.detail());
  }
}
