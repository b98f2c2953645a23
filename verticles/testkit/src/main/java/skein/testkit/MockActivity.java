package skein.testkit;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Activity;
import skein.activities.ActivityContext;
import skein.activities.ActivityDescriptor;
import skein.activities.FaultException;
import skein.activities.Output;

/** Takes the place of every activity of a type. */
final class MockActivity implements Activity {
  private final ActivityDescriptor descriptor;
  private final Mock mock;
  private final MockCalls calls;

  MockActivity(ActivityDescriptor descriptor, Mock mock, MockCalls calls) {
    this.descriptor = descriptor;
    this.mock = mock;
    this.calls = calls;
  }

  @Override
  public ActivityDescriptor descriptor() {
    return descriptor;
  }

  @Override
  public void execute(ActivityContext context) {
    var inputs = new LinkedHashMap<String, @Nullable Object>();
    descriptor.inputs().forEach(input -> inputs.put(input.name(), context.get(input)));
    var answer = calls.ask(descriptor.typeName(), mock, inputs);
    var failure = answer.failure();
    if (failure != null) {
      throw new FaultException(failure.type(), failure.message());
    }
    Map<String, @Nullable Object> outputs = answer.outputs();
    outputs.forEach((name, value) -> context.output(new Output(name, "Object"), value));
    context.complete(answer.outcomes().toArray(String[]::new));
  }
}
