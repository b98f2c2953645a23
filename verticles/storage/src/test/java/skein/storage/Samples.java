package skein.storage;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.Labels;
import skein.model.Timing;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Instances and transitions as tests need them. */
final class Samples {
  static final Instant NOW = Instant.parse("2026-03-04T05:06:07.123456Z");

  private Samples() {}

  static WorkflowInstance instance(String id, long revision) {
    return instance(id, revision, Labels.NONE);
  }

  static WorkflowInstance instance(String id, long revision, Labels labels) {
    return new WorkflowInstance(
        new InstanceId(id),
        new DefinitionRef("Order", "order-1", 1),
        WorkflowStatus.Suspended,
        revision,
        labels,
        new Timing(NOW, NOW, null),
        new Counters(1, 1, revision),
        null,
        Map.of("amount", 12L),
        Map.of(),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  /** The transition that commits this revision. */
  static Transition transition(String id, long revision) {
    return transition(instance(id, revision));
  }

  static Transition transition(WorkflowInstance next) {
    return new Transition(
        next,
        UUID.randomUUID(),
        Transition.Guard.NONE,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(entry(next.revision())),
        List.of(),
        List.of());
  }

  /** Decided on the sample of the revision before. */
  static Proposal proposal(Transition transition) {
    var id = transition.next().id();
    long before = transition.expectedRevision();
    return new Proposal(
        transition, before == 0 ? null : stateId(id, before), stateId(id, before + 1), null);
  }

  private static UUID stateId(InstanceId id, long revision) {
    return UUID.nameUUIDFromBytes((id + "@" + revision).getBytes(StandardCharsets.UTF_8));
  }

  static JournalEntry entry(long sequence) {
    return new JournalEntry(
        sequence,
        NOW,
        1,
        0,
        "a",
        "Workflow1:a",
        "Elsa.WriteLine",
        1,
        null,
        "Completed",
        null,
        Map.of("state", Map.of("Text", "hello")));
  }

  /** Of an execution of its own. */
  static Bookmark bookmark(String id, int number) {
    return bookmark(id, number, number);
  }

  static Bookmark bookmark(String id, int number, int execution) {
    return new Bookmark(
        new BookmarkId(new InstanceId(id), number),
        "Elsa.Event",
        "HASH",
        Map.of("eventName", "Paid"),
        "a",
        "Workflow1:a",
        execution,
        NOW,
        null,
        null,
        null);
  }
}
