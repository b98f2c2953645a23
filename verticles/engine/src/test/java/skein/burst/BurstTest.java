package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static skein.burst.Workflows.BURST;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.journal;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.lines;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.request;
import static skein.burst.Workflows.resume;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;
import static skein.burst.Workflows.trigger;
import static skein.burst.Workflows.waiting;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.activities.Stimuli;
import skein.model.ActivityStatus;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.WorkflowStatus;

class BurstTest {
  private static final String WAITING =
      line("a", "before") + "," + event("e", "Go") + "," + line("b", "after");

  @Test
  void a_sequence_runs_in_order_and_completes() {
    var transition = start(sequence(line("a", "one") + "," + line("b", "two")));

    assertThat(linesOf(transition)).containsExactly("one", "two");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(transition.next().revision()).isEqualTo(1);
    assertThat(transition.next().timing().finishedAt()).isEqualTo(NOW);
    assertThat(journal(transition))
        .containsExactly(
            "seq Started", "a Started", "a Completed", "b Started", "b Completed", "seq Completed");
  }

  @Test
  void the_journal_carries_inputs_and_outcomes_and_counts_on() {
    var graph = sequence(WAITING);
    var first = start(graph);
    var second = resume(graph, first.next(), "e");

    assertThat(first.journal().get(1).data()).containsEntry("state", Map.of("Text", "before"));
    assertThat(first.journal().get(2).data()).containsEntry("outcomes", List.of("Done"));
    assertThat(second.journal().getFirst().sequence())
        .isEqualTo(first.next().counters().journal() + 1);
  }

  @Test
  void an_event_suspends_and_its_bookmark_is_found_by_the_event_name() {
    var transition = start(sequence(WAITING));

    assertThat(linesOf(transition)).containsExactly("before");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(transition.made()).isEqualTo(transition.next().bookmarks());
    assertThat(waiting(transition.next(), "e").hash()).isEqualTo(Stimuli.event("Go"));
    assertThat(transition.next().executions()).hasSize(2);
    assertThat(journal(transition)).endsWith("e Started", "e Suspended");
  }

  @Test
  void a_resume_burns_the_bookmark_and_runs_on() {
    var graph = sequence(WAITING);
    var suspended = start(graph).next();

    var transition = resume(graph, suspended, "e");

    assertThat(linesOf(transition)).containsExactly("after");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(transition.next().revision()).isEqualTo(2);
    assertThat(transition.burnt()).containsExactly(waiting(suspended, "e").id());
    assertThat(transition.next().bookmarks()).isEmpty();
    assertThat(transition.next().executions()).hasSize(1);
    assertThat(transition.next().executions().getFirst().status())
        .isEqualTo(ActivityStatus.Completed);
  }

  @Test
  void a_bookmark_that_is_gone_cannot_be_resumed() {
    var graph = sequence(WAITING);
    var suspended = start(graph).next();
    var done = resume(graph, suspended, "e").next();

    assertThatThrownBy(
            () -> BURST.resume(graph, done, waiting(suspended, "e").id(), Map.of(), false, at(NOW)))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_RESUMED));
  }

  @Test
  void a_trigger_behaves_as_if_just_resumed() {
    var graph = sequence(event("e", "Go") + "," + line("b", "after"));

    var transition = trigger(graph, "e", "payload");

    assertThat(linesOf(transition)).containsExactly("after");
    assertThat(transition.made()).isEmpty();
    assertThat(transition.next().results()).containsEntry("e", Map.of("Result", "payload"));
  }

  @Test
  void a_pending_start_runs_later_and_consumes_its_timer() {
    var graph = sequence(line("a", "one"));

    var pending = BURST.pend(graph, ID, request(Map.of("x", 1L)), at(NOW));
    var transition = BURST.run(graph, pending.next(), at(NOW));

    assertThat(pending.next().status()).isEqualTo(WorkflowStatus.Pending);
    assertThat(pending.next().revision()).isEqualTo(1);
    assertThat(pending.timersMade())
        .extracting(Timer::id, Timer::kind)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("start-i1", Timer.Kind.Start));
    assertThat(transition.next().revision()).isEqualTo(2);
    assertThat(transition.next().pending()).isNull();
    assertThat(transition.next().input()).containsEntry("x", 1L);
    assertThat(transition.timersDone()).containsExactly("start-i1");
    assertThat(linesOf(transition)).containsExactly("one");
  }

  @Test
  void a_cancel_ends_every_running_execution() {
    var suspended = start(sequence(WAITING)).next();

    var transition = BURST.cancel(null, suspended, at(NOW));

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Cancelled);
    assertThat(transition.next().bookmarks()).isEmpty();
    assertThat(transition.burnt()).hasSize(1);
    assertThat(journal(transition)).containsExactly("e Canceled", "seq Canceled");
    assertThatThrownBy(() -> BURST.cancel(null, transition.next(), at(NOW)))
        .isInstanceOf(SkeinException.class);
  }

  @Test
  void a_finish_ends_everything_there_is() {
    var graph =
        rooted(
            flowchart(
                "f",
                "A>e A>s",
                lines("AB")
                    + ","
                    + event("e", "go")
                    + ","
                    + activity(
                        "Sequence",
                        "s",
                        "'activities':["
                            + activity("Finish", "x", "")
                            + ","
                            + line("c", "c")
                            + "]")));

    var transition = start(graph);

    assertThat(linesOf(transition)).containsExactly("A");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(transition.next().bookmarks()).isEmpty();
    assertThat(transition.next().executions()).hasSize(1);
    assertThat(journal(transition))
        .endsWith("x Completed", "s Completed", "e Canceled", "f Completed");
  }

  @Test
  void an_if_runs_one_of_its_branches() {
    var choice =
        activity(
            "If",
            "i",
            "'condition':"
                + expression("Boolean", "Input", "'Yes'")
                + ",'then':"
                + line("t", "then"));
    var graph = sequence(choice + "," + line("z", "z"));

    assertThat(linesOf(start(graph, Map.of("Yes", true)))).containsExactly("then", "z");
    assertThat(linesOf(start(graph, Map.of("Yes", false)))).containsExactly("z");
    assertThat(start(graph, Map.of("Yes", true)).next().results())
        .containsEntry("i", Map.of("Result", true));
  }

  @Test
  void the_same_burst_decided_twice_decides_alike() {
    var graph = sequence(WAITING);
    var suspended = start(graph).next();

    assertThat(start(graph)).isEqualTo(start(graph));
    assertThat(resume(graph, suspended, "e")).isEqualTo(resume(graph, suspended, "e"));
  }
}
