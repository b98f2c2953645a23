package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static skein.burst.Workflows.BURST;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.resume;
import static skein.burst.Workflows.start;
import static skein.burst.Workflows.waiting;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.model.Alteration;
import skein.model.Alteration.Target;
import skein.model.Bookmark;
import skein.model.DefinitionRef;
import skein.model.Effect;
import skein.model.SkeinException;
import skein.model.Transition;
import skein.model.WorkflowDefinition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

class AlterationTest {
  private static final String VARIABLES =
      "'variables':[{'id':'v1','name':'Ok','typeName':'Boolean','value':false}],";

  private static final String CHECK =
      activity(
          "WriteLine",
          "check",
          "'text':"
              + expression(
                  "String",
                  "JavaScript",
                  "\"if (!getOk()) throw new Error(\\u0027not ok\\u0027); \\u0027checked\\u0027\""));

  private static Graph version(int version, String members) {
    var first = Workflows.definition(members);
    var ref = new DefinitionRef("d1", "d1-v" + version, version);
    return GraphCompiler.compile(
        new WorkflowDefinition(ref, "D", null, true, true, NOW, first.json()),
        Activities.builtIn());
  }

  private static Graph forked() {
    return version(
        1,
        VARIABLES
            + "'root':"
            + flowchart(
                "flow",
                "a>check a>e check>b e>c",
                line("a", "a")
                    + ","
                    + CHECK
                    + ","
                    + event("e", "go")
                    + ","
                    + line("b", "b")
                    + ","
                    + line("c", "c")));
  }

  private static Transition alter(
      WorkflowInstance instance, List<Graph> graphs, Alteration... alterations) {
    var targets = new HashMap<Integer, Graph>();
    graphs.forEach(graph -> targets.put(graph.ref().version(), graph));
    return BURST.alter(
        graphs.getFirst(), targets, instance, List.of(alterations), at(NOW.plusSeconds(60)));
  }

  @Test
  void a_retry_repeats_what_has_failed_and_nothing_else() {
    var graph = forked();
    var faulted = start(graph);
    assertThat(linesOf(faulted)).containsExactly("a");
    assertThat(faulted.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(faulted.next().bookmarks()).isEmpty();
    assertThat(faulted.next().shelved()).hasSize(1);

    var retried =
        alter(
            faulted.next(),
            List.of(graph),
            new Alteration.ModifyVariable("Ok", true),
            new Alteration.Retry(List.of()));

    assertThat(linesOf(retried)).containsExactly("checked", "b");
    assertThat(faulted.next().incidents()).hasSize(1);
    assertThat(retried.next().incidents()).isEmpty();
    assertThat(retried.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(retried.made()).hasSize(1);
    assertThat(retried.next().shelved()).isEmpty();
    var done = resume(graph, retried.next(), "e");
    assertThat(linesOf(done)).containsExactly("c");
    assertThat(done.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  /** A worker who had it before the fault may send a result at any time. */
  @Test
  void a_job_that_goes_on_after_a_fault_has_another_id() {
    var graph =
        version(
            1,
            VARIABLES
                + "'root':"
                + flowchart(
                    "flow",
                    "a>j a>check",
                    line("a", "a")
                        + ",{'type':'Skein.Job','id':'j','jobType':"
                        + literal("String", "'pack'")
                        + "},"
                        + CHECK));
    var faulted = start(graph).next();
    assertThat(faulted.status()).isEqualTo(WorkflowStatus.Faulted);
    var before = faulted.shelved().getFirst();
    assertThat(before.isJob()).isTrue();
    assertThat(
            alter(faulted, List.of(graph), new Alteration.ModifyVariable("v1", true))
                .next()
                .shelved())
        .as("while it does not go on")
        .containsExactly(before);

    var retried =
        alter(
            faulted,
            List.of(graph),
            new Alteration.ModifyVariable("Ok", true),
            new Alteration.Retry(List.of()));

    var after = waiting(retried.next(), "j");
    assertThat(retried.effects()).contains(new Effect.JobWaiting(after.id(), "pack"));
    assertThat(after).isEqualTo(before.withId(after.id()));
    assertThat(after.id()).isNotEqualTo(before.id());
    assertThat(retried.made()).containsExactly(after);
    assertThat(resume(graph, retried.next(), "j").next().bookmarks())
        .extracting(Bookmark::id)
        .doesNotContain(before.id(), after.id());
  }

  @Test
  void a_retry_that_fails_again_leaves_the_instance_faulted() {
    var graph = forked();
    var faulted = start(graph).next();

    var retried = alter(faulted, List.of(graph), new Alteration.Retry(List.of("check")));

    assertThat(retried.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(retried.next().incidents())
        .singleElement()
        .satisfies(
            incident -> assertThat(incident.at()).isAfter(faulted.incidents().getFirst().at()));
    assertThat(retried.next().shelved()).hasSize(1);
  }

  @Test
  void a_variable_of_a_faulted_instance_may_be_changed_without_waking_it() {
    var graph = forked();
    var faulted = start(graph).next();

    var changed = alter(faulted, List.of(graph), new Alteration.ModifyVariable("v1", true));

    assertThat(changed.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(changed.next().executions().getFirst().variables()).containsEntry("v1", true);
    assertThat(changed.next().shelved()).hasSize(1);
    assertThatThrownBy(
            () -> alter(faulted, List.of(graph), new Alteration.ModifyVariable("nope", 1L)))
        .isInstanceOf(SkeinException.class)
        .hasMessageContaining("no variable \"nope\"");
  }

  @Test
  void an_activity_may_be_cancelled_and_another_one_scheduled() {
    var graph = forked();
    var waiting =
        alter(
                start(graph).next(),
                List.of(graph),
                new Alteration.ModifyVariable("Ok", true),
                new Alteration.Retry(List.of()))
            .next();

    var altered =
        alter(
            waiting,
            List.of(graph),
            new Alteration.CancelActivity(Target.activity("e")),
            new Alteration.ScheduleActivity(Target.activity("c")));

    assertThat(linesOf(altered)).containsExactly("c");
    assertThat(altered.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void an_alteration_that_cannot_be_made_leaves_all_of_them_undone() {
    var graph = forked();
    var faulted = start(graph).next();

    assertThatThrownBy(() ->
            alter(
                faulted,
                List.of(graph),
                new Alteration.ModifyVariable("Ok", true),
                new Alteration.ScheduleActivity(Target.activity("nowhere"))))
        .isInstanceOf(SkeinException.class)
        .hasMessageContaining("nowhere");
    assertThat(faulted.executions().getFirst().variables()).containsEntry("v1", false);
  }

  private static final String TWO = line("a", "a") + "," + event("e", "go") + "," + line("b", "b");

  @Test
  void a_migrated_instance_goes_on_in_the_other_version() {
    var first = version(1, "'root':" + flowchart("flow", "a>e e>b", TWO));
    var second =
        version(
            2,
            "'root':"
                + flowchart(
                    "flow",
                    "a>n a>e2 n>j e2>j j>c",
                    line("a", "a")
                        + ","
                        + line("n", "n")
                        + ","
                        + event("e2", "go")
                        + ","
                        + activity("FlowJoin", "j", "'mode':" + literal("String", "'WaitAll'"))
                        + ","
                        + line("c", "c")));
    var waiting = start(first).next();

    assertThatThrownBy(
            () -> alter(waiting, List.of(first, second), new Alteration.Migrate(2, Map.of())))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.errors()).containsExactly("e"));

    var migrated =
        alter(waiting, List.of(first, second), new Alteration.Migrate(2, Map.of("e", "e2")));
    assertThat(linesOf(migrated)).isEmpty();
    assertThat(migrated.next().definition().version()).isEqualTo(2);
    assertThat(migrated.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(waiting(migrated.next(), "e2").nodeId()).isEqualTo("Workflow1:flow:e2");
  }

  @Test
  void a_cancelled_instance_accepts_no_alteration() {
    var graph = forked();
    var cancelled = alter(start(graph).next(), List.of(graph), new Alteration.Cancel());

    assertThat(cancelled.next().status()).isEqualTo(WorkflowStatus.Cancelled);
    assertThatThrownBy(
            () -> alter(cancelled.next(), List.of(graph), new Alteration.Retry(List.of())))
        .isInstanceOf(SkeinException.class);
  }

  @Test
  void an_instance_that_has_completed_may_be_migrated_and_stays_as_it_is() {
    var first = version(1, "'root':" + line("a", "a"));
    var second = version(2, "'root':" + line("a", "other"));
    var done = start(first).next();

    var migrated = alter(done, List.of(first, second), new Alteration.Migrate(2, Map.of()));

    assertThat(linesOf(migrated)).isEmpty();
    assertThat(migrated.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(migrated.next().definition().version()).isEqualTo(2);
    assertThat(migrated.next().timing().finishedAt()).isEqualTo(done.timing().finishedAt());
  }

  @Test
  void an_alteration_that_cancels_undoes_first() {
    var graph =
        version(
            1,
            "'root':{'type':'Elsa.Sequence','id':'s','activities':["
                + line("a", "a")
                    .replace("'id':'a'", "'id':'a','customProperties':{'compensatedBy':'u'}")
                + ","
                + line("u", "undone")
                + ","
                + event("e", "go")
                + "]}");

    var cancelled = alter(start(graph).next(), List.of(graph), new Alteration.Cancel());

    assertThat(linesOf(cancelled)).containsExactly("undone");
    assertThat(cancelled.next().status()).isEqualTo(WorkflowStatus.Cancelled);
  }

  @Test
  void loops_and_joins_keep_their_counts_over_a_migration() {
    var activities =
        line("s", "s")
            + ","
            + event("x", "x")
            + ","
            + event("y", "y")
            + ","
            + activity("FlowJoin", "j", "'mode':" + literal("String", "'WaitAll'"))
            + ","
            + line("end", "end");
    var first = version(1, "'root':" + flowchart("flow", "s>x s>y x>j y>j j>end", activities));
    var second = version(2, "'root':" + flowchart("flow", "y>j j>end s>y x>j s>x", activities));
    var half = resume(first, start(first).next(), "x").next();

    var migrated = alter(half, List.of(first, second), new Alteration.Migrate(2, Map.of())).next();
    var lines = new ArrayList<>(linesOf(resume(second, migrated, "y")));

    assertThat(lines).containsExactly("end");
  }
}
