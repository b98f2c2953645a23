package skein.activities;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a kind of activity without running it.
 *
 * @param outcomes the named answers that connections can follow; those that depend on a
 *     definition's own JSON are not among them
 * @param terminal its completion ends the container it is in
 * @param container it opens a scope with variables of its own
 * @param presentation what designers show of it; good as it is for most
 */
public record ActivityDescriptor(
    String typeName,
    int version,
    Kind kind,
    String category,
    String description,
    List<Input> inputs,
    List<Output> outputs,
    List<Port> ports,
    List<String> outcomes,
    boolean terminal,
    boolean container,
    Presentation presentation) {
  public static final String DONE = "Done";

  /** The outcome of an activity whose failure its container goes on after. */
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
        typeName,
        1,
        Kind.Action,
        category,
        description,
        List.of(),
        List.of(),
        List.of(),
        List.of(DONE),
        false,
        false,
        Presentation.PLAIN);
  }

  public ActivityDescriptor with(Input... next) {
    return new ActivityDescriptor(
        typeName,
        version,
        kind,
        category,
        description,
        List.of(next),
        outputs,
        ports,
        outcomes,
        terminal,
        container,
        presentation);
  }

  public ActivityDescriptor with(Output... next) {
    return new ActivityDescriptor(
        typeName,
        version,
        kind,
        category,
        description,
        inputs,
        List.of(next),
        ports,
        outcomes,
        terminal,
        container,
        presentation);
  }

  public ActivityDescriptor with(Port... next) {
    return new ActivityDescriptor(
        typeName,
        version,
        kind,
        category,
        description,
        inputs,
        outputs,
        List.of(next),
        outcomes,
        terminal,
        container,
        presentation);
  }

  public ActivityDescriptor withOutcomes(String... next) {
    return new ActivityDescriptor(
        typeName,
        version,
        kind,
        category,
        description,
        inputs,
        outputs,
        ports,
        List.of(next),
        terminal,
        container,
        presentation);
  }

  public ActivityDescriptor withVersion(int next) {
    return new ActivityDescriptor(
        typeName,
        next,
        kind,
        category,
        description,
        inputs,
        outputs,
        ports,
        outcomes,
        terminal,
        container,
        presentation);
  }

  public ActivityDescriptor asTrigger() {
    return new ActivityDescriptor(
        typeName,
        version,
        Kind.Trigger,
        category,
        description,
        inputs,
        outputs,
        ports,
        outcomes,
        terminal,
        container,
        presentation);
  }

  public ActivityDescriptor asTerminal() {
    return new ActivityDescriptor(
        typeName,
        version,
        kind,
        category,
        description,
        inputs,
        outputs,
        ports,
        outcomes,
        true,
        container,
        presentation);
  }

  public ActivityDescriptor asContainer() {
    return new ActivityDescriptor(
        typeName,
        version,
        kind,
        category,
        description,
        inputs,
        outputs,
        ports,
        outcomes,
        terminal,
        true,
        presentation);
  }

  public ActivityDescriptor with(Presentation next) {
    return new ActivityDescriptor(
        typeName,
        version,
        kind,
        category,
        description,
        inputs,
        outputs,
        ports,
        outcomes,
        terminal,
        container,
        next);
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
