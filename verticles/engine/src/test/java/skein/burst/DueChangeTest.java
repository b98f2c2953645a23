package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static skein.burst.Workflows.BURST;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;
import static skein.burst.Workflows.waiting;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import skein.codecs.ResumeToken;
import skein.decisions.Decide;
import skein.decisions.Decision;
import skein.decisions.DecisionContext;
import skein.forms.FormLimits;
import skein.graph.Graph;
import skein.messages.Command;
import skein.model.AuditEntry;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Timers that an operator postpones or brings forward. */
class DueChangeTest {
  private static final Decide DECIDE = new Decide(BURST, Duration.ofSeconds(2), FormLimits.DEFAULT);
  private static final Instant DUE = NOW.plus(Duration.ofHours(1));
  private static final Instant LATER = NOW.plus(Duration.ofDays(3));

  private static Graph delayed() {
    return sequence(
        activity("Delay", "d", "'timeSpan':" + literal("TimeSpan", "'01:00:00'"))
            + ","
            + line("l", "on"));
  }

  private static Decision decision(Command command, WorkflowInstance instance, Graph graph) {
    var inputs =
        new BurstInputs(
            NOW.plusSeconds(60),
            7,
            new UUID(1, 3),
            () -> ByteBuffer.allocate(ResumeToken.SECRET_BYTES).array());
    var given = new DecisionContext(inputs, false, Map.of());
    return DECIDE.decide(command, instance, graph, given);
  }

  private static Transition decide(Command command, WorkflowInstance instance, Graph graph) {
    return ((Decision.Commit) decision(command, instance, graph)).transition();
  }

  private static Transition change(
      Graph graph, WorkflowInstance instance, BookmarkId id, Instant dueAt) {
    return decide(new Command.ChangeDue(id, dueAt, "kim"), instance, graph);
  }

  private static Timer timer(Bookmark bookmark) {
    var dueAt = Objects.requireNonNull(bookmark.dueAt());
    return new Timer(bookmark.id().toString(), dueAt, ID, Timer.Kind.Bookmark, null);
  }

  private static void assertRefused(ErrorCode code, Supplier<?> call) {
    assertThatThrownBy(call::get)
        .isInstanceOfSatisfying(SkeinException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void another_bookmark_with_another_timer_takes_the_place() {
    var graph = delayed();
    var waiting = start(graph).next();
    var old = waiting(waiting, "d");

    var changed = change(graph, waiting, old.id(), LATER.plusNanos(1_700));

    var due = LATER.plusNanos(1_000);
    var now = waiting(changed.next(), "d");
    assertThat(now.id()).isNotEqualTo(old.id());
    assertThat(now.dueAt()).isEqualTo(due);
    assertThat(now.payload()).isEqualTo(Map.of("resumeAt", due.toString()));
    assertThat(now.execution()).isEqualTo(old.execution());
    assertThat(changed.made()).containsExactly(now);
    assertThat(changed.burnt()).containsExactly(old.id());
    assertThat(changed.timersMade()).containsExactly(timer(now));
    assertThat(changed.timersDone()).containsExactly(old.id().toString());
    assertThat(changed.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(changed.next().revision()).isEqualTo(waiting.revision() + 1);
    assertThat(linesOf(changed)).isEmpty();
  }

  @Test
  void journal_and_audit_say_who_changed_what() {
    var graph = delayed();
    var waiting = start(graph).next();
    var old = waiting(waiting, "d");

    var changed = change(graph, waiting, old.id(), LATER);

    assertThat(changed.audit())
        .containsExactly(
            new AuditEntry("timer.change", "ok", ID.value(), old.id().toString(), "kim"));
    assertThat(changed.journal())
        .extracting(JournalEntry::event, JournalEntry::activityId, JournalEntry::message)
        .containsExactly(tuple("DueChanged", "d", LATER + " instead of " + DUE));
  }

  @Test
  void the_old_timer_finds_nothing_and_the_new_one_is_guarded_by_the_new_instant() {
    var graph = delayed();
    var waiting = start(graph).next();
    var old = waiting(waiting, "d");
    var changed = change(graph, waiting, old.id(), LATER).next();

    assertThat(decision(new Command.Fire(timer(old)), changed, graph))
        .isInstanceOf(Decision.Obsolete.class);

    var fired = decide(new Command.Fire(timer(waiting(changed, "d"))), changed, graph);
    assertThat(fired.guard().notBefore()).isEqualTo(LATER);
    assertThat(linesOf(fired)).containsExactly("on");
  }

  /** The later of the two holds: the row's where a firing has failed, else the bookmark's. */
  @Test
  void a_timer_of_a_deleted_instance_fires_no_bookmark_of_its_successor_early() {
    var graph = delayed();
    var waiting = start(graph).next();
    var id = waiting(waiting, "d").id().toString();
    var earlier = new Timer(id, DUE.minusSeconds(600), ID, Timer.Kind.Bookmark, null);
    var failedBefore = new Timer(id, DUE.plusSeconds(600), ID, Timer.Kind.Bookmark, null);

    assertThat(decide(new Command.Fire(earlier), waiting, graph).guard().notBefore())
        .isEqualTo(DUE);
    assertThat(decide(new Command.Fire(failedBefore), waiting, graph).guard().notBefore())
        .isEqualTo(DUE.plusSeconds(600));
  }

  @Test
  void what_has_fired_is_not_postponed() {
    var graph = delayed();
    var waiting = start(graph).next();
    var old = waiting(waiting, "d");
    var fired = decide(new Command.Fire(timer(old)), waiting, graph).next();

    assertRefused(ErrorCode.ALREADY_RESUMED, () -> change(graph, fired, old.id(), LATER));
    assertRefused(
        ErrorCode.BOOKMARK_NOT_FOUND, () -> change(graph, waiting, new BookmarkId(ID, 7), LATER));
  }

  @Test
  void the_rest_before_a_retry_and_the_end_of_an_attempt_are_moved_too() {
    var graph =
        sequence(
            activity(
                "Event",
                "e",
                "'eventName':"
                    + literal("String", "'go'")
                    + ",'customProperties':{'timeout':'00:00:10'}"));
    var waiting = start(graph).next();
    var end = waiting.bookmarks().stream().filter(Bookmark::ofEngine).findFirst().orElseThrow();

    var changed = change(graph, waiting, end.id(), LATER).next();

    var event =
        changed.bookmarks().stream().filter(one -> !one.ofEngine()).findFirst().orElseThrow();
    assertThat(event.expiresAt(changed.bookmarks())).isEqualTo(LATER);
    assertThat(changed.bookmarks()).hasSize(2);
  }

  @Test
  void what_waits_for_no_instant_or_has_a_link_is_refused() {
    var events = sequence(event("e", "go"));
    var event = start(events).next();
    assertRefused(
        ErrorCode.ALTERATION_REFUSED, () -> change(events, event, waiting(event, "e").id(), LATER));

    var graph = delayed();
    var waiting = start(graph).next();
    var id = waiting(waiting, "d").id();
    var linked = decide(new Command.MintToken(id, null, "kim", null), waiting, graph).next();
    assertRefused(ErrorCode.ALTERATION_REFUSED, () -> change(graph, linked, id, LATER));
    var revoked = decide(new Command.RevokeToken(id, "kim"), linked, graph).next();
    assertThat(List.of(waiting(change(graph, revoked, id, LATER).next(), "d").dueAt()))
        .containsExactly(LATER);
  }
}
