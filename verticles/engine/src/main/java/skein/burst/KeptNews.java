package skein.burst;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ChildOrder;
import skein.activities.Json;
import skein.activities.Resumption;

/**
 * News of children that end while their parent is faulted. A faulted instance executes nothing, so
 * the execution that waits for a child keeps its news in its memory, and hears it when an
 * alteration lets the instance go on.
 */
final class KeptNews {
  /** In the memory of an execution that waits for children: a list of inputs with news. */
  static final String KEY = "$news";

  private static final String CHILD_ID = "workflowInstanceId";
  private static final String OUTPUT = "output";

  private final RunState state;

  KeptNews(RunState state) {
    this.state = state;
  }

  /**
   * Keeps the news, in place of earlier news of the same child; without the child's output where
   * the instance has no room for it.
   *
   * @param input as of {@link ChildOrder#KEY}
   */
  void keep(Execution execution, Map<String, @Nullable Object> input) {
    var kept = new ArrayList<@Nullable Object>();
    var child = childOf(input);
    for (var earlier : take(execution)) {
      if (child == null || !child.equals(childOf(earlier))) {
        kept.add(earlier);
      }
    }
    var fits = state.usage.hasRoomFor(input);
    kept.add(fits ? input : withoutOutput(input));
    execution.memory.put(KEY, kept);
    state.journal.add(
        execution,
        Journal.CHILD_ENDED,
        "Kept until the workflow goes on"
            + (fits ? "" : ", without the output of the child: the instance has no room for it"));
  }

  /** Queues what was kept for each execution that still waits. */
  void deliver() {
    for (var execution : state.executions.all()) {
      for (var input : take(execution)) {
        if (execution.running()) {
          state.agenda.add(
              new Agenda.Work.Resume(execution.number, new Resumption(Children.TAG, input)));
        }
      }
    }
  }

  private static List<Map<String, @Nullable Object>> take(Execution execution) {
    var news = new ArrayList<Map<String, @Nullable Object>>();
    for (var item : Json.list(execution.memory.remove(KEY))) {
      var input = Json.object(item);
      if (input != null) {
        news.add(input);
      }
    }
    return news;
  }

  /** Null of a child that could not be started. */
  private static @Nullable String childOf(Map<String, @Nullable Object> input) {
    var news = Json.object(input.get(ChildOrder.KEY));
    return news == null ? null : Json.text(news, CHILD_ID);
  }

  private static Map<String, @Nullable Object> withoutOutput(Map<String, @Nullable Object> input) {
    var news = Json.object(input.get(ChildOrder.KEY));
    if (news == null) {
      return input;
    }
    var rest = new LinkedHashMap<String, @Nullable Object>(news);
    rest.remove(OUTPUT);
    return Json.members(ChildOrder.KEY, rest);
  }
}
