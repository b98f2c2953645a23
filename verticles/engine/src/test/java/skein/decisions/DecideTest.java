package skein.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.graphOf;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;
import static skein.burst.Workflows.waiting;
import static skein.decisions.Decisions.GRACE;
import static skein.decisions.Decisions.LATER;
import static skein.decisions.Decisions.assertRefused;
import static skein.decisions.Decisions.committed;
import static skein.decisions.Decisions.decide;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.activities.Json;
import skein.burst.Past;
import skein.codecs.ResumeToken;
import skein.graph.Graph;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.Alteration;
import skein.model.AuditEntry;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.Labels;
import skein.model.Parent;
import skein.model.SkeinException;
import skein.model.StartRequest;
import skein.model.StimulusHash;
import skein.model.Timer;
import skein.model.TokenGrant;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

class DecideTest {
  private static final Graph WAITING = sequence(event("e", "go") + "," + line("after", "after"));
  private static final Graph TWICE =
      graph(
          "'root':{'type':'Elsa.Parallel','id':'p','activities':["
              + event("a", "go")
              + ","
              + event("b", "on")
              + "]}");

  private static StartRequest request(@Nullable String correlationId, @Nullable String print) {
    return new StartRequest(Map.of(), new Labels(null, correlationId, null), null, null, print);
  }

  private static Command.Start starting(StartRequest request, @Nullable String versionId) {
    return new Command.Start(ID, "d1", versionId, request, false, false);
  }

  private static Command.Resume resume(@Nullable BookmarkId id, Command.Via via) {
    return new Command.Resume(ID, id, Map.of(), via, false);
  }

  private static Command.Resume resume(@Nullable BookmarkId id) {
    return resume(id, new Command.Via.Api());
  }

  private static WorkflowInstance ended(WorkflowInstance waiting, Graph graph) {
    return committed(decide(resume(null), waiting, graph)).next();
  }

  private static WorkflowInstance cancelled(WorkflowInstance waiting, Graph graph) {
    return committed(decide(new Command.Cancel(ID), waiting, graph)).next();
  }

  private static WorkflowInstance pending(Graph graph) {
    var start = new Command.Start(ID, "d1", null, request(null, null), true, false);
    return committed(decide(start, null, graph)).next();
  }

  private static AuditEntry audit(String action, BookmarkId bookmark, String actor) {
    return new AuditEntry(action, "ok", ID.value(), bookmark.toString(), actor);
  }

  // Starts

  @Test
  void a_start_commits_only_while_its_version_is_published() {
    var started = committed(decide(starting(request(null, null), null), null, WAITING));

    assertThat(started.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(started.guard()).isEqualTo(Transition.Guard.published("d1-v1"));
  }

  @Test
  void a_start_of_a_named_version_asks_nothing_of_what_is_published() {
    var started = committed(decide(starting(request(null, null), "d1-v1"), null, WAITING));

    assertThat(started.guard()).isEqualTo(Transition.Guard.NONE);
  }

  @Test
  void a_dispatched_start_is_accepted_and_run_by_its_timer() {
    var start = new Command.Start(ID, "d1", null, request(null, null), true, false);

    var accepted = committed(decide(start, null, WAITING));

    assertThat(accepted.next().status()).isEqualTo(WorkflowStatus.Pending);
    assertThat(accepted.timersMade()).extracting(Timer::kind).containsExactly(Timer.Kind.Start);
  }

  @Test
  void a_start_at_an_activity_that_is_not_there_is_refused() {
    var at = new StartRequest(Map.of(), Labels.NONE, "nowhere", null, null);
    var there = new StartRequest(Map.of(), Labels.NONE, "e", null, null);

    assertRefused(ErrorCode.INVALID_REQUEST, () -> decide(starting(at, null), null, WAITING));
    assertThat(committed(decide(starting(there, null), null, WAITING)).next().status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_start_of_a_version_that_is_gone_is_refused() {
    assertRefused(
        ErrorCode.DEFINITION_NOT_FOUND,
        () -> decide(starting(request(null, null), "x"), null, null));
  }

  @Test
  void a_start_with_an_id_that_is_taken_is_refused() {
    var taken = start(WAITING).next();

    assertRefused(
        ErrorCode.INSTANCE_EXISTS,
        () -> decide(starting(request(null, null), null), taken, WAITING));
  }

  @Test
  void a_repeated_start_is_answered_with_what_the_first_has_made() {
    var first = committed(decide(starting(request(null, "f"), null), null, WAITING)).next();
    var again = new Command.Start(ID, "d1", null, request(null, "f"), false, true);

    assertThat(decide(starting(request(null, "f"), null), first, WAITING))
        .isEqualTo(new Decision.Answer(Replies.done(first, false, null)));
    assertThat(decide(again, first, WAITING))
        .isEqualTo(new Decision.Answer(Replies.done(first, true, null)));
    assertRefused(
        ErrorCode.IDEMPOTENCY_KEY_REUSED,
        () -> decide(starting(request(null, "other"), null), first, WAITING));
  }

  @Test
  void of_another_tenants_instance_a_start_is_told_no_more_than_that_the_id_is_taken() {
    var first = committed(decide(starting(request(null, "f"), null), null, WAITING)).next();
    var asked = graphOf("acme", "'root':{'type':'Elsa.Sequence','id':'seq'}");

    for (var fingerprint : List.of("f", "other")) {
      assertRefused(
          ErrorCode.INSTANCE_EXISTS,
          () -> decide(starting(request(null, fingerprint), null), first, asked));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "AllowAlways, c, ,",
    "Singleton, , definition:d1,",
    "Singleton, c, definition:d1,",
    "CorrelatedSingleton, c, definition:d1:c,",
    "CorrelatedSingleton, , ,",
    "Correlation, c, correlation:c, c",
    "Correlation, , ,"
  })
  void what_a_new_instance_excludes_follows_from_the_strategy(
      String strategy,
      @Nullable String correlationId,
      @Nullable String key,
      @Nullable String onlyWithCorrelationId) {
    var graph =
        graph(
            "'options':{'activationStrategyType':'Elsa.Workflows.ActivationValidators.%sStrategy,"
                    .formatted(strategy)
                + " Elsa'},'root':"
                + event("e", "go"));

    var started = committed(decide(starting(request(correlationId, null), null), null, graph));

    assertThat(started.guard().activation())
        .isEqualTo(key == null ? null : new Transition.Activation(key, onlyWithCorrelationId));
    assertThat(started.guard().published()).isEqualTo("d1-v1");
  }

  // Resumes

  @Test
  void a_resume_that_names_no_bookmark_takes_the_only_one() {
    var waiting = start(WAITING).next();

    var resumed = committed(decide(resume(null), waiting, WAITING));

    assertThat(resumed.burnt()).containsExactly(waiting(waiting, "e").id());
    assertThat(resumed.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(resumed.audit()).isEmpty();
    assertThat(resumed.guard()).isEqualTo(Transition.Guard.NONE);
  }

  @Test
  void a_resume_that_names_none_of_several_bookmarks_is_told_them() {
    var waiting = start(TWICE).next();

    assertThatThrownBy(() -> decide(resume(null), waiting, TWICE))
        .hasMessageContaining("waits at 2 bookmarks");
    assertRefused(ErrorCode.SEVERAL_BOOKMARKS, () -> decide(resume(null), waiting, TWICE));
  }

  @Test
  void a_resume_that_names_no_bookmark_finds_none() {
    var waiting = start(WAITING).next();
    var ended = ended(waiting, WAITING);
    var never = start(sequence(line("l", "on"))).next();

    assertRefused(ErrorCode.ALREADY_RESUMED, () -> decide(resume(null), ended, WAITING));
    assertRefused(ErrorCode.INSTANCE_FINISHED, () -> decide(resume(null), never, WAITING));
    assertRefused(
        ErrorCode.INSTANCE_FINISHED,
        () -> decide(resume(null), cancelled(waiting, WAITING), WAITING));
  }

  @Test
  void a_named_bookmark_was_there_or_never_was() {
    var waiting = start(TWICE).next();
    var first = waiting(waiting, "a").id();
    var last = waiting(waiting, "b").id();
    assertThat(waiting.counters().bookmarks()).isEqualTo(last.number());
    var next = committed(decide(resume(last), waiting, TWICE)).next();

    assertRefused(ErrorCode.ALREADY_RESUMED, () -> decide(resume(last), next, TWICE));
    assertRefused(
        ErrorCode.BOOKMARK_NOT_FOUND,
        () -> decide(resume(new BookmarkId(ID, last.number() + 1)), next, TWICE));
    assertThat(committed(decide(resume(first), next, TWICE)).next().status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void what_a_faulted_instance_refuses_may_be_accepted_when_it_goes_on() {
    var graph =
        graph(
            "'root':"
                + flowchart(
                    "flow",
                    "a>e a>f",
                    line("a", "a")
                        + ","
                        + event("e", "go")
                        + ","
                        + activity("Fault", "f", "'message':" + literal("String", "'no'"))));
    var faulted = start(graph).next();
    assertThat(faulted.status()).isEqualTo(WorkflowStatus.Faulted);
    var shelved = faulted.shelved().getFirst().id();

    for (var command :
        List.of(resume(shelved), new Command.RevokeToken(shelved, "kim"), new Command.Cancel(ID))) {
      assertThatThrownBy(() -> decide(command, faulted, graph))
          .isInstanceOfSatisfying(
              SkeinException.class, e -> assertThat(InstanceRefusals.mayGoOn(e)).isTrue());
    }
  }

  @Test
  void an_instance_that_was_only_accepted_is_not_resumed() {
    var pending = pending(WAITING);

    assertRefused(ErrorCode.IN_PROGRESS, () -> decide(resume(null), pending, WAITING));
    assertRefused(
        ErrorCode.IN_PROGRESS, () -> decide(resume(new BookmarkId(ID, 1)), pending, WAITING));
  }

  @Test
  void a_resume_needs_instance_and_definition() {
    var waiting = start(WAITING).next();

    assertRefused(ErrorCode.INSTANCE_NOT_FOUND, () -> decide(resume(null), null, WAITING));
    assertRefused(ErrorCode.DEFINITION_NOT_FOUND, () -> decide(resume(null), waiting, null));
  }

  @Test
  void the_engines_own_bookmarks_are_for_the_results_of_work_alone() {
    var graph =
        sequence(
            activity("SendHttpRequest", "s", "'url':" + literal("Uri", "'http://localhost/'"))
                + ","
                + line("after", "after"));
    var waiting = start(graph).next();
    var work = waiting.bookmarks().getFirst();
    assertThat(work.ofEngine()).isTrue();

    assertRefused(ErrorCode.ALREADY_RESUMED, () -> decide(resume(null), waiting, graph));
    for (var via :
        List.of(new Command.Via.Api(), new Command.Via.Event(), new Command.Via.Task())) {
      assertRefused(
          ErrorCode.BOOKMARK_NOT_FOUND, () -> decide(resume(work.id(), via), waiting, graph));
    }
    assertThat(committed(decide(resume(work.id(), new Command.Via.Work()), waiting, graph)).burnt())
        .contains(work.id());
  }

  // Tokens

  private static Transition minted(WorkflowInstance waiting, @Nullable Duration lifetime) {
    var id = waiting(waiting, "e").id();
    return committed(decide(new Command.MintToken(id, lifetime, "kim", null), waiting, WAITING));
  }

  private static Command.Resume byToken(BookmarkId id, String token) {
    return resume(id, new Command.Via.Token(StimulusHash.sha256(token), "10.0.0.1"));
  }

  @Test
  void a_token_is_handed_out_once_and_only_its_hash_is_committed() {
    var waiting = start(TWICE).next();
    var id = waiting(waiting, "a").id();

    var decision =
        decide(new Command.MintToken(id, Duration.ofMinutes(5), "kim", null), waiting, TWICE);

    var token = ((Decision.Commit) decision).token();
    assertThat(token)
        .isNotNull()
        .satisfies(text -> assertThat(ResumeToken.bookmark(text)).isEqualTo(id));
    var transition = committed(decision);
    var until = LATER.truncatedTo(ChronoUnit.MICROS).plus(Duration.ofMinutes(5));
    var marked =
        waiting(waiting, "a")
            .withToken(new TokenGrant(StimulusHash.sha256(String.valueOf(token)), until));
    assertThat(transition.made()).containsExactly(marked);
    assertThat(transition.burnt()).isEmpty();
    assertThat(transition.next().bookmarks())
        .containsExactlyInAnyOrder(marked, waiting(waiting, "b"));
    assertThat(transition.next().revision()).isEqualTo(waiting.revision() + 1);
    assertThat(transition.guard()).isEqualTo(Transition.Guard.NONE);
    assertThat(transition.audit()).containsExactly(audit("token.mint", id, "kim"));
  }

  @Test
  void a_token_without_a_lifetime_does_not_expire() {
    var transition = minted(start(WAITING).next(), null);

    assertThat(transition.made().getFirst().token())
        .isNotNull()
        .satisfies(grant -> assertThat(grant.expiresAt()).isNull());
  }

  @Test
  void a_token_resumes_its_bookmark_before_it_expires() {
    var waiting = start(WAITING).next();
    var id = waiting(waiting, "e").id();
    var command = new Command.MintToken(id, Duration.ofMinutes(5), "kim", null);
    var decision = (Decision.Commit) decide(command, waiting, WAITING);
    var token = String.valueOf(decision.token());
    var next = decision.transition().next();

    var resumed = committed(decide(byToken(id, token), next, WAITING));

    assertThat(resumed.guard())
        .isEqualTo(
            Transition.Guard.notAfter(
                LATER.truncatedTo(ChronoUnit.MICROS).plus(Duration.ofMinutes(5))));
    assertThat(resumed.audit()).containsExactly(audit("token.resume", id, "10.0.0.1"));
    assertRefused(ErrorCode.TOKEN_INVALID, () -> decide(byToken(id, token + "x"), next, WAITING));
    assertRefused(ErrorCode.TOKEN_INVALID, () -> decide(byToken(id, token), waiting, WAITING));
  }

  @Test
  void a_revoked_token_is_no_token() {
    var waiting = minted(start(WAITING).next(), null).next();
    var id = waiting(waiting, "e").id();

    var revoked = committed(decide(new Command.RevokeToken(id, "lee"), waiting, WAITING));

    assertThat(revoked.made()).containsExactly(waiting(waiting, "e").withToken(null));
    assertThat(revoked.audit()).containsExactly(audit("token.revoke", id, "lee"));
  }

  @Test
  void a_bookmark_that_is_gone_gets_no_token() {
    var waiting = start(WAITING).next();
    var id = waiting(waiting, "e").id();
    var ended = ended(waiting, WAITING);
    var never = new BookmarkId(ID, id.number() + 1);

    assertRefused(
        ErrorCode.ALREADY_RESUMED,
        () -> decide(new Command.MintToken(id, null, null, null), ended, WAITING));
    assertRefused(
        ErrorCode.BOOKMARK_NOT_FOUND,
        () -> decide(new Command.RevokeToken(never, null), ended, WAITING));
  }

  // Everything else

  @Test
  void a_second_cancellation_is_answered_like_the_first() {
    var cancelled = cancelled(start(WAITING).next(), WAITING);

    assertThat(cancelled.status()).isEqualTo(WorkflowStatus.Cancelled);
    assertThat(decide(new Command.Cancel(ID), cancelled, WAITING))
        .isEqualTo(new Decision.Answer(Replies.done(cancelled, false, null)));
    assertRefused(
        ErrorCode.INSTANCE_FINISHED,
        () -> decide(new Command.Cancel(ID), ended(start(WAITING).next(), WAITING), WAITING));
  }

  @Test
  void an_alteration_is_audited() {
    var graph =
        graph("'variables':[{'id':'v','name':'V','typeName':'Int64'}],'root':" + event("e", "go"));
    var alter = new Command.Alter(ID, List.of(new Alteration.ModifyVariable("v", 12L)), "kim");

    var altered = committed(decide(alter, start(graph).next(), graph));

    assertThat(altered.audit())
        .containsExactly(new AuditEntry("instance.alter", "ok", ID.value(), null, "kim"));
  }

  @Test
  void a_skip_is_audited_and_the_resume_that_comes_after_it_is_refused() {
    var before = start(WAITING).next();
    var skip =
        new Command.Alter(
            ID,
            List.of(
                new Alteration.Skip(
                    Alteration.Target.activity("e"), Map.of(), List.of(), "not needed")),
            "kim");

    var skipped = committed(decide(skip, before, WAITING));

    assertThat(skipped.audit())
        .containsExactly(new AuditEntry("instance.alter", "ok", ID.value(), null, "kim"));
    assertThat(skipped.journal().getFirst().message()).isEqualTo("by kim: not needed");
    var late = resume(before.bookmarks().getFirst().id());
    assertRefused(ErrorCode.ALREADY_RESUMED, () -> decide(late, skipped.next(), WAITING));
  }

  @Test
  void a_fork_is_audited_and_makes_no_instance_that_is_there() {
    var source = start(WAITING);
    var id = new InstanceId("f1");
    var fork = new Command.Fork(id, "d1-v1", request("c", null), ID, 3, Map.of(), "kim");
    var past = new Past(ID, source.journal().getLast().sequence(), source.journal(), true);

    var forked = committed(decide(fork, null, WAITING, past));

    assertThat(forked.audit())
        .containsExactly(new AuditEntry("instance.fork", "ok", "f1", null, "kim"));
    assertThat(forked.next().labels().correlationId()).isEqualTo("c");
    assertThat(forked.next().bookmarks()).hasSize(1);
    assertRefused(ErrorCode.INSTANCE_EXISTS, () -> decide(fork, forked.next(), WAITING, past));
  }

  @Test
  void a_deletion_is_not_decided() {
    assertThatThrownBy(() -> decide(new Command.Delete(ID), null, null))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void what_is_entered_for_a_task_with_a_form_may_take_its_time_to_check() {
    var with =
        start(sequence(activityWithForm("'form':" + literal("Object", "{'type':'object'}"))));
    var without = start(sequence(activityWithForm("'title':" + literal("String", "'T'"))));
    var id = with.next().bookmarks().getFirst().id();
    var complete =
        new Command.Task(id, new Command.TaskAction.Complete(Map.of()), null, List.of(), null);
    var claim = new Command.Task(id, new Command.TaskAction.Claim(), "kim", List.of(), null);

    assertThat(Decide.checksForm(resume(null), with.next())).isTrue();
    assertThat(Decide.checksForm(complete, with.next())).isTrue();
    assertThat(Decide.checksForm(claim, with.next())).isFalse();
    assertThat(Decide.checksForm(new Command.Cancel(ID), with.next())).isFalse();
    assertThat(Decide.checksForm(resume(null), without.next())).isFalse();
    assertThat(Decide.checksForm(resume(null), start(WAITING).next())).isFalse();
    assertThat(Decide.checksForm(resume(null), null)).isFalse();
  }

  private static String activityWithForm(String members) {
    return "{'type':'Skein.UserTask','id':'t'," + members + "}";
  }

  // What follows a commit

  @Test
  void an_event_is_delivered_by_a_row_of_the_same_commit() {
    var graph =
        sequence(
            activity(
                "PublishEvent",
                "p",
                "'eventName':"
                    + literal("String", "'Done'")
                    + ",'payload':"
                    + expression("Object", "JavaScript", "'({n: 1})'")));

    var started = committed(decide(starting(request("c", null), null), null, graph));

    var timer = started.timersMade().getFirst();
    assertThat(started.timersMade()).hasSize(1);
    assertThat(timer.kind()).isEqualTo(Timer.Kind.Event);
    assertThat(timer.dueAt()).isEqualTo(LATER.plus(GRACE));
    assertThat(timer.instanceId()).isEqualTo(ID);
    assertThat(timer.payload())
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsEntry("eventName", "Done")
        .containsEntry("payload", Map.of("n", 1L))
        .containsEntry("causes", 1L);
  }

  private static Command.Start child(Parent.Notice notice, int execution, boolean dispatch) {
    var labels = new Labels(null, null, new Parent(new InstanceId("p1"), execution, notice));
    var request = new StartRequest(Map.of(), labels, null, null, null);
    return new Command.Start(ID, "d1", null, request, dispatch, false);
  }

  private static List<Timer> news(Decision decision) {
    return committed(decision).timersMade().stream()
        .filter(timer -> timer.id().startsWith("done-"))
        .toList();
  }

  private static Timer told(String status, String subStatus) {
    var child =
        Json.members(
            "workflowInstanceId",
            ID.value(),
            "status",
            status,
            "subStatus",
            subStatus,
            "output",
            Map.of());
    return new Timer(
        "done-" + ID,
        LATER,
        new InstanceId("p1"),
        Timer.Kind.ChildDone,
        Json.members("execution", 3L, "child", child));
  }

  @Test
  void a_parent_is_told_of_the_end_it_waits_for() {
    var started = decide(child(Parent.Notice.AtEnd, 3, false), null, WAITING);
    var waiting = committed(started).next();

    assertThat(news(started)).isEmpty();
    assertThat(news(decide(resume(null), waiting, WAITING)))
        .containsExactly(told("Finished", "Finished"));
    assertThat(news(decide(new Command.Cancel(ID), waiting, WAITING)))
        .containsExactly(told("Finished", "Cancelled"));
    assertThat(news(decide(child(Parent.Notice.AtEnd, 3, false), null, sequence(line("l", "l")))))
        .containsExactly(told("Finished", "Finished"));
  }

  @Test
  void a_parent_that_waits_for_the_first_rest_is_told_of_that_alone() {
    var started = decide(child(Parent.Notice.AtRest, 3, false), null, WAITING);

    assertThat(news(started)).containsExactly(told("Running", "Suspended"));
    assertThat(news(decide(resume(null), committed(started).next(), WAITING))).isEmpty();
    var accepted = decide(child(Parent.Notice.AtRest, 3, true), null, WAITING);
    assertThat(news(accepted)).isEmpty();
    var pending = committed(accepted).next();
    var run = new Timer("start-" + ID, NOW, ID, Timer.Kind.Start, null);
    assertThat(news(decide(new Command.Fire(run), pending, WAITING)))
        .containsExactly(told("Running", "Suspended"));
  }

  @Test
  void a_parent_that_does_not_want_to_know_is_not_told() {
    var started = decide(child(Parent.Notice.Never, 3, false), null, WAITING);

    assertThat(news(started)).isEmpty();
    assertThat(news(decide(resume(null), committed(started).next(), WAITING))).isEmpty();
  }

  @Test
  void a_schedule_is_told_of_the_end_of_what_it_started() {
    var lane = new InstanceId("p1");

    var ended =
        decide(child(Parent.Notice.AtEnd, Parent.SCHEDULE, false), null, sequence(line("l", "l")));

    assertThat(news(ended)).containsExactly(ScheduleNews.ended(lane, ID, LATER));
    assertThat(news(ended).getFirst().kind()).isEqualTo(Timer.Kind.ScheduleDone);
  }

  @Test
  void what_a_cancelled_instance_has_started_is_cancelled_after_it() {
    var graph =
        sequence(
            activity(
                "ExecuteWorkflow",
                "x",
                "'workflowDefinitionId':"
                    + literal("String", "'kid'")
                    + ",'waitForCompletion':"
                    + literal("Boolean", "true")));
    var waiting = start(graph).next();

    var cancelled = committed(decide(new Command.Cancel(ID), waiting, graph));

    assertThat(cancelled.timersMade())
        .containsExactly(
            new Timer(
                "cancel-children-" + ID + "-0",
                LATER,
                ID,
                Timer.Kind.CancelChildren,
                Map.of("round", 0L)));
    var first = cancelled.timersMade().getFirst();
    assertThat(CancelChildren.round(first)).isZero();
    var again = CancelChildren.again(first, Instant.EPOCH);
    assertThat(again.id()).isEqualTo("cancel-children-" + ID + "-1");
    assertThat(again.dueAt()).isEqualTo(Instant.EPOCH);
    assertThat(CancelChildren.round(again)).isEqualTo(1);
    assertThat(
            committed(decide(new Command.Cancel(ID), start(WAITING).next(), WAITING)).timersMade())
        .isEmpty();
  }

  @Test
  void a_reply_says_what_was_done() {
    var transition = start(WAITING);

    assertThat(Replies.done(transition, true))
        .isEqualTo(
            new Reply.Done(
                ID,
                transition.next().definition(),
                WorkflowStatus.Suspended,
                1,
                null,
                transition.next()));
    assertThat(Replies.done(transition, false).state()).isNull();
  }
}
