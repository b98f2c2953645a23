package skein.node.verify;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An instance of the verification, as one of the nodes shows it. */
record Instance(NodeClient node, String id) {
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final String PATH = NodeClient.API + "/workflow-instances/";

  private JsonObject shown() {
    return node.get(PATH + id).orThrow().json();
  }

  boolean isFinished() {
    return "Finished".equals(shown().getString("status"));
  }

  /** The version of its definition. */
  int version() {
    return shown().getInteger("version", 0);
  }

  /** When its first wait is due; null when it does not wait for a time. */
  @Nullable Instant dueAt() {
    var bookmarks = shown().getJsonObject("workflowState").getJsonArray("bookmarks");
    if (bookmarks.isEmpty()) {
      return null;
    }
    var due = bookmarks.getJsonObject(0).getString("dueAt");
    return due == null ? null : Instant.parse(due);
  }

  /** False when it has not finished within {@code max}. */
  boolean awaitEnd(Duration max) {
    long end = System.nanoTime() + max.toNanos();
    while (!isFinished()) {
      if (System.nanoTime() > end) {
        return false;
      }
      Pause.of(LOOK_EVERY);
    }
    return true;
  }

  private List<JsonObject> journal() {
    return NodeView.objects(
        node.get(PATH + id + "/journal?skip=0&take=100")
            .orThrow()
            .json()
            .getJsonArray("items", new JsonArray()));
  }

  /** Its history by the journal, which the commits wrote. */
  History history() {
    var journal = journal();
    var resumed = journal.stream().filter(entry -> is(entry, "Resumed")).toList();
    long after =
        journal.stream()
            .filter(entry -> is(entry, "Completed"))
            .filter(entry -> Workflows.AFTER.equals(entry.getString("activityId")))
            .count();
    return new History(
        resumed.size(),
        after,
        resumed.isEmpty() ? null : Instant.parse(resumed.getFirst().getString("timestamp")));
  }

  private static boolean is(JsonObject entry, String event) {
    return event.equals(entry.getString("eventName"));
  }

  /**
   * How often it went on, and when first.
   *
   * @param resumed bursts that took up the wait
   * @param after executions of the activity behind it
   */
  record History(int resumed, long after, @Nullable Instant at) {
    boolean isOnce() {
      return resumed == 1 && after == 1;
    }

    @Override
    public String toString() {
      return "resumed " + resumed + " times, went on " + after + " times";
    }
  }
}
