package skein.reference;

import static skein.reference.SchemaJson.described;
import static skein.reference.SchemaJson.many;
import static skein.reference.SchemaJson.nullable;
import static skein.reference.SchemaJson.object;
import static skein.reference.SchemaJson.ordered;
import static skein.reference.SchemaJson.reference;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;
import skein.activities.ActivityMembers;
import skein.activities.Input;
import skein.activities.Port;

/**
 * A JSON Schema (2020-12) of workflow definitions, with which editors complete and check them. It
 * knows each activity with its inputs, outputs and ports; a member that an activity does not have
 * is an error. Which connections a flowchart may have, and what expressions say, only the server
 * checks.
 */
public final class DefinitionSchema {
  private static final String FLOWCHART = "Elsa.Flowchart";

  private DefinitionSchema() {}

  /** {@code descriptors}: of all activities that a definition may use. */
  public static Map<String, @Nullable Object> of(Collection<ActivityDescriptor> descriptors) {
    var definitions = new LinkedHashMap<String, @Nullable Object>();
    definitions.put("activity", activity(descriptors));
    definitions.putAll(SchemaParts.shared());
    for (var descriptor : descriptors) {
      definitions.put(descriptor.typeName(), type(descriptor));
    }
    return ordered(
        "$schema",
        "https://json-schema.org/draft/2020-12/schema",
        "title",
        "Workflow definition",
        "description",
        "A workflow of Elsa 3, as Skein runs it",
        "type",
        "object",
        "required",
        List.of("root"),
        "properties",
        SchemaParts.document(),
        "$defs",
        definitions);
  }

  /** An activity by its type; any other type is the use of a workflow. */
  private static Map<String, @Nullable Object> activity(
      Collection<ActivityDescriptor> descriptors) {
    var rules = new ArrayList<Object>();
    var names = new TreeSet<String>();
    for (var descriptor : descriptors) {
      var name = descriptor.typeName();
      names.add(name);
      rules.add(
          ordered(
              "if",
              ofType(ordered("pattern", "^" + literally(name) + "(<.*)?$")),
              "then",
              reference(name)));
    }
    var known = names.stream().map(DefinitionSchema::literally).collect(Collectors.joining("|"));
    rules.add(
        ordered(
            "if",
            ofType(ordered("pattern", "^(" + known + ")(<.*)?$")),
            "else",
            reference(SchemaParts.USED_WORKFLOW)));
    return ordered(
        "type",
        "object",
        "required",
        List.of("type"),
        "properties",
        ordered(
            "type",
            ordered(
                "type",
                "string",
                "description",
                "What the activity does, such as Elsa.WriteLine",
                "anyOf",
                List.of(Map.of("enum", List.copyOf(names)), Map.of()))),
        "allOf",
        rules);
  }

  private static Map<String, @Nullable Object> ofType(Map<String, @Nullable Object> schema) {
    return ordered("required", List.of("type"), "properties", ordered("type", schema));
  }

  private static String literally(String name) {
    return name.replace(".", "\\.");
  }

  private static Map<String, @Nullable Object> type(ActivityDescriptor descriptor) {
    var members = new LinkedHashMap<String, @Nullable Object>();
    for (var input : descriptor.inputs()) {
      members.put(input.property(), input(input));
    }
    for (var output : descriptor.outputs()) {
      members.put(
          output.property(),
          described(
              reference(SchemaParts.OUTPUT), "Output, " + TypeNames.shown(output.typeName())));
    }
    for (var port : descriptor.ports()) {
      members.put(port.property(), port(port));
    }
    if (descriptor.container()) {
      members.put("variables", reference(SchemaParts.VARIABLES));
    }
    ActivityMembers.former(descriptor.typeName()).forEach(name -> members.put(name, Map.of()));
    ActivityMembers.renamed(descriptor.typeName())
        .forEach((name, now) ->
            members.put(
                name, described(Map.of(), "Another name of " + now + ", of earlier files.")));
    if (descriptor.typeName().equals(FLOWCHART)) {
      members.put("connections", reference(SchemaParts.CONNECTIONS));
      members.put("start", nullable(ordered("type", "string")));
    }
    return ordered(
        "description",
        sentence(descriptor),
        "allOf",
        List.of(reference(SchemaParts.MEMBERS)),
        "properties",
        members,
        "patternProperties",
        spelt(members.keySet()),
        "unevaluatedProperties",
        false);
  }

  private static String sentence(ActivityDescriptor descriptor) {
    return descriptor.description() + " Outcomes: " + String.join(", ", descriptor.outcomes());
  }

  /** Elsa takes them with a capital first letter, too. */
  private static Map<String, @Nullable Object> spelt(Collection<String> members) {
    return members.isEmpty()
        ? Map.of()
        : ordered(
            members.stream()
                .map(name -> Character.toUpperCase(name.charAt(0)) + name.substring(1))
                .collect(Collectors.joining("|", "^(", ")$")),
            Map.of());
  }

  private static Map<String, @Nullable Object> input(Input input) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("description", InputText.of(input));
    if (input.defaultValue() != null) {
      json.put("default", input.defaultValue());
    }
    if (!input.isUnbound()) {
      json.putAll(reference(SchemaParts.inputOf(input.typeName())));
    }
    return json;
  }

  private static Map<String, @Nullable Object> port(Port port) {
    var held = reference("activity");
    var member = port.member();
    return many(member == null ? held : object(ordered(member, nullable(held))));
  }
}
