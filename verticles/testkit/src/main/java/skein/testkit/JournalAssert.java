package skein.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.JournalEntry;

/**
 * Assertions about an instance's journal; each method throws an {@link AssertionError} where it
 * fails.
 */
public final class JournalAssert {
  private final List<JournalEntry> journal;

  JournalAssert(List<JournalEntry> journal) {
    this.journal = List.copyOf(journal);
  }

  public JournalAssert contains(String activityId, ActivityEvent event) {
    if (count(activityId, event) == 0) {
      throw unlike("has no " + event + " of " + activityId);
    }
    return this;
  }

  public JournalAssert doesNotContain(String activityId, ActivityEvent event) {
    if (count(activityId, event) > 0) {
      throw unlike("has " + event + " of " + activityId);
    }
    return this;
  }

  public JournalAssert contains(String activityId, ActivityEvent event, int times) {
    long found = count(activityId, event);
    if (found != times) {
      throw unlike("has " + event + " of " + activityId + " " + found + " times, not " + times);
    }
    return this;
  }

  /** These activities have completed, in this order; others may have between them. */
  public JournalAssert completedInOrder(String... activityIds) {
    var wanted = new ArrayList<>(Arrays.asList(activityIds));
    for (var entry : journal) {
      if (!wanted.isEmpty()
          && entry.event().equals(ActivityEvent.Completed.name())
          && entry.activityId().equals(wanted.getFirst())) {
        wanted.removeFirst();
      }
    }
    if (!wanted.isEmpty()) {
      throw unlike(
          "does not show that " + String.join(", ", activityIds) + " completed in this order");
    }
    return this;
  }

  /** The activity's last completion had this outcome. */
  public JournalAssert hasOutcome(String activityId, String outcome) {
    @Nullable Object last = null;
    for (var entry : journal) {
      if (entry.activityId().equals(activityId)
          && entry.event().equals(ActivityEvent.Completed.name())) {
        last = entry.data().get("outcomes");
      }
    }
    if (!(last instanceof List<?> outcomes) || !outcomes.contains(outcome)) {
      throw unlike("shows the outcomes " + last + " of " + activityId + ", not " + outcome);
    }
    return this;
  }

  private long count(String activityId, ActivityEvent event) {
    return journal.stream()
        .filter(e -> e.activityId().equals(activityId) && e.event().equals(event.name()))
        .count();
  }

  private AssertionError unlike(String what) {
    var lines = new StringBuilder("The journal " + what + ":");
    journal.forEach(entry -> lines.append("\n  ").append(line(entry)));
    return new AssertionError(lines.toString());
  }

  private static String line(JournalEntry entry) {
    var message = entry.message() == null ? "" : " (" + entry.message() + ")";
    return entry.activityId() + " " + entry.event() + message;
  }
}
