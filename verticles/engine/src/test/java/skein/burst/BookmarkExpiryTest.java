package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.EXPRESSIONS;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.request;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.waiting;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.codecs.ResumeLinks;
import skein.codecs.ResumeToken;
import skein.decisions.Decide;
import skein.decisions.Decision;
import skein.decisions.DecisionContext;
import skein.decisions.EventTimers;
import skein.forms.FormLimits;
import skein.graph.Graph;
import skein.messages.Command;
import skein.model.Bookmark;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Bookmarks that expire when they are not resumed. */
class BookmarkExpiryTest {
  private static final Instant END = NOW.plus(Duration.ofHours(2));
  private static final Burst EXPIRING =
      new Burst(
          EXPRESSIONS,
          BurstLimits.DEFAULT,
          new BookmarkOptions(
              new ResumeLinks("https://skein.test/"), Duration.ofDays(7), Duration.ofHours(2)));
  private static final Decide DECIDE =
      new Decide(EXPIRING, Duration.ofSeconds(2), FormLimits.DEFAULT);

  private static WorkflowInstance start(Graph graph) {
    return EXPIRING.start(graph, ID, request(Map.of()), at(NOW)).next();
  }

  private static Transition decide(Command command, WorkflowInstance instance, Graph graph) {
    var inputs =
        new BurstInputs(
            NOW.plusSeconds(60),
            7,
            new UUID(1, 3),
            () -> ByteBuffer.allocate(ResumeToken.SECRET_BYTES).putLong(5).array());
    var decision =
        DECIDE.decide(command, instance, graph, new DecisionContext(inputs, false, Map.of()));
    return ((Decision.Commit) decision).transition();
  }

  private static Transition fire(Graph graph, WorkflowInstance instance, Bookmark end) {
    return EXPIRING.resume(graph, instance, end.id(), Map.of(), false, at(END));
  }

  private static @Nullable Instant end(WorkflowInstance instance, String activityId) {
    return waiting(instance, activityId).expiresAt(instance.bookmarks());
  }

  private static @Nullable Instant tokenEnd(Transition minted) {
    return Objects.requireNonNull(minted.made().getFirst().token()).expiresAt();
  }

  private static List<Bookmark> ends(WorkflowInstance instance) {
    return instance.bookmarks().stream().filter(Bookmark::ofEngine).toList();
  }

  @Test
  void a_bookmark_that_nobody_resumes_faults_its_activity_when_it_expires() {
    var graph = sequence(event("e", "go") + "," + line("after", "after"));
    var began = EXPIRING.start(graph, ID, request(Map.of()), at(NOW));
    var waiting = began.next();

    assertThat(end(waiting, "e")).isEqualTo(END);
    assertThat(began.timersMade()).extracting(Timer::dueAt).containsExactly(END);

    var late = fire(graph, waiting, ends(waiting).getFirst());
    assertThat(late.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(late.next().bookmarks()).isEmpty();
    assertThat(late.next().incidents().getFirst())
        .satisfies(incident -> assertThat(incident.type()).isEqualTo("BookmarkExpired"))
        .satisfies(incident -> assertThat(incident.message()).contains("PT2H"));
  }

  @Test
  void one_that_is_resumed_in_time_takes_its_end_with_it() {
    var graph = sequence(event("e", "go") + "," + line("after", "after"));
    var waiting = start(graph);

    var resumed =
        decide(
            new Command.Resume(
                ID, waiting(waiting, "e").id(), Map.of(), new Command.Via.Api(), false),
            waiting,
            graph);

    assertThat(resumed.guard().notAfter()).isEqualTo(END);
    assertThat(linesOf(resumed)).containsExactly("after");
    assertThat(resumed.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(resumed.timersDone()).contains(ends(waiting).getFirst().id().toString());
  }

  @Test
  void an_event_that_comes_too_late_resumes_nothing() {
    var graph = sequence(event("e", "go"));
    var waiting = start(graph);
    var timer = EventTimers.resume("ev", waiting(waiting, "e").id(), "news");

    var delivered = decide(new Command.Fire(timer), waiting, graph);

    assertThat(delivered.guard().notAfter()).isEqualTo(END);
  }

  @Test
  void a_token_ends_with_its_bookmark_at_the_latest() {
    var graph = sequence(event("e", "go"));
    var waiting = start(graph);
    var id = waiting(waiting, "e").id();

    var longer =
        decide(new Command.MintToken(id, Duration.ofDays(30), "kim", null), waiting, graph);
    var shorter =
        decide(new Command.MintToken(id, Duration.ofMinutes(5), "kim", null), waiting, graph);

    assertThat(tokenEnd(longer)).isEqualTo(END);
    assertThat(longer.guard().notAfter()).isEqualTo(END);
    assertThat(tokenEnd(shorter)).isEqualTo(NOW.plusSeconds(60).plus(Duration.ofMinutes(5)));
  }

  @Test
  void the_timeout_of_an_activity_is_in_its_place_and_ends_its_bookmark() {
    var graph =
        sequence(
            activity(
                "Event",
                "e",
                "'eventName':"
                    + literal("String", "'go'")
                    + ",'customProperties':{'timeout':'00:00:10'}"));

    var waiting = start(graph);

    assertThat(end(waiting, "e")).isEqualTo(NOW.plusSeconds(10));
    assertThat(ends(waiting)).extracting(Bookmark::tag).containsExactly(Bookmark.TIMEOUT);
  }

  @Test
  void what_the_clock_or_a_child_resumes_does_not_expire() {
    var delay = activity("Delay", "d", "'timeSpan':" + literal("TimeSpan", "'1.00:00:00'"));
    var waiting = start(sequence(delay));

    assertThat(ends(waiting)).isEmpty();
    assertThat(end(waiting, "d")).isNull();
  }

  @Test
  void a_refused_request_does_not_prolong_an_endpoint() {
    var endpoint =
        activity(
            "HttpEndpoint",
            "h",
            "'path':"
                + literal("String", "'orders'")
                + ",'supportedMethods':"
                + literal("String[]", "['GET','POST']")
                + ",'requestSizeLimit':"
                + literal("Int64", "1"));
    var graph = sequence(endpoint);
    var waiting = start(graph);
    assertThat(ends(waiting)).hasSize(2);

    var request = Map.<String, Object>of("method", "POST", "path", "orders", "size", 5000L);
    var refused =
        EXPIRING.resume(
            graph,
            waiting,
            waiting(waiting, "h").id(),
            Map.of("http", request),
            true,
            at(NOW.plusSeconds(600)));

    var open = refused.next().bookmarks().stream().filter(b -> !b.ofEngine()).toList();
    assertThat(open).hasSize(2);
    assertThat(open)
        .allSatisfy(
            bookmark -> assertThat(bookmark.expiresAt(refused.next().bookmarks())).isEqualTo(END));
    assertThat(ends(refused.next())).hasSize(2);
  }

  @Test
  void a_retry_waits_as_long_again() {
    var graph =
        sequence(
            "{'type':'Elsa.Event','id':'e','eventName':"
                + literal("String", "'go'")
                + ",'customProperties':{'retry':{'attempts':2,'delay':'00:00:01','jitter':false}}}");
    var waiting = start(graph);

    var resting = fire(graph, waiting, ends(waiting).getFirst()).next();
    var again =
        EXPIRING
            .resume(
                graph,
                resting,
                ends(resting).getFirst().id(),
                Map.of(),
                false,
                at(END.plusSeconds(1)))
            .next();

    assertThat(end(again, "e")).isEqualTo(END.plusSeconds(1).plus(Duration.ofHours(2)));
  }

  @Test
  void without_the_setting_bookmarks_wait_for_ever() {
    var graph = sequence(event("e", "go"));
    var waiting = Workflows.start(graph).next();

    assertThat(waiting.bookmarks()).hasSize(1);
    assertThat(end(waiting, "e")).isNull();
  }
}
