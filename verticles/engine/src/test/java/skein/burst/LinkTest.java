package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static skein.burst.Workflows.BURST;
import static skein.burst.Workflows.EXPRESSIONS;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.journal;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.request;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.sequence;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import skein.codecs.ResumeLinks;
import skein.codecs.ResumeToken;
import skein.decisions.Decide;
import skein.decisions.Decision;
import skein.decisions.DecisionContext;
import skein.forms.FormLimits;
import skein.graph.Graph;
import skein.messages.Command;
import skein.model.AuditEntry;
import skein.model.Bookmark;
import skein.model.ErrorCode;
import skein.model.Incident;
import skein.model.SkeinException;
import skein.model.StimulusHash;
import skein.model.TokenGrant;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Links that a workflow makes for itself. */
class LinkTest {
  private static final String EVENT_URL = "https://skein.test/elsa/api/events/trigger?t=";
  private static final String RESUME_URL = "https://skein.test/workflows/resume/";
  private static final String LINK = "createEventTriggerUrl('Approve')";
  private static final Burst LINKING =
      new Burst(
          EXPRESSIONS,
          BurstLimits.DEFAULT,
          new BookmarkOptions(new ResumeLinks("https://skein.test/"), Duration.ofDays(7), null));
  private static final Decide DECIDE =
      new Decide(LINKING, Duration.ofSeconds(2), FormLimits.DEFAULT);

  /** A line that a script writes. */
  private static String written(String id, String script) {
    return said(id, "JavaScript", script);
  }

  private static String said(String id, String language, String text) {
    return activity(
        "WriteLine", id, "'text':" + expression("String", language, "'" + quoted(text) + "'"));
  }

  /** Quotes of definitions are single; in a script they are this. */
  private static String quoted(String script) {
    return script.replace("'", "\\u0027");
  }

  private static Transition start(Graph graph) {
    return start(graph, 1);
  }

  private static Transition start(Graph graph, long secret) {
    return LINKING.start(graph, ID, request(Map.of()), inputs(NOW, secret));
  }

  private static BurstInputs inputs(Instant now, long secret) {
    return new BurstInputs(
        now,
        7,
        new UUID(1, 2),
        () -> ByteBuffer.allocate(ResumeToken.SECRET_BYTES).putLong(secret).array());
  }

  private static String token(String url, String beginning) {
    assertThat(url).startsWith(beginning);
    return url.substring(beginning.length());
  }

  private static String eventToken(Transition transition) {
    return token(linesOf(transition).getFirst(), EVENT_URL);
  }

  private static Transition use(
      Graph graph, WorkflowInstance instance, String token, @Nullable Object payload) {
    return use(graph, instance, token, payload, NOW.plusSeconds(60));
  }

  private static Transition use(
      Graph graph, WorkflowInstance instance, String token, @Nullable Object payload, Instant now) {
    var command =
        new Command.Resume(
            ID,
            ResumeToken.bookmark(token),
            payload == null ? Map.of() : Map.of("payload", payload),
            new Command.Via.Token(StimulusHash.sha256(token), "somebody"),
            false);
    var given = new DecisionContext(inputs(now, 99), false, Map.of());
    var decision = DECIDE.decide(command, instance, graph, given);
    return ((Decision.Commit) decision).transition();
  }

  private static void assertRefused(ErrorCode code, Runnable use) {
    assertThatExceptionOfType(SkeinException.class)
        .isThrownBy(use::run)
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }

  private static List<Bookmark> links(WorkflowInstance instance) {
    return instance.bookmarks().stream().filter(Bookmark::isEventLink).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "JavaScript; createEventTriggerUrl('Approve')",
        "Liquid; {{ 'Approve' | create_event_trigger_url }}",
      })
  void a_link_publishes_its_event_to_its_instance_once(String language, String text) {
    var graph =
        sequence(
            said("mail", language, text)
                + ","
                + event("wait", "Approve")
                + ","
                + written("end", "getOutputFrom('wait').by")
                + ","
                + event("more", "Approve"));
    var sent = start(graph);
    var token = eventToken(sent);

    var used = use(graph, sent.next(), token, Map.of("by", "kim"));

    assertThat(linesOf(used)).containsExactly("kim");
    assertThat(used.burnt()).contains(ResumeToken.bookmark(token));
    assertThat(used.audit())
        .containsExactly(
            new AuditEntry(
                "token.resume",
                "ok",
                ID.value(),
                ResumeToken.bookmark(token).toString(),
                "somebody"));
    assertRefused(
        ErrorCode.ALREADY_RESUMED, () -> use(graph, used.next(), token, Map.of("by", "lee")));
  }

  @Test
  void what_a_burst_commits_of_a_link_is_a_bookmark_with_a_hash_and_an_entry_for_the_audit() {
    var sent = start(sequence(written("mail", LINK) + "," + event("wait", "Approve")));
    var token = eventToken(sent);

    var link = links(sent.next()).getFirst();
    assertThat(sent.made()).contains(link);
    assertThat(link.name()).isEqualTo("Skein.EventLink");
    assertThat(link.payload()).isEqualTo(Map.of("eventName", "Approve"));
    assertThat(link.token())
        .isEqualTo(new TokenGrant(StimulusHash.sha256(token), NOW.plus(Duration.ofDays(7))));
    assertThat(sent.audit())
        .containsExactly(
            new AuditEntry("token.mint", "ok", ID.value(), link.id().toString(), "workflow"));
  }

  @Test
  void a_link_of_a_decision_that_lost_does_not_work() {
    var graph = sequence(written("mail", LINK) + "," + event("wait", "Approve"));
    var won = start(graph, 1);
    var lost = start(graph, 2);

    assertThat(ResumeToken.bookmark(eventToken(lost)))
        .isEqualTo(ResumeToken.bookmark(eventToken(won)));
    assertRefused(
        ErrorCode.TOKEN_INVALID, () -> use(graph, won.next(), eventToken(lost), Map.of()));
    assertThat(use(graph, won.next(), eventToken(won), Map.of()).next().status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void the_same_decision_makes_the_same_link() {
    var graph = sequence(written("mail", LINK + " + getGuid()") + "," + event("wait", "Approve"));

    assertThat(start(graph).next()).isEqualTo(start(graph).next());
    assertThat(linesOf(start(graph))).isEqualTo(linesOf(start(graph)));
  }

  @Test
  void each_link_of_an_event_works_once() {
    var graph =
        sequence(
            written("mail", LINK)
                + ","
                + written("copy", LINK)
                + ","
                + event("first", "Approve")
                + ","
                + event("second", "Approve"));
    var sent = start(graph);
    var one = eventToken(sent);
    var other = token(linesOf(sent).get(1), EVENT_URL);

    var once = use(graph, sent.next(), one, null);
    var twice = use(graph, once.next(), other, null);

    assertThat(one).isNotEqualTo(other);
    assertThat(once.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(twice.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_link_may_be_used_before_its_event_is_waited_for() {
    var graph =
        sequence(
            written("mail", LINK) + "," + event("other", "Other") + "," + event("wait", "Approve"));
    var sent = start(graph);

    var used = use(graph, sent.next(), eventToken(sent), null);
    var end = Workflows.resume(graph, used.next(), "other");

    assertThat(journal(used)).isEmpty();
    assertThat(used.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(
            BURST
                .resume(
                    graph,
                    used.next(),
                    Workflows.waiting(used.next(), "other").id(),
                    Map.of(),
                    false,
                    inputs(NOW.plusSeconds(120), 3))
                .next()
                .status())
        .isEqualTo(WorkflowStatus.Completed);
    assertThat(end.next().status())
        .as("an hour later it is forgotten")
        .isEqualTo(WorkflowStatus.Suspended);
  }

  @Test
  void only_its_token_uses_a_link() {
    var graph = sequence(written("mail", LINK) + "," + event("wait", "Approve"));
    var sent = start(graph);
    var link = links(sent.next()).getFirst().id();

    for (var via : List.of(new Command.Via.Api(), new Command.Via.Work())) {
      var command = new Command.Resume(ID, link, Map.of(), via, false);
      assertRefused(
          ErrorCode.BOOKMARK_NOT_FOUND,
          () ->
              DECIDE.decide(
                  command,
                  sent.next(),
                  graph,
                  new DecisionContext(inputs(NOW, 3), false, Map.of())));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "TimeSpan.FromHours(1) | 2026-03-01T11:00:00Z",
        "'1.00:00:00' | 2026-03-02T10:00:00Z",
        "'PT15M' | 2026-03-01T10:15:00Z",
        "new Date(Date.UTC(2026, 2, 9)) | 2026-03-09T00:00:00Z",
        "'2026-04-01T12:00:00+02:00' | 2026-04-01T10:00:00Z",
        "null | 2026-03-08T10:00:00Z",
      })
  void the_commit_that_uses_a_link_fails_after_its_end(String until, Instant expiresAt) {
    var graph =
        sequence(
            written("mail", "createEventTriggerUrl('Approve', " + until + ")")
                + ","
                + event("wait", "Approve"));
    var sent = start(graph);

    var used = use(graph, sent.next(), eventToken(sent), null);

    assertThat(links(sent.next()).getFirst().token())
        .isEqualTo(new TokenGrant(StimulusHash.sha256(eventToken(sent)), expiresAt));
    assertThat(used.guard().notAfter()).isEqualTo(expiresAt);
  }

  @Test
  void links_that_have_expired_are_removed_when_another_is_made() {
    var graph =
        sequence(
            written("mail", "createEventTriggerUrl('Approve', 'PT1M')")
                + ","
                + event("wait", "Remind")
                + ","
                + written("again", LINK)
                + ","
                + event("rest", "Approve"));
    var sent = start(graph);
    var old = links(sent.next()).getFirst().id();

    var again =
        LINKING.resume(
            graph,
            sent.next(),
            Workflows.waiting(sent.next(), "wait").id(),
            Map.of(),
            false,
            inputs(NOW.plusSeconds(60), 2));

    assertThat(again.burnt()).contains(old);
    assertThat(links(again.next())).hasSize(1).noneMatch(link -> link.id().equals(old));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "createEventTriggerUrl('') | needs the name of an event",
        "createEventTriggerUrl('A', 'soon') | neither a lifetime",
        "createEventTriggerUrl('A', 'PT0S') | at most 3660 days",
        "createEventTriggerUrl('A', '9999.00:00:00') | at most 3660 days",
        "generateBookmarkTriggerUrl('later') | nothing waits at later",
        "generateBookmarkTriggerUrl('i1-1') | nothing waits at i1-1",
      })
  void what_is_no_link_faults_with_what_is_wrong(String script, String message) {
    var failed = start(sequence(written("mail", script) + "," + event("later", "X"))).next();

    assertThat(failed.status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(failed.incidents())
        .extracting(Incident::message)
        .first()
        .asString()
        .contains(message);
    assertThat(links(failed)).isEmpty();
  }

  @Test
  void an_instance_has_no_more_links_than_bookmarks() {
    var limits = BurstLimits.DEFAULT;
    var few =
        new Burst(
            EXPRESSIONS,
            new BurstLimits(
                limits.stepsMax(),
                limits.executionsMax(),
                3,
                limits.incidentsMax(),
                limits.children(),
                limits.journal(),
                limits.work()));
    var graph =
        sequence(
            written("mail", "for (var i = 0; i < 4; i++) " + LINK)
                + ","
                + event("wait", "Approve"));

    var failed = few.start(graph, ID, request(Map.of()), inputs(NOW, 1)).next();

    assertThat(failed.status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(failed.incidents().getFirst().message()).contains("execution.bookmarks-max");
  }

  @Test
  void a_script_that_fails_leaves_no_link() {
    var graph =
        sequence(
            written("mail", "" + LINK + "; throw new Error('no')")
                + ","
                + event("wait", "Approve"));

    assertThat(start(graph).made()).isEmpty();
    assertThat(start(graph).next().shelved()).isEmpty();
    assertThat(start(graph).audit()).isEmpty();
  }

  @Test
  void an_instance_with_nothing_but_a_link_is_seen_to_hang() {
    var script = "createEventTriggerUrl('Approve'); false";
    var graph =
        Workflows.graph(
            "'customProperties':{'Flowchart:ExecutionMode':'TokenBased'},'root':"
                + Workflows.flowchart(
                    "flow",
                    "S>A S>Q A>J Q.True>J",
                    Workflows.lines("SA")
                        + ","
                        + activity(
                            "FlowDecision",
                            "Q",
                            "'condition':"
                                + expression("Boolean", "JavaScript", "'" + quoted(script) + "'"))
                        + ","
                        + activity(
                            "WriteLine",
                            "J",
                            "'customProperties':{'mergeMode':'Merge'},'text':"
                                + literal("String", "'J'"))));

    var hung = start(graph).next();

    assertThat(hung.incidents()).extracting(Incident::type).containsExactly("NothingToWaitFor");
    assertThat(hung.shelved()).as("the link was there").hasSize(1);
  }

  @Test
  void a_link_ends_with_its_instance() {
    var transition = start(sequence(written("mail", LINK)));

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(transition.next().bookmarks()).isEmpty();
    assertThat(transition.made()).isEmpty();
  }

  @Test
  void a_trigger_has_no_links() {
    var graph =
        sequence(
            "{'type':'Elsa.Event','id':'e','customProperties':{'canStartWorkflow':true},"
                + "'eventName':"
                + expression("String", "JavaScript", "'" + quoted(LINK) + "'")
                + "}");

    assertThatExceptionOfType(SkeinException.class)
        .isThrownBy(() -> LINKING.triggers(graph, inputs(NOW, 1)))
        .satisfies(e -> assertThat(e.errors().toString()).contains("a link needs an instance"));
  }

  // Links of bookmarks

  private static String fork(String... branches) {
    return activity(
        "Fork",
        "fork",
        "'joinMode':"
            + literal("String", "'WaitAll'")
            + ",'branches':["
            + String.join(",", branches)
            + "]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"wait", "i1-1", "Approval"})
  void a_link_resumes_the_bookmark_that_an_earlier_branch_waits_at(String target) {
    var named = event("wait", "Approve").replace("'id'", "'name':'Approval','id'");
    var graph =
        rooted(
            fork(
                named,
                written("mail", "generateBookmarkTriggerUrl('" + target + "')"),
                said("copy", "Liquid", "{{ '" + target + "' | generate_bookmark_trigger_url }}")));
    var sent = start(graph);
    var token = token(linesOf(sent).getFirst(), RESUME_URL);

    var used = use(graph, sent.next(), token, "yes");

    assertThat(linesOf(sent))
        .as("one link for all in a burst")
        .hasSize(2)
        .containsOnly(RESUME_URL + token);
    assertThat(ResumeToken.bookmark(token).toString()).isEqualTo("i1-1");
    assertThat(used.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(String.valueOf(used.next().results().get("wait"))).contains("yes");
    assertRefused(ErrorCode.ALREADY_RESUMED, () -> use(graph, used.next(), token, "no"));
  }

  @Test
  void a_later_link_of_a_bookmark_replaces_the_one_before() {
    var graph =
        rooted(
            fork(
                event("wait", "Approve"),
                "{'type':'Elsa.Sequence','id':'s','activities':["
                    + written("mail", "generateBookmarkTriggerUrl('wait')")
                    + ","
                    + event("remind", "Remind")
                    + ","
                    + written("again", "generateBookmarkTriggerUrl('wait')")
                    + "]}"));
    var sent = start(graph);
    var first = token(linesOf(sent).getFirst(), RESUME_URL);
    var reminded =
        LINKING.resume(
            graph,
            sent.next(),
            Workflows.waiting(sent.next(), "remind").id(),
            Map.of(),
            false,
            inputs(NOW.plusSeconds(9), 2));
    var second = token(linesOf(reminded).getFirst(), RESUME_URL);

    assertThat(reminded.made())
        .as("the row gets the new hash")
        .extracting(Bookmark::id)
        .contains(ResumeToken.bookmark(second));
    assertRefused(ErrorCode.TOKEN_INVALID, () -> use(graph, reminded.next(), first, null));
    assertThat(use(graph, reminded.next(), second, null).next().status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  // The activity

  private static Graph asking(String lifetime) {
    return Workflows.graph(
        "'variables':[{'id':'v','name':'Link','typeName':'String'}],'root':"
            + "{'type':'Elsa.Sequence','id':'seq','activities':["
            + "{'type':'Skein.GenerateBookmarkTriggerUrl','id':'ask',"
            + (lifetime.isEmpty()
                ? ""
                : "'lifetime':" + literal("TimeSpan", "'" + lifetime + "'") + ",")
            + "'url':{'typeName':'String','memoryReference':{'id':'v'}},"
            + "'body':{'type':'Elsa.Sequence','id':'mails','activities':["
            + written("mail", "getLink()")
            + ","
            + event("remind", "Remind")
            + "]}},"
            + written("end", "toJson(getOutputFrom('ask'))")
            + "]}");
  }

  @Test
  void the_activity_runs_its_body_with_a_link_and_ends_when_that_is_used() {
    var graph = asking("");
    var sent = start(graph);
    var token = token(linesOf(sent).getFirst(), RESUME_URL);

    var used = use(graph, sent.next(), token, "yes");

    assertThat(linesOf(used)).containsExactly("{\"payload\":\"yes\"}");
    assertThat(journal(used)).contains("ask Completed", "remind Canceled");
    assertThat(used.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(used.timersDone()).hasSize(1);
  }

  @Test
  void the_activity_expires_with_its_link() {
    var graph = asking("01:00:00");
    var sent = start(graph);
    var due = sent.timersMade().getFirst();

    var expired =
        LINKING.resume(
            graph,
            sent.next(),
            skein.model.BookmarkId.parse(due.id()),
            Map.of(),
            false,
            inputs(due.dueAt(), 2));

    assertThat(due.dueAt()).isEqualTo(NOW.plusSeconds(3600));
    assertThat(expired.journal())
        .filteredOn(entry -> entry.activityId().equals("ask") && entry.event().equals("Completed"))
        .singleElement()
        .satisfies(entry -> assertThat(entry.toString()).contains("Expired"));
    assertThat(expired.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_burst_without_links_asks_for_no_secret() {
    var graph = sequence(line("a", "x") + "," + event("wait", "Approve"));
    var inputs =
        new BurstInputs(
            NOW,
            7,
            new UUID(1, 2),
            () -> {
              throw new AssertionError("asked");
            });

    assertThat(LINKING.start(graph, ID, request(Map.of()), inputs).next().status())
        .isEqualTo(WorkflowStatus.Suspended);
  }
}
