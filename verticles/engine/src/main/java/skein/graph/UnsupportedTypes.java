package skein.graph;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The activities of Elsa that are not here and will not be, and what to do instead. */
final class UnsupportedTypes {
  private static final String SCRIPT = "rewrite it as Elsa.RunJavaScript";
  private static final String SEND = "send an HTTP request to a service that does it";

  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry(
              "Elsa.ReadLine", "a server has no console: wait with Elsa.RunTask or Elsa.Event"),
          Map.entry("Elsa.Inline", "it exists only in C# programs: use Elsa.RunJavaScript"),
          Map.entry(
              "Elsa.DynamicActivity", "it exists only in C# programs: use Elsa.RunJavaScript"),
          Map.entry("Elsa.RunCSharp", SCRIPT),
          Map.entry("Elsa.RunPython", SCRIPT),
          Map.entry("Elsa.BpmnProcess", "draw it as a flowchart"),
          Map.entry("Elsa.StateMachine", "draw it as a flowchart"),
          Map.entry("Elsa.ReadFile", SEND),
          Map.entry("Elsa.WriteFile", SEND));

  private static final Map<String, String> NAMESPACES =
      Map.ofEntries(
          Map.entry("Elsa.Bpmn", "draw it as a flowchart"),
          Map.entry("Elsa.StateMachines", "draw it as a flowchart"),
          Map.entry("Elsa.Kafka", SEND),
          Map.entry("Elsa.AzureServiceBus", SEND),
          Map.entry("Elsa.MassTransit", SEND),
          Map.entry("Elsa.RabbitMQ", SEND),
          Map.entry("Elsa.Slack", SEND),
          Map.entry("Elsa.Telnyx", SEND),
          Map.entry("Elsa.GitHub", SEND),
          Map.entry("Elsa.Csv", "read it with Elsa.RunJavaScript"),
          Map.entry("Elsa.IO", SEND),
          Map.entry("Elsa.Ftp", SEND),
          Map.entry("Elsa.Storage", SEND),
          Map.entry("Elsa.Ldap", SEND));

  private static final List<String> WITHOUT_NAMESPACE =
      List.of(
          "Kafka.", "AzureServiceBus.", "MassTransit.", "Slack.", "Telnyx.", "GitHub.", "Ldap.");

  private UnsupportedTypes() {}

  /** The replacement; null when the type is none of these. */
  static @Nullable String instead(String type) {
    var exact = TYPES.get(type);
    if (exact != null) {
      return exact;
    }
    for (var namespace : NAMESPACES.entrySet()) {
      if (type.startsWith(namespace.getKey() + ".")) {
        return namespace.getValue();
      }
    }
    return WITHOUT_NAMESPACE.stream().anyMatch(type::startsWith) ? SEND : null;
  }
}
