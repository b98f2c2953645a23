package skein.activities;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.InstanceId;
import skein.model.Parent.Notice;
import skein.model.StimulusHash;

/** The common part of activities that start other workflows. */
public final class ChildWorkflows {
  public static final String EXECUTE = "Elsa.ExecuteWorkflow";
  public static final String DISPATCH = "Elsa.DispatchWorkflow";
  public static final String BULK_DISPATCH = "Elsa.BulkDispatchWorkflows";

  /** Names the definition. */
  public static final Input DEFINITION_ID =
      Input.of("WorkflowDefinitionId", "String")
          .edited(Editor.DEFINITION_PICKER)
          .titled("Workflow Definition")
          .described("The definition to start, in its published version.");

  static final Input CORRELATION_ID =
      Input.of("CorrelationId", "String")
          .titled("Correlation ID")
          .described("The correlation id of the child.");
  static final Input INPUT =
      Input.of("Input", "ObjectDictionary")
          .described("What the child is given, by the names of its inputs.");
  static final Input START_NEW_TRACE =
      Input.of("StartNewTrace", "Boolean")
          .described("Ignored by Skein; kept for Elsa.")
          .grouped("Open Telemetry");
  static final Input CHANNEL =
      Input.of("ChannelName", "String")
          .titled("Channel")
          .edited(Editor.DROPDOWN)
          .described("Ignored by Skein; kept for Elsa.");

  private ChildWorkflows() {}

  /**
   * The outcome of a child.
   *
   * @param subStatus Finished, Faulted, Cancelled, or Suspended where it continues by itself
   */
  record Outcome(
      @Nullable String instanceId,
      String status,
      String subStatus,
      Map<String, @Nullable Object> output) {

    /** Null when the resumption is not a report of a child: a caller has resumed the bookmark. */
    static @Nullable Outcome of(Resumption resumption) {
      var news = Json.object(resumption.input().get(ChildOrder.KEY));
      if (news == null) {
        return null;
      }
      var error = news.get("error");
      if (error != null) {
        throw new FaultException("ChildNotStarted", "The workflow was not started: " + error);
      }
      var output = Json.object(news.get("output"));
      return new Outcome(
          Json.text(news, "workflowInstanceId"),
          String.valueOf(news.get("status")),
          String.valueOf(news.get(ChildOrder.SUB_STATUS)),
          output == null ? Map.of() : output);
    }
  }

  static Map<String, @Nullable Object> input(ActivityContext context) {
    var input = Json.object(context.get(INPUT));
    return input == null ? Map.of() : input;
  }

  static InstanceId start(ActivityContext context, Notice notice) {
    return context.startChild(
        new ChildOrder(
            context.required(DEFINITION_ID), input(context), context.text(CORRELATION_ID), notice));
  }

  /** Shows what is waited for; the news itself comes without a bookmark. */
  static void await(ActivityContext context, InstanceId child) {
    var name = context.node().descriptor().typeName();
    var payload = Map.<String, Object>of("childInstanceId", child.value());
    context.await(
        Wait.forStimulus(name, StimulusHash.of(name, JsonText.canonical(payload), null), payload));
  }
}
