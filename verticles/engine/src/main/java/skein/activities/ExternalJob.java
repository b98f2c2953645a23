package skein.activities;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.model.Bookmark;

/**
 * Has a worker outside the cluster do a job: any program that leases jobs of the type over HTTP.
 * What the worker reports as failed is a fault of the activity, as with other work outside.
 */
final class ExternalJob implements Activity {
  /** The type of a job: letters, digits and a few signs, so that it can be part of a key. */
  static final Pattern TYPE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,99}");

  private static final Input TYPE =
      Input.of("JobType", "String")
          .described(
              "What workers lease the job by: 1 to 100 letters, digits, dots, colons, hyphens and"
                  + " underscores.");
  private static final Input PAYLOAD =
      Input.of("Payload", "Object").described("What the worker is given; any JSON value.");
  private static final Input OUTCOMES =
      Input.of("Outcomes", "String[]")
          .outcomes(ActivityDescriptor.DONE)
          .described("Outcomes that the worker may choose from; Done where it chooses none.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(
              Bookmark.JOB, "Jobs", "Has a worker outside the cluster do a job, in any language.")
          .with(TYPE, PAYLOAD, OUTCOMES)
          .with(Output.RESULT)
          .titled("Job");

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public @Nullable Collection<String> outcomes(ActivityNode node) {
    var chosen = node.literalTexts(OUTCOMES);
    return chosen == null
        ? null
        : Stream.concat(DESCRIPTOR.outcomes().stream(), chosen.stream()).toList();
  }

  @Override
  public void execute(ActivityContext context) {
    var type = context.required(TYPE);
    if (!TYPE_NAME.matcher(type).matches()) {
      throw new FaultException(
          "JobTypeInvalid", "\"" + type + "\" is not a type of jobs: " + TYPE_NAME.pattern());
    }
    context.perform(
        new WorkOrder(WorkOrder.JOB, Json.members("type", type, "payload", context.get(PAYLOAD))));
  }

  /** The value is {@code {result, outcome}}; both may be missing. */
  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    var result = WorkResult.read(resumption.input());
    if (result == null) {
      throw new FaultException("WorkFailed", "The job ended without a result");
    }
    var value = result.orFault();
    context.output(Output.RESULT, value.get("result"));
    context.complete(outcome(context, value));
  }

  private static String outcome(ActivityContext context, Map<String, @Nullable Object> value) {
    var chosen = Json.text(value, "outcome");
    if (chosen == null) {
      return ActivityDescriptor.DONE;
    }
    List<String> known = context.texts(OUTCOMES);
    if (!chosen.equals(ActivityDescriptor.DONE) && !known.contains(chosen)) {
      throw new FaultException(
          "JobOutcomeUnknown",
          "The worker chose the outcome \"" + chosen + "\"; the activity has " + known);
    }
    return chosen;
  }
}
