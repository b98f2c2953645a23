package skein.graph;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.model.Finding.Severity;
import skein.model.FindingCode;
import skein.model.WorkflowDefinition;

/** Finds the workflows that activities of unknown types are uses of, within limits. Used once. */
final class Uses {
  private final UsedWorkflows used;
  private final Activities activities;
  private final CompilerOptions options;
  private final Findings findings;
  private final Extent extent;
  private final Set<String> definitionIds = new LinkedHashSet<>();
  private boolean floats;

  Uses(
      UsedWorkflows used,
      Activities activities,
      CompilerOptions options,
      Findings findings,
      Extent extent) {
    this.extent = extent;
    this.used = used;
    this.activities = activities;
    this.options = options;
    this.findings = findings;
  }

  /** The ids of all definitions that were found. */
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
   */
  @Nullable WorkflowDefinition find(
      Map<String, @Nullable Object> json, List<String> chain, Findings.About about) {
    var reference = Reference.of(json);
    var found = used.find(reference);
    if (found == null) {
      floats = true;
      unknown(reference, about);
      return null;
    }
    var id = found.ref().definitionId();
    floats |= !reference.pins(found.ref());
    definitionIds.add(id);
    if (chain.contains(id)) {
      findings.error(
          FindingCode.RECURSIVE_WORKFLOW,
          about,
          "",
          "a workflow cannot contain itself: " + String.join(" uses ", chain) + " uses " + id);
      return null;
    }
    if (chain.size() > options.usesDepthMax()) {
      findings.error(
          FindingCode.LIMIT_EXCEEDED,
          about,
          "",
          "workflows use one another more than " + options.usesDepthMax() + " deep");
      return null;
    }
    return extent.isFull(about) ? null : found;
  }

  private void unknown(Reference reference, Findings.About about) {
    var type = reference.type();
    var instead = UnsupportedTypes.instead(type);
    if (instead != null) {
      findings.error(
          FindingCode.UNSUPPORTED_TYPE,
          about,
          "/type",
          "this activity of Elsa is left out here: " + instead);
      return;
    }
    if (activities.isElsewhere(type)) {
      findings.add(
          Severity.WARNING,
          FindingCode.TYPE_ELSEWHERE,
          about,
          "/type",
          "other nodes know the activity type, this one does not; they execute it, and while none of"
              + " them is there it waits",
          null);
      return;
    }
    boolean workflow = reference.definitionId() != null || reference.versionId() != null;
    var finding =
        workflow
            ? "the workflow that it uses is not here, or is not usable as an activity: publish it"
                + " first"
            : "no node knows the activity type";
    boolean refused = type.isEmpty() || (options.unknownRefused() && !workflow);
    findings.add(
        refused ? Severity.ERROR : Severity.WARNING,
        type.isEmpty()
            ? FindingCode.MISSING_TYPE
            : workflow ? FindingCode.UNKNOWN_WORKFLOW : FindingCode.UNKNOWN_TYPE,
        about,
        "/type",
        refused ? finding : finding + "; it faults when it is executed",
        workflow ? null : findings.nearestType(type, activities.types()));
  }
}
