package skein.graph;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import skein.model.WorkflowDefinition;

/** Finds the workflows that activities of unknown types are uses of, within limits. Used once. */
final class Uses {
  private final UsedWorkflows used;
  private final Predicate<String> elsewhere;
  private final CompilerOptions options;
  private final Set<String> definitionIds = new LinkedHashSet<>();
  private boolean floats;
  private boolean full;

  /** {@code elsewhere}: whether another node knows an activity type. */
  Uses(UsedWorkflows used, Predicate<String> elsewhere, CompilerOptions options) {
    this.used = used;
    this.elsewhere = elsewhere;
    this.options = options;
  }

  /** Of all definitions that were found. */
  Set<String> definitionIds() {
    return definitionIds;
  }

  /** Whether a reference may mean another version tomorrow, or something where it means nothing. */
  boolean floats() {
    return floats;
  }

  /**
   * The workflow that an activity is a use of; null where there is none, or none that may be.
   *
   * @param chain the ids of the definitions around it, the outermost first
   * @param activities how many there are in the graph so far
   */
  @Nullable WorkflowDefinition find(
      Map<String, @Nullable Object> json,
      List<String> chain,
      int activities,
      Consumer<String> problem,
      Consumer<String> warning) {
    var reference = Reference.of(json);
    var found = used.find(reference);
    if (found == null) {
      floats = true;
      unknown(reference, problem, warning);
      return null;
    }
    var id = found.ref().definitionId();
    floats |= !reference.pins(found.ref());
    definitionIds.add(id);
    if (chain.contains(id)) {
      problem.accept(
          "a workflow cannot contain itself: " + String.join(" uses ", chain) + " uses " + id);
      return null;
    }
    if (chain.size() > options.usesDepthMax()) {
      problem.accept("workflows use one another more than " + options.usesDepthMax() + " deep");
      return null;
    }
    if (activities > options.activitiesMax()) {
      tooMany(problem);
      return null;
    }
    return found;
  }

  /** Said once: there may be very many. */
  private void tooMany(Consumer<String> problem) {
    if (!full) {
      problem.accept(
          "the workflow has more than "
              + options.activitiesMax()
              + " activities with those that it uses: start some with Elsa.ExecuteWorkflow or"
              + " Elsa.DispatchWorkflow instead");
    }
    full = true;
  }

  private void unknown(Reference reference, Consumer<String> problem, Consumer<String> warning) {
    var instead = LeftOut.instead(reference.type());
    if (instead != null) {
      problem.accept("this activity of Elsa is left out here: " + instead);
      return;
    }
    if (elsewhere.test(reference.type())) {
      warning.accept(
          "other nodes know the activity type, this one does not; they execute it, and while none of"
              + " them is there it waits");
      return;
    }
    boolean workflow = reference.definitionId() != null || reference.versionId() != null;
    var finding =
        workflow
            ? "the workflow that it uses is not here, or is not usable as an activity: publish it"
                + " first"
            : "no node knows the activity type";
    if (reference.type().isEmpty() || (options.unknownRefused() && !workflow)) {
      problem.accept(finding);
    } else {
      warning.accept(finding + "; it faults when it is executed");
    }
  }
}
