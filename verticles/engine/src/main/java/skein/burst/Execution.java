package skein.burst;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.Child;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;

/** An activity execution while a burst works on it. */
final class Execution {
  /** Capacity for the inputs or outputs that most activities have. */
  private static final int FEW = 4;

  final int number;
  final int parent;
  final ActivityNode node;
  final @Nullable String tag;
  final Instant startedAt;

  /** By id; a variable that the node does not declare is dynamic and named by its id. */
  final Map<String, @Nullable Object> variables;

  final Map<String, @Nullable Object> memory;
  ActivityStatus status = ActivityStatus.Running;

  /** Executions that are not over, oldest first. */
  final Set<Integer> children = new LinkedHashSet<>();

  /** How many of its children are in the queue. */
  int queued;

  private @Nullable Noted noted;

  /** As a script has set them. */
  List<String> outcomes = List.of();

  Execution(
      int number,
      int parent,
      ActivityNode node,
      @Nullable String tag,
      Instant startedAt,
      Map<String, @Nullable Object> variables,
      Map<String, @Nullable Object> memory) {
    this.number = number;
    this.parent = parent;
    this.node = node;
    this.tag = tag;
    this.startedAt = startedAt;
    this.variables = new LinkedHashMap<>(variables);
    this.memory = memory;
  }

  /**
   * What its next journal entry says.
   *
   * @param inputs by name
   * @param outputs by name
   * @param variables that it has set, by name
   */
  record Noted(
      Map<String, @Nullable Object> inputs,
      Map<String, @Nullable Object> outputs,
      Map<String, @Nullable Object> variables) {}

  /** What was noted since {@link #takeNoted}; to be added to. */
  Noted noted() {
    var known = noted;
    if (known == null) {
      known =
          new Noted(new LinkedHashMap<>(FEW), new LinkedHashMap<>(FEW), new LinkedHashMap<>(FEW));
      noted = known;
    }
    return known;
  }

  /** Begins anew; null: nothing was noted. */
  @Nullable Noted takeNoted() {
    var taken = noted;
    noted = null;
    return taken;
  }

  static Execution of(ActivityExecution stored, ActivityNode node) {
    var execution =
        new Execution(
            stored.number(),
            stored.parent(),
            node,
            stored.tag(),
            stored.startedAt(),
            stored.variables(),
            JsonCopy.changeable(stored.memory()));
    execution.status = stored.status();
    return execution;
  }

  boolean running() {
    return status == ActivityStatus.Running;
  }

  Child asChild() {
    return new Child(number, node, tag, status == ActivityStatus.Faulted);
  }

  ActivityExecution snapshot() {
    return new ActivityExecution(
        number,
        parent,
        node.nodeId(),
        status,
        variables.isEmpty()
            ? Map.of()
            : Collections.unmodifiableMap(new LinkedHashMap<>(variables)),
        JsonCopy.fixed(memory),
        tag,
        startedAt);
  }
}
