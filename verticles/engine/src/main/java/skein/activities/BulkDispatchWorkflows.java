package skein.activities;

import java.util.AbstractList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.expressions.Expressions;
import skein.model.Parent.Notice;
import skein.model.StimulusHash;

/**
 * Starts another workflow once for each of its items. An item that is an object is input of its
 * child as it is; any other is the input {@code Item}, or as {@code DefaultItemInputKey} says.
 * While it waits, an activity runs for each child that has ended, with the child's output as
 * variables.
 */
final class BulkDispatchWorkflows implements Activity {
  private static final Input ITEMS =
      Input.of("Items", "Object")
          .described("A list, JSON text of one, or a range such as 1..100: one instance for each.");
  private static final Input ITEM_KEY =
      Input.of("DefaultItemInputKey", "String", "Item")
          .described("The input that holds an item that is not an object.");
  private static final Input CORRELATION =
      Input.lazy("CorrelationIdFunction", "String")
          .titled("Correlation ID Function")
          .described("The correlation id of a child, by the variable Item.");
  private static final Input WAIT =
      Input.of("WaitForCompletion", "Boolean", true)
          .described("Whether to continue only when all children have ended.");
  private static final Port CHILD_COMPLETED = Port.of("childCompleted");
  private static final Port CHILD_FAULTED = Port.of("childFaulted");
  private static final String COMPLETED = "Completed";
  private static final String CANCELED = "Canceled";
  private static final Pattern RANGE =
      Pattern.compile("\\s*(-?\\d{1,9})\\s*\\.\\.\\s*(-?\\d{1,9})\\s*");
  private static final int RANGE_MAX = 1_000_000;

  /**
   * Key of its memory: the number of children without a report yet, and whether all were cancelled.
   */
  static final String LEFT = "left";

  static final String ALL_CANCELED = "allCanceled";

  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(
              ChildWorkflows.BULK_DISPATCH, "Composition", "Starts a workflow for each item.")
          .with(
              ChildWorkflows.DEFINITION_ID,
              ITEMS,
              ITEM_KEY,
              CORRELATION,
              ChildWorkflows.INPUT,
              WAIT,
              ChildWorkflows.START_NEW_TRACE,
              ChildWorkflows.CHANNEL)
          .with(CHILD_COMPLETED, CHILD_FAULTED)
          .withOutcomes(COMPLETED, CANCELED, ActivityDescriptor.DONE);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var items = items(context.get(ITEMS));
    var waits = context.flag(WAIT);
    var definitionId = context.required(ChildWorkflows.DEFINITION_ID);
    var common = ChildWorkflows.input(context);
    context.startChildren(
        items.size(),
        i ->
            new ChildOrder(
                definitionId,
                input(context, common, items.get(i)),
                correlationId(context, items.get(i)),
                waits ? Notice.AtEnd : Notice.Never));
    if (!waits) {
      context.complete();
    } else if (items.isEmpty()) {
      context.complete(COMPLETED, ActivityDescriptor.DONE);
    } else {
      context.memory().put(LEFT, (long) items.size());
      context.memory().put(ALL_CANCELED, true);
      await(context, items.size());
    }
  }

  /** A list, JSON that is one, a range such as {@code 1..100}, or a single item. */
  private static List<? extends @Nullable Object> items(@Nullable Object given) {
    if (given instanceof String text) {
      var range = RANGE.matcher(text);
      if (range.matches()) {
        return range(Long.parseLong(range.group(1)), Long.parseLong(range.group(2)));
      }
      return text.isBlank() ? List.of() : Json.list(Expressions.convert(text, "JSON"));
    }
    return Json.list(given);
  }

  private static List<Object> range(long first, long last) {
    if (last - first >= RANGE_MAX) {
      throw new FaultException("RangeTooLong", "A range has at most " + RANGE_MAX + " items");
    }
    return new Numbers(first, (int) Math.max(0, last - first + 1));
  }

  /** One after another, each made when it is asked for. */
  private static final class Numbers extends AbstractList<Object> {
    private final long first;
    private final int size;

    Numbers(long first, int size) {
      this.first = first;
      this.size = size;
    }

    @Override
    public Object get(int index) {
      return first + Objects.checkIndex(index, size);
    }

    @Override
    public int size() {
      return size;
    }
  }

  /** A map of its own for each child. */
  private static Map<String, @Nullable Object> input(
      ActivityContext context, Map<String, @Nullable Object> common, @Nullable Object item) {
    var input = new LinkedHashMap<String, @Nullable Object>(common);
    var members = Json.object(item);
    if (members == null) {
      input.put(context.required(ITEM_KEY), item);
    } else {
      input.putAll(members);
    }
    return input;
  }

  private static @Nullable String correlationId(ActivityContext context, @Nullable Object item) {
    if (context.node().input(CORRELATION) == null) {
      return null;
    }
    var variables = new LinkedHashMap<String, @Nullable Object>();
    variables.put("Item", item);
    var id = context.getWith(CORRELATION, variables);
    return id == null || id.toString().isBlank() ? null : id.toString();
  }

  private static void await(ActivityContext context, int children) {
    var payload = Map.<String, Object>of("children", (long) children);
    var hash =
        StimulusHash.of(
            ChildWorkflows.BULK_DISPATCH,
            JsonText.canonical(payload),
            context.instanceId() + ":" + context.execution());
    context.await(Wait.forStimulus(ChildWorkflows.BULK_DISPATCH, hash, payload));
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    var outcome = ChildWorkflows.Outcome.of(resumption);
    if (outcome == null) {
      context.complete();
      return;
    }
    var memory = context.memory();
    memory.put(LEFT, left(context) - 1);
    if (!outcome.subStatus().equals("Cancelled")) {
      memory.put(ALL_CANCELED, false);
    }
    var port = outcome.subStatus().equals("Finished") ? CHILD_COMPLETED : CHILD_FAULTED;
    var activity = context.node().child(port);
    if (activity == null) {
      completeWhenDone(context);
    } else {
      context.schedule(activity, outcome.instanceId(), outcome.output());
    }
  }

  @Override
  public void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    completeWhenDone(context);
  }

  private static long left(ActivityContext context) {
    return context.memory().get(LEFT) instanceof Number number ? number.longValue() : 0;
  }

  private static void completeWhenDone(ActivityContext context) {
    if (left(context) > 0 || context.hasPendingChildren()) {
      return;
    }
    var canceled = Boolean.TRUE.equals(context.memory().get(ALL_CANCELED));
    context.complete(canceled ? CANCELED : COMPLETED, ActivityDescriptor.DONE);
  }
}
