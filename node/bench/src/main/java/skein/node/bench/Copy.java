package skein.node.bench;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.StimulusHash;
import skein.model.Timing;
import skein.model.TokenGrant;
import skein.model.WorkflowInstance;

/** An instance that is like another one but for its id and what follows from that. */
record Copy(WorkflowInstance template) {

  /**
   * @param correlationId of the copy
   * @param dueAt when its delay ends, which is its name too; null for a bookmark without one
   */
  WorkflowInstance of(
      InstanceId id,
      Instant createdAt,
      @Nullable String correlationId,
      @Nullable Instant dueAt,
      @Nullable TokenGrant token) {
    var labels = template.labels();
    return new WorkflowInstance(
        id,
        template.definition(),
        template.status(),
        template.revision(),
        new Labels(
            dueAt == null ? labels.name() : dueAt.toString(), correlationId, labels.parent()),
        new Timing(createdAt, createdAt, null),
        template.counters(),
        null,
        template.input(),
        template.output(),
        template.results(),
        template.executions(),
        List.of(bookmark(id, createdAt, dueAt, token)),
        List.of(),
        List.of(),
        null);
  }

  private Bookmark bookmark(
      InstanceId id, Instant createdAt, @Nullable Instant dueAt, @Nullable TokenGrant token) {
    var from = template.bookmarks().getFirst();
    Object payload =
        dueAt == null ? from.payload() : Map.<String, Object>of("resumeAt", dueAt.toString());
    var hash =
        dueAt == null
            ? from.hash()
            : StimulusHash.of(
                from.name(), JsonText.canonical(payload), Integer.toString(from.execution()));
    return new Bookmark(
        new BookmarkId(id, from.id().number()),
        from.name(),
        hash,
        payload,
        from.activityId(),
        from.nodeId(),
        from.execution(),
        createdAt,
        dueAt,
        token,
        from.tag());
  }
}
