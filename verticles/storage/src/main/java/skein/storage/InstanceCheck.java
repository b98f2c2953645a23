package skein.storage;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import skein.codecs.StorableText;
import skein.model.ActivityExecution;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.InstanceLimits;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * Checks that an imported instance is one that a burst could have left, as the columns and the
 * interpreter require. Fails with {@code INVALID_REQUEST}, or {@code TOO_LARGE} past the limits
 * that hold here.
 */
final class InstanceCheck {
  private static final Instant TIME_MIN = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant TIME_MAX = Instant.parse("9999-12-31T23:59:59Z");

  /**
   * So that neither a counter nor an id that is made of it overflows when the instance continues.
   */
  private static final int COUNTER_MAX = 900_000_000;

  private static final long SEQUENCE_MAX = 1L << 53;

  /** Columns with these texts are in indexes, whose entries have about 2,700 bytes at most. */
  private static final int TEXT_BYTES_MAX = 2_000;

  private final WorkflowInstance instance;
  private final Map<Integer, ActivityExecution> byNumber = new HashMap<>();

  private InstanceCheck(WorkflowInstance instance) {
    this.instance = instance;
  }

  static void check(WorkflowInstance instance, List<JournalEntry> journal, InstanceLimits limits) {
    limits.check(
        instance.executions().size(),
        Math.max(instance.bookmarks().size(), instance.shelved().size()),
        instance.incidents().size());
    var check = new InstanceCheck(instance);
    check.counters();
    check.status();
    check.executions();
    check.bookmarks();
    check.journal(journal);
    check.text(instance.definition().definitionId(), "the id of its definition");
    check.text(instance.definition().versionId(), "the id of its definition's version");
    check.text(instance.labels().name(), "its name");
    check.text(instance.labels().correlationId(), "its correlation id");
    check.time(instance.timing().createdAt());
    check.time(instance.timing().finishedAt());
  }

  private void counters() {
    var counters = instance.counters();
    boolean fit =
        counters.executions() >= 0
            && counters.executions() <= COUNTER_MAX
            && counters.bookmarks() >= 0
            && counters.bookmarks() <= COUNTER_MAX
            && counters.journal() >= 0
            && counters.journal() <= SEQUENCE_MAX;
    require(fit, "a counter is out of range");
  }

  private void status() {
    var status = instance.status();
    boolean pending = status == WorkflowStatus.Pending;
    require(
        pending == (instance.pending() != null),
        pending ? "it is pending and does not say how to start" : "it has begun and is to start");
    if (pending) {
      boolean blank =
          instance.executions().isEmpty()
              && instance.bookmarks().isEmpty()
              && instance.counters().executions() == 0
              && instance.counters().bookmarks() == 0;
      require(blank, "it is pending and has begun");
    }
    boolean waits = status == WorkflowStatus.Suspended || status == WorkflowStatus.Running;
    require(!waits || !instance.executions().isEmpty(), "it is under way and nothing of it is");
    require(!status.finished() || instance.bookmarks().isEmpty(), "it has ended and waits");
    require(
        status == WorkflowStatus.Faulted || instance.shelved().isEmpty(),
        "it is not faulted and has bookmarks put aside");
    require(
        status.finished() == (instance.timing().finishedAt() != null),
        "its status and the time of its end contradict each other");
  }

  /** A tree with one root: parents have begun, so were numbered, before their children. */
  private void executions() {
    for (var execution : instance.executions()) {
      int number = execution.number();
      require(
          number >= 1 && number <= instance.counters().executions(),
          "an execution has a number it has not given out");
      require(byNumber.put(number, execution) == null, "two executions have the number " + number);
    }
    for (var execution : instance.executions()) {
      int parent = execution.parent();
      boolean placed =
          execution.number() == 1
              ? parent == 0
              : parent < execution.number() && byNumber.containsKey(parent);
      require(placed, "execution " + execution.number() + " is not below one that began before it");
    }
  }

  private void bookmarks() {
    record Wait(int execution, String hash) {}
    var ids = new HashSet<BookmarkId>();
    var waits = new HashSet<Wait>();
    for (var bookmarks : List.of(instance.bookmarks(), instance.shelved())) {
      for (var bookmark : bookmarks) {
        check(bookmark);
        require(ids.add(bookmark.id()), "two bookmarks have the id " + bookmark.id());
        require(
            waits.add(new Wait(bookmark.execution(), bookmark.hash())),
            "bookmark " + bookmark.id() + " waits for what another one waits for");
      }
    }
  }

  private void check(Bookmark bookmark) {
    boolean own =
        bookmark.id().instanceId().equals(instance.id())
            && bookmark.id().number() <= instance.counters().bookmarks()
            && byNumber.containsKey(bookmark.execution());
    require(own, "bookmark " + bookmark.id() + " is not its own");
    text(bookmark.name(), "the name of a bookmark");
    text(bookmark.hash(), "the hash of a bookmark");
    time(bookmark.createdAt());
    time(bookmark.dueAt());
    var token = bookmark.token();
    if (token != null) {
      text(token.hash(), "the token of a bookmark");
      time(token.expiresAt());
    }
    if (UserTaskRow.subjects(bookmark) != null && bookmark.payload() instanceof Map<?, ?> task) {
      subjects((List<?>) Objects.requireNonNull(task.get("subjects")));
    }
  }

  private void subjects(List<?> subjects) {
    for (var subject : subjects) {
      require(subject instanceof String, "a task has a subject that is not a text");
      text((String) subject, "a subject of a task");
    }
  }

  private void journal(List<JournalEntry> journal) {
    var sequences = new HashSet<Long>();
    for (var entry : journal) {
      require(
          entry.sequence() >= 1 && entry.sequence() <= instance.counters().journal(),
          "its journal is longer than its state says");
      require(
          sequences.add(entry.sequence()),
          "two entries of its journal have the sequence " + entry.sequence());
      require(
          entry.execution() >= 0 && entry.parent() >= 0, "its journal names an execution below 0");
      time(entry.at());
    }
  }

  private void time(@Nullable Instant time) {
    boolean fit = time == null || (!time.isBefore(TIME_MIN) && !time.isAfter(TIME_MAX));
    require(fit, "a time is not between the years 1 and 9999");
  }

  private void text(@Nullable String text, String what) {
    if (text != null) {
      require(StorableText.isStorable(text), what + " has a character that cannot be stored");
      require(
          text.length() <= TEXT_BYTES_MAX
              && text.getBytes(StandardCharsets.UTF_8).length <= TEXT_BYTES_MAX,
          what + " is longer than " + TEXT_BYTES_MAX + " bytes");
    }
  }

  private void require(boolean fit, String why) {
    if (!fit) {
      throw unfit(instance.id(), why);
    }
  }

  private static SkeinException unfit(InstanceId id, String why) {
    return new SkeinException(
        ErrorCode.INVALID_REQUEST,
        "Instance " + id + " was not exported by Skein, or was changed since: " + why);
  }
}
