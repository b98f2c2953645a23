package skein.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;
import static skein.decisions.Decisions.assertRefused;
import static skein.decisions.Decisions.committed;
import static skein.decisions.Decisions.decide;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.activities.Json;
import skein.activities.TaskPayload;
import skein.graph.Graph;
import skein.messages.Command;
import skein.messages.Command.TaskAction;
import skein.model.AuditEntry;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.StimulusHash;
import skein.model.TokenGrant;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

class DecideTaskTest {
  private static final TaskAction CLAIM = new TaskAction.Claim();
  private static final TaskAction UNCLAIM = new TaskAction.Unclaim();
  private static final Graph GIVEN =
      sequence(
          task(
              "'assignees':"
                  + literal("String[]", "['ann']")
                  + ",'groups':"
                  + literal("String[]", "['sales']")
                  + ",'data':"
                  + literal("Object", "{'amount':5}")
                  + ",'outcomes':"
                  + literal("String[]", "['Approve']")
                  + ",'form':"
                  + literal("Object", "{'type':'object','required':['amount']}")));
  private static final Graph ANYBODYS = sequence(task("'title':" + literal("String", "'T'")));

  private static String task(String members) {
    return "{'type':'Skein.UserTask','id':'t'," + members + "}";
  }

  private static Bookmark task(WorkflowInstance instance) {
    return instance.bookmarks().getFirst();
  }

  private static TaskPayload payload(WorkflowInstance instance) {
    return TaskPayload.of(task(instance).payload());
  }

  private static Command.Task command(
      WorkflowInstance instance, TaskAction action, @Nullable String user, String... groups) {
    return new Command.Task(task(instance).id(), action, user, List.of(groups), "10.0.0.1");
  }

  private static Transition act(
      WorkflowInstance instance, TaskAction action, @Nullable String user, String... groups) {
    return committed(decide(command(instance, action, user, groups), instance, GIVEN));
  }

  private static void refused(
      ErrorCode code,
      WorkflowInstance instance,
      TaskAction action,
      @Nullable String user,
      String... groups) {
    assertRefused(code, () -> decide(command(instance, action, user, groups), instance, GIVEN));
  }

  private static TaskAction complete(Map<String, @Nullable Object> input) {
    return new TaskAction.Complete(input);
  }

  private static AuditEntry audit(String action, WorkflowInstance instance, String actor) {
    return new AuditEntry(action, "ok", ID.value(), task(instance).id().toString(), actor);
  }

  @Test
  void a_claim_changes_the_task_and_nothing_else() {
    var open = start(GIVEN).next();

    var claimed = act(open, CLAIM, "ann");

    assertThat(payload(claimed.next()).claimedBy()).isEqualTo("ann");
    assertThat(claimed.made()).containsExactly(task(claimed.next()));
    assertThat(task(claimed.next()).id()).isEqualTo(task(open).id());
    assertThat(claimed.burnt()).isEmpty();
    assertThat(claimed.next().revision()).isEqualTo(open.revision() + 1);
    assertThat(claimed.audit())
        .containsExactly(audit("task.claim", open, "claimed:ann (10.0.0.1)"));
  }

  @Test
  void whoever_the_task_is_given_to_may_claim_it() {
    var open = start(GIVEN).next();

    assertThat(payload(act(open, CLAIM, "bob", "sales").next()).claimedBy()).isEqualTo("bob");
    refused(ErrorCode.TASK_NOT_YOURS, open, CLAIM, "bob");
    refused(ErrorCode.TASK_NOT_YOURS, open, CLAIM, "bob", "support");
    var anybodys = start(ANYBODYS).next();
    var claim = command(anybodys, CLAIM, "bob");
    assertThat(payload(committed(decide(claim, anybodys, ANYBODYS)).next()).claimedBy())
        .isEqualTo("bob");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void whoever_claims_names_themselves(String blank) {
    var open = start(GIVEN).next();

    refused(ErrorCode.INVALID_REQUEST, open, CLAIM, blank);
    refused(ErrorCode.INVALID_REQUEST, open, CLAIM, null);
  }

  @Test
  void a_claimed_task_is_its_claimers_alone() {
    var claimed = act(start(GIVEN).next(), CLAIM, "ann").next();

    refused(ErrorCode.TASK_CLAIMED, claimed, CLAIM, "bob", "sales");
    refused(ErrorCode.TASK_CLAIMED, claimed, UNCLAIM, "bob", "sales");
    refused(ErrorCode.TASK_CLAIMED, claimed, complete(Map.of()), "bob", "sales");
    refused(ErrorCode.TASK_CLAIMED, claimed, complete(Map.of()), null);
    refused(
        ErrorCode.TASK_CLAIMED, claimed, new TaskAction.Assign(List.of("bob"), List.of()), "bob");
    assertThat(act(claimed, CLAIM, "ann").audit()).hasSize(1);
    assertThat(act(claimed, complete(Map.of()), "ann").next().status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_claim_is_given_back_by_its_claimer() {
    var open = start(GIVEN).next();
    var claimed = act(open, CLAIM, "ann").next();

    var free = act(claimed, UNCLAIM, "ann");

    assertThat(payload(free.next()).claimedBy()).isNull();
    assertThat(free.audit()).containsExactly(audit("task.unclaim", open, "claimed:ann (10.0.0.1)"));
    refused(ErrorCode.INVALID_REQUEST, claimed, UNCLAIM, null);
    assertThat(act(open, UNCLAIM, null).audit())
        .containsExactly(audit("task.unclaim", open, "10.0.0.1"));
  }

  @Test
  void a_task_is_given_to_others_by_whoever_has_it_or_an_administrator() {
    var open = start(GIVEN).next();
    var claimed = act(open, CLAIM, "ann").next();
    var toBob = new TaskAction.Assign(List.of("bob"), List.of());
    var toSupport = new TaskAction.Assign(List.of(), List.of("support"));

    var assigned = act(claimed, toBob, null);

    assertThat(payload(assigned.next()).claimedBy()).isNull();
    assertThat(payload(assigned.next()).isFor("bob", List.of())).isTrue();
    assertThat(payload(assigned.next()).isFor("ann", List.of("sales"))).isFalse();
    assertThat(assigned.audit()).containsExactly(audit("task.assign", open, "10.0.0.1"));
    assertThat(payload(act(claimed, toSupport, "ann").next()).isFor("eve", List.of("support")))
        .isTrue();
    refused(ErrorCode.TASK_NOT_YOURS, open, toBob, "bob");
    refused(ErrorCode.INVALID_REQUEST, open, new TaskAction.Assign(List.of(), List.of()), "ann");
  }

  @Test
  void a_task_is_completed_with_what_was_sent() {
    var open = start(GIVEN).next();

    var done =
        act(open, complete(Map.of("result", Map.of("amount", 7L), "outcome", "Approve")), "ann");

    assertThat(done.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(done.next().results().get("t"))
        .isEqualTo(Map.of("Result", Map.of("amount", 7L), "CompletedBy", "ann"));
    assertThat(done.audit())
        .containsExactly(audit("task.complete", open, "claimed:ann (10.0.0.1)"));
    assertThat(done.guard()).isEqualTo(Transition.Guard.NONE);
  }

  @Test
  void without_a_result_the_tasks_own_data_are_the_result() {
    var open = start(GIVEN).next();

    var done = act(open, complete(Map.of("outcome", "Done")), null);

    assertThat(done.next().results().get("t"))
        .isEqualTo(Json.members("Result", Map.of("amount", 5L), "CompletedBy", null));
  }

  @Test
  void an_unknown_outcome_and_each_fault_of_the_data_are_told_at_once() {
    var open = start(GIVEN).next();
    var wrong = command(open, complete(Map.of("result", Map.of(), "outcome", "Maybe")), "ann");

    assertThatThrownBy(() -> decide(wrong, open, GIVEN))
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.TASK_INVALID);
              assertThat(e.errors()).hasSize(2);
              assertThat(e.errors().getFirst()).contains("\"Maybe\"", "[Approve]");
              assertThat(e.errors().getLast()).contains("amount");
            });
  }

  @Test
  void a_form_that_cannot_be_used_is_a_fault_of_the_definition() {
    var graph = sequence(task("'form':" + expression("Object", "JavaScript", "'({type: 17})'")));
    var open = start(graph).next();

    assertRefused(
        ErrorCode.DEFINITION_INVALID,
        () -> decide(command(open, complete(Map.of()), null), open, graph));
  }

  @Test
  void however_a_completion_comes_it_is_checked_and_audited() {
    var open = start(GIVEN).next();
    var id = task(open).id();
    Map<String, @Nullable Object> input =
        Map.of("user", "bob", "groups", List.of("sales"), "result", Map.of("amount", 1L));
    var resume = new Command.Resume(ID, id, input, new Command.Via.Task(), false);
    var marked =
        BookmarkChange.of(
                open,
                task(open).withToken(new TokenGrant(StimulusHash.sha256("x"), null)),
                Decisions.context().inputs())
            .next();
    var byToken =
        new Command.Resume(
            ID, id, input, new Command.Via.Token(StimulusHash.sha256("x"), "10.0.0.9"), false);

    assertThat(committed(decide(resume, open, GIVEN)).audit())
        .containsExactly(audit("task.complete", open, "claimed:bob"));
    assertThat(committed(decide(byToken, marked, GIVEN)).audit())
        .containsExactly(
            audit("token.resume", open, "10.0.0.9"),
            audit("task.complete", open, "claimed:bob (10.0.0.9)"));
    var notTheirs =
        new Command.Resume(ID, id, Map.of("user", "bob"), new Command.Via.Task(), false);
    assertRefused(ErrorCode.TASK_NOT_YOURS, () -> decide(notTheirs, open, GIVEN));
  }

  @Test
  void another_bookmark_is_no_task() {
    var graph = sequence(event("e", "go"));
    var waiting = start(graph).next();
    var gone = new Command.Task(new BookmarkId(ID, 9), CLAIM, "ann", List.of(), null);

    assertRefused(
        ErrorCode.TASK_NOT_FOUND, () -> decide(command(waiting, CLAIM, "ann"), waiting, graph));
    assertRefused(ErrorCode.BOOKMARK_NOT_FOUND, () -> decide(gone, waiting, graph));
    assertThat(DecideTask.hasForm(task(waiting))).isFalse();
  }

  @Test
  void a_completion_needs_the_definition() {
    var open = start(GIVEN).next();

    assertRefused(
        ErrorCode.DEFINITION_NOT_FOUND,
        () -> decide(command(open, complete(Map.of()), null), open, null));
    assertThat(committed(decide(command(open, CLAIM, "ann"), open, null)).made()).hasSize(1);
  }
}
