package skein.activities;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The members that the JSON of an activity may have. */
public final class ActivityMembers {
  /** The members of every activity, and those that designers write beside it. */
  public static final List<String> COMMON =
      List.of(
          "type",
          "id",
          "nodeId",
          "name",
          "version",
          "customProperties",
          "metadata",
          "canStartWorkflow",
          "runAsynchronously",
          "displayName",
          "description",
          "applicationProperties",
          "customId",
          "source",
          "line");

  /** Beside them where the activity is a use of another workflow. */
  private static final List<String> OF_USES =
      List.of(
          "workflowDefinitionId",
          "workflowDefinitionVersionId",
          "latestAvailablePublishedVersion",
          "latestAvailablePublishedVersionId");

  /** Inputs that earlier versions of Elsa had: files have them, and they are ignored. */
  private static final Map<String, List<String>> FORMER =
      Map.of("Elsa.Delay", List.of("strategy", "autoBlockingThreshold"));

  /** Inputs that had another name here: files with it mean the same. */
  private static final Map<String, Map<String, String>> RENAMED =
      Map.of(SqlActivity.SINGLE_VALUE, Map.of(SqlCall.FORMER_COMMAND, SqlCall.COMMAND.property()));

  private ActivityMembers() {}

  /** Inputs that a type once had. */
  public static List<String> former(String typeName) {
    return FORMER.getOrDefault(typeName, List.of());
  }

  /** Inputs of a type that once had another name: by the former one, what they are called now. */
  public static Map<String, String> renamed(String typeName) {
    return RENAMED.getOrDefault(typeName, Map.of());
  }

  /** Members of a flowchart beside its ports. */
  public static List<String> ofFlowchart(String typeName) {
    return typeName.equals(Flowchart.TYPE) ? List.of("connections", "start") : List.of();
  }

  /** All that an activity of this kind may have; the first letter may be of either case. */
  public static Set<String> of(ActivityDescriptor descriptor) {
    var members = new LinkedHashSet<String>();
    descriptor.inputs().forEach(input -> members.add(input.property()));
    descriptor.outputs().forEach(output -> members.add(output.property()));
    descriptor.ports().forEach(port -> members.add(port.property()));
    members.addAll(former(descriptor.typeName()));
    members.addAll(renamed(descriptor.typeName()).keySet());
    members.addAll(ofFlowchart(descriptor.typeName()));
    if (descriptor.container()) {
      members.add("variables");
    }
    members.addAll(COMMON);
    members.addAll(OF_USES);
    return members;
  }
}
