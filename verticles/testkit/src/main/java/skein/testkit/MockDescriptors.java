package skein.testkit;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.activities.ActivityDescriptor;
import skein.activities.Input;
import skein.activities.Json;
import skein.activities.Output;
import skein.expressions.ScriptName;
import skein.model.WorkflowDefinition;

/**
 * Describes the types that are mocked: as they are known, or as the definitions use them. A type
 * that is not known has an input for every member that is an expression, and an output for every
 * member that is bound to something.
 */
final class MockDescriptors {
  private final Activities known;
  private final Collection<WorkflowDefinition> definitions;

  MockDescriptors(Activities known, Collection<WorkflowDefinition> definitions) {
    this.known = known;
    this.definitions = definitions;
  }

  ActivityDescriptor of(String type) {
    var activity = known.find(type, Integer.MAX_VALUE);
    if (activity != null) {
      return activity.descriptor();
    }
    Set<Input> inputs = new LinkedHashSet<>();
    Set<Output> outputs = new LinkedHashSet<>();
    for (var definition : definitions) {
      collect(definition.json().get("root"), type, inputs, outputs);
    }
    return ActivityDescriptor.of(type, "Mocks", "Mocked by a test.")
        .with(inputs.toArray(Input[]::new))
        .with(outputs.toArray(Output[]::new));
  }

  private static void collect(
      @Nullable Object json, String type, Set<Input> inputs, Set<Output> outputs) {
    if (json instanceof List<?> list) {
      list.forEach(item -> collect(item, type, inputs, outputs));
      return;
    }
    var object = Json.object(json);
    if (object == null) {
      return;
    }
    if (type.equals(object.get("type"))) {
      describe(object, inputs, outputs);
    }
    object.values().forEach(member -> collect(member, type, inputs, outputs));
  }

  private static void describe(
      Map<String, @Nullable Object> activity, Set<Input> inputs, Set<Output> outputs) {
    activity.forEach((member, value) -> {
      var wrapped = Json.object(value);
      if (wrapped != null && wrapped.containsKey("expression")) {
        inputs.add(Input.of(ScriptName.of(member), "Object"));
      } else if (wrapped != null && wrapped.get("memoryReference") != null) {
        outputs.add(new Output(ScriptName.of(member), "Object"));
      }
    });
  }
}
