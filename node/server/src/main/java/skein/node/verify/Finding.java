package skein.node.verify;

import io.vertx.core.json.JsonObject;
import java.time.Duration;

/**
 * One line of the report.
 *
 * @param item of the guide's checklist, 1 to 6; 0: what all items need
 * @param title what was checked
 * @param seen what was found
 * @param took from the first request of the check to its last answer
 */
public record Finding(int item, String title, CheckResult seen, Duration took) {

  public JsonObject json() {
    return new JsonObject()
        .put("item", item)
        .put("title", title)
        .put("verdict", seen.verdict().name())
        .put("seen", seen.text())
        .put("numbers", new JsonObject(seen.numbers()))
        .put("durationMs", took.toMillis());
  }

  /** As people read it; what has several lines is indented. */
  @Override
  public String toString() {
    return "%-7s %d  %s (%d ms)%n           %s"
        .formatted(
            seen.verdict(),
            item,
            title,
            took.toMillis(),
            seen.text().replace("\n", "\n           "));
  }
}
