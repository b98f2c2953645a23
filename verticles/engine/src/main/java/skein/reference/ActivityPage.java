package skein.reference;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;
import skein.activities.Input;
import skein.codecs.JsonText;

/** The reference of activities as Markdown, by category and type. */
public final class ActivityPage {
  private static final String HEAD =
      """
      # Activities

      All activities that are built in, made of their declarations; `skein.reference.ActivityPage` writes this page.
      In JSON an activity is an object with `type`, `id`, its inputs, its outputs, and the activities that it holds:

      ```json
      {
        "id": "Greet",
        "type": "Elsa.WriteLine",
        "version": 1,
        "text": {"typeName": "String", "expression": {"type": "JavaScript", "value": "`Hello ${getInput('Name')}`"}}
      }
      ```

      - An input is an expression: `{"expression": {"type": "Literal", "value": 5}}`, or a literal as it stands. Types of
        expressions are `Literal`, `Object`, `Variable`, `Input`, `JavaScript` and `Liquid`; statements of SQL may have `Sql`,
        which is the same as `Literal` there. *Plain* inputs are JSON without an expression; *lazy* ones are evaluated
        whenever the activity asks for them.
      - An output is bound with `{"memoryReference": {"id": "Variable1"}}` to a variable, or to an output of the workflow.
      - A flowchart follows outcomes: `{"source": {"activity": "A", "port": "Done"}, "target": {"activity": "B"}}`. Besides
        those listed each activity has the outcome `Faulted`, which is followed when it faults and something is connected to it.
      - `customProperties` of each activity: `canStartWorkflow` (a trigger that starts the workflow), `retry` (`attempts`,
        `delay`, `maxDelay`, `backoff`, `jitter`), `timeout`, `onFault` and `compensatedBy` (ids of activities beside it).
      - A node shows its activities, custom ones too, at `/elsa/api/descriptors/activities`, and the JSON Schema of
        definitions at `/schemas/workflow-definition.json`.
      """;

  private ActivityPage() {}

  public static String of(Collection<ActivityDescriptor> descriptors) {
    var byCategory =
        descriptors.stream()
            .collect(
                Collectors.groupingBy(
                    ActivityDescriptor::category, TreeMap::new, Collectors.toList()));
    var page = new StringBuilder(HEAD);
    byCategory.forEach((category, all) -> {
      page.append("\n## ").append(category).append('\n');
      all.forEach(descriptor -> append(page, descriptor));
    });
    return page.toString();
  }

  private static void append(StringBuilder page, ActivityDescriptor descriptor) {
    page.append("\n### ").append(descriptor.typeName()).append("\n\n");
    page.append(descriptor.description()).append('\n');
    var facts = facts(descriptor);
    if (!facts.isEmpty()) {
      page.append('\n').append(String.join(" ", facts)).append('\n');
    }
    if (!descriptor.inputs().isEmpty()) {
      page.append("\n| input | type | default | |\n|---|---|---|---|\n");
      descriptor.inputs().forEach(input -> page.append(row(input)));
    }
    if (!descriptor.outputs().isEmpty()) {
      page.append("\n| output | type |\n|---|---|\n");
      descriptor
          .outputs()
          .forEach(output ->
              page.append(
                  "| `%s` | %s |\n"
                      .formatted(output.property(), TypeNames.shown(output.typeName()))));
    }
    if (!descriptor.ports().isEmpty()) {
      var held =
          descriptor.ports().stream()
              .map(port ->
                  port.member() == null
                      ? "`" + port.property() + "`"
                      : "`" + port.member() + "` of each of `" + port.property() + "`")
              .collect(Collectors.joining(", "));
      page.append("\nHolds activities as ").append(held).append(".\n");
    }
    page.append("\nOutcomes: ").append(codes(descriptor.outcomes())).append(".\n");
  }

  private static List<String> facts(ActivityDescriptor descriptor) {
    var facts = new ArrayList<String>();
    if (descriptor.version() > 1) {
      facts.add("Version " + descriptor.version() + ".");
    }
    if (descriptor.kind() == ActivityDescriptor.Kind.Trigger) {
      facts.add("A trigger: with `canStartWorkflow` it starts the workflow, elsewhere it waits.");
    }
    if (descriptor.container()) {
      facts.add("A container: it may declare `variables`.");
    }
    if (descriptor.terminal()) {
      facts.add("It ends the container that it is in.");
    }
    if (!descriptor.presentation().browsable()) {
      facts.add("Designers do not offer it.");
    }
    return facts;
  }

  private static String row(Input input) {
    var words = new ArrayList<String>();
    switch (input.form()) {
      case RAW -> words.add("*Plain.*");
      case LAZY -> words.add("*Lazy.*");
      case EVALUATED, OWN -> {}
    }
    var said = input.editor().description();
    if (said != null) {
      words.add(said);
    }
    words.add(InputText.choices(input, "`"));
    words.add(InputText.secrecy(input));
    words.removeIf(String::isEmpty);
    return "| `%s` | %s | %s | %s |\n"
        .formatted(
            input.property(),
            TypeNames.shown(input.typeName()),
            value(input.defaultValue()),
            String.join(" ", words));
  }

  private static String value(@Nullable Object value) {
    return value == null ? "" : "`" + JsonText.print(value) + "`";
  }

  private static String codes(List<String> texts) {
    return texts.stream().map(text -> "`" + text + "`").collect(Collectors.joining(", "));
  }
}
