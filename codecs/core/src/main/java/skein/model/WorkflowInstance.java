package skein.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of a definition: everything about it that outlives a burst.
 *
 * @param revision how often it was committed; 1 after the first. A commit names the one it read.
 * @param pending how to start it, while its status is {@link WorkflowStatus#Pending}; else null
 * @param input the values it was started with, by name
 * @param output its outputs so far, by name
 * @param executions the activity executions that are not over, in order of their numbers
 * @param results the last output of each activity that had one: activity id to output name to value
 * @param shelved the bookmarks that were open when the instance faulted: nothing resumes them, a
 *     retry opens them again
 * @param fingerprint of the request that an idempotency key guards; null when it had no key
 */
public record WorkflowInstance(
    InstanceId id,
    DefinitionRef definition,
    WorkflowStatus status,
    long revision,
    Labels labels,
    Timing timing,
    Counters counters,
    @Nullable StartRequest pending,
    Map<String, @Nullable Object> input,
    Map<String, @Nullable Object> output,
    Map<String, @Nullable Object> results,
    List<ActivityExecution> executions,
    List<Bookmark> bookmarks,
    List<Bookmark> shelved,
    List<Incident> incidents,
    @Nullable String fingerprint) {

  public @Nullable Bookmark bookmark(BookmarkId bookmarkId) {
    for (var bookmark : bookmarks) {
      if (bookmark.id().equals(bookmarkId)) {
        return bookmark;
      }
    }
    return null;
  }

  /** The same instance as one of a tenant. */
  public WorkflowInstance of(String tenant) {
    return new WorkflowInstance(
        id,
        definition.of(tenant),
        status,
        revision,
        labels,
        timing,
        counters,
        pending,
        input,
        output,
        results,
        executions,
        bookmarks,
        shelved,
        incidents,
        fingerprint);
  }

  public WorkflowInstance withRevision(long next) {
    return new WorkflowInstance(
        id,
        definition,
        status,
        next,
        labels,
        timing,
        counters,
        pending,
        input,
        output,
        results,
        executions,
        bookmarks,
        shelved,
        incidents,
        fingerprint);
  }

  /** The next revision, with other bookmarks and otherwise unchanged. */
  public WorkflowInstance nextWith(List<Bookmark> changed, Instant now) {
    return new WorkflowInstance(
        id,
        definition,
        status,
        revision + 1,
        labels,
        new Timing(timing.createdAt(), now, timing.finishedAt()),
        counters,
        pending,
        input,
        output,
        results,
        executions,
        changed,
        shelved,
        incidents,
        fingerprint);
  }
}
