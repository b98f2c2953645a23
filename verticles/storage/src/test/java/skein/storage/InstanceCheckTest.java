package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.burst.Burst;
import skein.burst.BurstInputs;
import skein.burst.BurstLimits;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.InstanceLimits;
import skein.model.JournalEntry;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.StartRequest;
import skein.model.Timing;
import skein.model.TokenGrant;
import skein.model.WorkflowDefinition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

class InstanceCheckTest {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
  private static final InstanceId ID = new InstanceId("moved");
  private static final InstanceLimits LIMITS = new InstanceLimits(3, 2, 1, 1_000);

  @Test
  void executions_are_a_tree_with_one_root() {
    accepted(new Given().executions(execution(1, 0), execution(2, 1), execution(3, 2)));
    refused(new Given().executions(execution(1, 1)), "execution 1 is not below");
    refused(new Given().executions(execution(1, 0), execution(2, 2)), "execution 2 is not below");
    refused(
        new Given().executions(execution(1, 0), execution(2, 3), execution(3, 2)),
        "execution 2 is not below");
    refused(new Given().executions(execution(1, 0), execution(3, 2)), "execution 3 is not below");
    refused(new Given().executions(execution(1, 0), execution(2, 0)), "execution 2 is not below");
    refused(new Given().executions(execution(1, 0), execution(1, 0)), "have the number 1");
    refused(new Given().executions(execution(1, 0), execution(9, 1)), "has not given out");
  }

  @Test
  void bookmarks_that_are_put_aside_are_looked_at_as_open_ones() {
    var faulted = new Given().status(WorkflowStatus.Faulted, NOW);
    accepted(faulted.shelved(bookmark(1, 1, "A"), bookmark(2, 1, "B")));
    refused(faulted.shelved(bookmark(1, 1, "A"), bookmark(2, 1, "A")), "what another one waits");
    refused(faulted.shelved(bookmark(1, 1, "A"), bookmark(1, 1, "B")), "two bookmarks");
    refused(faulted.shelved(bookmark(7, 1, "A")), "is not its own");
    refused(faulted.shelved(bookmark(1, 2, "A")), "is not its own");
    refused(new Given().shelved(bookmark(1, 1, "A")), "is not faulted");
  }

  @Test
  void the_status_says_what_there_is() {
    refused(new Given().status(WorkflowStatus.Suspended, NOW), "contradict");
    refused(new Given().status(WorkflowStatus.Completed, null), "contradict");
    refused(
        new Given().status(WorkflowStatus.Completed, NOW).open(bookmark(1, 1, "A")),
        "has ended and waits");
    refused(new Given().noExecutions(), "nothing of it is");
    refused(new Given().status(WorkflowStatus.Pending, null), "does not say how to start");
    var request = new StartRequest(Map.of(), Labels.NONE, null, null, null);
    var pending = new Given().status(WorkflowStatus.Pending, null).pending(request);
    refused(pending, "pending and has begun");
    refused(pending.noExecutions(), "pending and has begun");
    accepted(pending.noExecutions().counters(Counters.NONE));
  }

  @Test
  void texts_and_times_fit_their_columns() {
    refused(
        new Given().open(bookmark(1, 1, "x".repeat(3_000))), "the hash of a bookmark is longer");
    refused(new Given().correlationId("é".repeat(1_500)), "its correlation id is longer");
    refused(
        new Given().open(task(new TokenGrant("a\0", null), List.of())), "the token of a bookmark");
    refused(new Given().open(task(null, List.of("user:\0"))), "a subject of a task");
    refused(new Given().open(task(null, List.of(5L))), "that is not a text");
    refused(
        new Given()
            .open(task(new TokenGrant("a", Instant.parse("+12000-01-01T00:00:00Z")), List.of())),
        "between the years");
    refused(
        new Given().journal(entry(1, Instant.parse("+12000-01-01T00:00:00Z"))),
        "between the years");
  }

  @Test
  void counters_leave_room_and_sequences_are_used_once() {
    refused(new Given().counters(new Counters(Integer.MAX_VALUE, 2, 2)), "out of range");
    refused(new Given().counters(new Counters(3, 2, Long.MAX_VALUE)), "out of range");
    refused(new Given().journal(entry(1, NOW), entry(1, NOW)), "have the sequence 1");
  }

  @Test
  void limits_hold_before_anything_is_looked_at() {
    var many = Collections.nCopies(4, execution(1, 0)).toArray(ActivityExecution[]::new);

    assertThatThrownBy(() -> new Given().executions(many).check())
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE);
              assertThat(e.detail()).contains("execution.activities-max");
            });
  }

  /** Whatever a burst leaves is fit, at every step of every sample. */
  @Test
  void instances_of_all_sample_definitions_are_fit() throws Exception {
    var burst = new Burst(new Expressions(ExpressionLimits.DEFAULT, () -> 0), BurstLimits.DEFAULT);
    var inputs = new BurstInputs(NOW, 7, new UUID(1, 2));
    var folder = Path.of("../engine/src/test/resources/skein/conformance/definitions");
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(f -> f.toString().endsWith(".json")).toList()) {
        var graph = graph(Files.readString(file));
        var request = new StartRequest(Map.of(), Labels.NONE, null, null, null);
        var next = burst.start(graph, ID, request, inputs);
        for (var step = 0; step < 5; step++) {
          var instance = next.next();
          var journal = next.journal();
          assertThatCode(() -> InstanceCheck.check(instance, journal, InstanceLimits.DEFAULT))
              .as(file.toString())
              .doesNotThrowAnyException();
          if (instance.status() != WorkflowStatus.Suspended || instance.bookmarks().isEmpty()) {
            break;
          }
          var bookmark = instance.bookmarks().getFirst();
          next = burst.resume(graph, instance, bookmark.id(), Map.of(), false, inputs);
        }
      }
    }
  }

  private static Graph graph(String json) {
    return GraphCompiler.compile(
        new WorkflowDefinition(
            new DefinitionRef("sample", "sample-1", 1),
            "Sample",
            null,
            true,
            true,
            NOW,
            JsonText.parseObject(json, JsonLimits.STORED)),
        Activities.builtIn());
  }

  private static void accepted(Given given) {
    assertThatCode(given::check).doesNotThrowAnyException();
  }

  private static void refused(Given given, String why) {
    assertThatThrownBy(given::check)
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST))
        .hasMessageContaining(why);
  }

  private static ActivityExecution execution(int number, int parent) {
    return new ActivityExecution(
        number, parent, "W:a", ActivityStatus.Running, Map.of(), Map.of(), null, NOW);
  }

  private static Bookmark bookmark(int number, int execution, String hash) {
    return new Bookmark(
        new BookmarkId(ID, number),
        "Elsa.Event",
        hash,
        null,
        "a",
        "W:a",
        execution,
        NOW,
        null,
        null,
        null);
  }

  private static Bookmark task(@Nullable TokenGrant token, List<?> subjects) {
    return new Bookmark(
        new BookmarkId(ID, 1),
        "Skein.UserTask",
        "H",
        Map.of("subjects", subjects),
        "a",
        "W:a",
        1,
        NOW,
        null,
        token,
        null);
  }

  private static JournalEntry entry(long sequence, Instant at) {
    return new JournalEntry(
        sequence, at, 1, 0, "a", "W:a", "Elsa.Event", 1, null, "Started", null, Map.of());
  }

  /** An instance that waits, but for what is said otherwise. */
  private record Given(
      WorkflowStatus status,
      @Nullable Instant finishedAt,
      @Nullable StartRequest pending,
      @Nullable String correlationId,
      Counters counters,
      List<ActivityExecution> executions,
      List<Bookmark> open,
      List<Bookmark> shelved,
      List<JournalEntry> journal) {
    Given() {
      this(
          WorkflowStatus.Suspended,
          null,
          null,
          null,
          new Counters(3, 2, 2),
          List.of(execution(1, 0)),
          List.of(),
          List.of(),
          List.of());
    }

    Given status(WorkflowStatus next, @Nullable Instant at) {
      return new Given(
          next, at, pending, correlationId, counters, executions, open, shelved, journal);
    }

    Given pending(StartRequest next) {
      return new Given(
          status, finishedAt, next, correlationId, counters, executions, open, shelved, journal);
    }

    Given correlationId(String next) {
      return new Given(
          status, finishedAt, pending, next, counters, executions, open, shelved, journal);
    }

    Given counters(Counters next) {
      return new Given(
          status, finishedAt, pending, correlationId, next, executions, open, shelved, journal);
    }

    Given noExecutions() {
      return executions(new ActivityExecution[0]);
    }

    Given executions(ActivityExecution... next) {
      return new Given(
          status,
          finishedAt,
          pending,
          correlationId,
          counters,
          List.of(next),
          open,
          shelved,
          journal);
    }

    Given open(Bookmark... next) {
      return new Given(
          status,
          finishedAt,
          pending,
          correlationId,
          counters,
          executions,
          List.of(next),
          shelved,
          journal);
    }

    Given shelved(Bookmark... next) {
      return new Given(
          status,
          finishedAt,
          pending,
          correlationId,
          counters,
          executions,
          open,
          List.of(next),
          journal);
    }

    Given journal(JournalEntry... next) {
      return new Given(
          status,
          finishedAt,
          pending,
          correlationId,
          counters,
          executions,
          open,
          shelved,
          List.of(next));
    }

    void check() {
      var instance =
          new WorkflowInstance(
              ID,
              new DefinitionRef("Order", "order-1", 1),
              status,
              1,
              new Labels(null, correlationId, null),
              new Timing(NOW, NOW, finishedAt),
              counters,
              pending,
              Map.of(),
              Map.of(),
              Map.of(),
              executions,
              open,
              shelved,
              List.of(),
              null);
      InstanceCheck.check(instance, journal, LIMITS);
    }
  }
}
