package skein.activities;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The static description of a kind of activity.
 *
 * @param outcomes the named answers that connections can follow; those that depend on a
 *     definition's own JSON are not among them
 * @param presentation what designers show of it; good as it is for most
 */
public record ActivityDescriptor(
    Type type,
    List<Input> inputs,
    List<Output> outputs,
    List<Port> ports,
    List<String> outcomes,
    Role role,
    Presentation presentation) {

  /** Its names, and its place in the lists of designers. */
  public record Type(String name, int version, Kind kind, String category, String description) {}

  /**
   * What it is for the activities around it.
   *
   * @param terminal its completion ends the container it is in
   * @param container it opens a scope with variables of its own
   */
  public record Role(boolean terminal, boolean container) {
    public static final Role PLAIN = new Role(false, false);
  }

  public static final String DONE = "Done";

  /** The outcome of an activity after whose failure its container continues. */
  public static final String FAULTED = "Faulted";

  /** Elsa's words. */
  public enum Kind {
    Action,
    Trigger
  }

  public ActivityDescriptor {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    ports = List.copyOf(ports);
    outcomes = List.copyOf(outcomes);
  }

  /** Version 1, an action, outcome Done, nothing in and nothing out. */
  public static ActivityDescriptor of(String typeName, String category, String description) {
    return new ActivityDescriptor(
        new Type(typeName, 1, Kind.Action, category, description),
        List.of(),
        List.of(),
        List.of(),
        List.of(DONE),
        Role.PLAIN,
        Presentation.PLAIN);
  }

  public String typeName() {
    return type.name();
  }

  public int version() {
    return type.version();
  }

  public Kind kind() {
    return type.kind();
  }

  public String category() {
    return type.category();
  }

  public String description() {
    return type.description();
  }

  /** Its completion ends the container it is in. */
  public boolean terminal() {
    return role.terminal();
  }

  /** It opens a scope with variables of its own. */
  public boolean container() {
    return role.container();
  }

  public ActivityDescriptor with(Input... next) {
    return new ActivityDescriptor(
        type, List.of(next), outputs, ports, outcomes, role, presentation);
  }

  public ActivityDescriptor with(Output... next) {
    return new ActivityDescriptor(type, inputs, List.of(next), ports, outcomes, role, presentation);
  }

  public ActivityDescriptor with(Port... next) {
    return new ActivityDescriptor(
        type, inputs, outputs, List.of(next), outcomes, role, presentation);
  }

  public ActivityDescriptor withOutcomes(String... next) {
    return new ActivityDescriptor(type, inputs, outputs, ports, List.of(next), role, presentation);
  }

  public ActivityDescriptor withVersion(int next) {
    return with(new Type(type.name(), next, type.kind(), type.category(), type.description()));
  }

  public ActivityDescriptor asTrigger() {
    return with(
        new Type(type.name(), type.version(), Kind.Trigger, type.category(), type.description()));
  }

  private ActivityDescriptor with(Type next) {
    return new ActivityDescriptor(next, inputs, outputs, ports, outcomes, role, presentation);
  }

  public ActivityDescriptor asTerminal() {
    return new ActivityDescriptor(
        type, inputs, outputs, ports, outcomes, new Role(true, role.container()), presentation);
  }

  public ActivityDescriptor asContainer() {
    return new ActivityDescriptor(
        type, inputs, outputs, ports, outcomes, new Role(role.terminal(), true), presentation);
  }

  public ActivityDescriptor with(Presentation next) {
    return new ActivityDescriptor(type, inputs, outputs, ports, outcomes, role, next);
  }

  /** Shown under this name instead of its type name in words. */
  public ActivityDescriptor titled(String title) {
    return with(presentation.withTitle(title));
  }

  /** Not offered for adding. */
  public ActivityDescriptor hidden() {
    return with(presentation.hidden());
  }

  /** A flowchart begins with it. */
  public ActivityDescriptor asStart() {
    return with(presentation.asStart());
  }

  /**
   * With facts for designers and members of new JSON.
   *
   * @see Presentation
   */
  public ActivityDescriptor with(
      Map<String, @Nullable Object> properties, Map<String, @Nullable Object> construction) {
    return with(presentation.with(properties, construction));
  }
}
