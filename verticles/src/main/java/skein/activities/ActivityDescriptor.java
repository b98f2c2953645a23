package skein.activities;

import java.util.List;

/**
 * What is known about a kind of activity without running it.
 *
 * @param outcomes the named answers that connections can follow; those that depend on a
 *     definition's own JSON are not among them
 * @param terminal its completion ends the container it is in
 * @param container it opens a scope with variables of its own
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
    boolean container) {
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
        false);
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
        container);
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
        container);
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
        container);
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
        container);
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
        container);
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
        container);
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
        true);
  }
}
