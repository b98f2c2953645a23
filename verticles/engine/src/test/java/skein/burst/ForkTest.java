package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static skein.burst.Workflows.BURST;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.journal;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.lines;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.request;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;
import static skein.burst.Workflows.waiting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import skein.activities.Activities;
import skein.activities.FlowchartMode;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.model.Alteration;
import skein.model.Bookmark;
import skein.model.DefinitionRef;
import skein.model.Effect;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.StartRequest;
import skein.model.Transition;
import skein.model.WorkflowDefinition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

class ForkTest {
  private static final InstanceId FORK = new InstanceId("f1");

  private static final String COUNTS =
      "'variables':[{'id':'v1','name':'Count','typeName':'Int64','value':0}],'root':";

  /** Bursts of one instance, one after another. */
  private static final class History {
    final Graph graph;
    final List<Transition> bursts = new ArrayList<>();

    History(Graph graph) {
      this.graph = graph;
      bursts.add(start(graph));
    }

    WorkflowInstance now() {
      return bursts.getLast().next();
    }

    History resume(String... activityIds) {
      for (var id : activityIds) {
        bursts.add(ForkTest.resume(graph, now(), id, bursts.size()));
      }
      return this;
    }

    List<JournalEntry> journal() {
      return bursts.stream().flatMap(burst -> burst.journal().stream()).toList();
    }

    /** After so many bursts. */
    Transition fork(int count, Map<String, @Nullable Object> variables) {
      var sequence = bursts.get(count - 1).journal().getLast().sequence();
      return forkAt(sequence, variables);
    }

    Transition fork(int count) {
      return fork(count, Map.of());
    }

    private boolean endsBurst(long sequence) {
      return bursts.stream().anyMatch(b -> b.journal().getLast().sequence() == sequence);
    }

    History alter(Alteration alteration, Graph... targets) {
      var byVersion = new HashMap<Integer, Graph>();
      for (var target : targets) {
        byVersion.put(target.ref().version(), target);
      }
      bursts.add(
          BURST.alter(
              graph,
              byVersion,
              now(),
              List.of(alteration),
              "kim",
              at(NOW.plus(Duration.ofMinutes(bursts.size())))));
      return this;
    }

    Transition forkAt(long sequence, Map<String, @Nullable Object> variables) {
      return BURST.fork(
          graph,
          FORK,
          request(Map.of()),
          new Past(ID, sequence, journal(), endsBurst(sequence)),
          variables,
          at(NOW.plus(Duration.ofDays(1))));
    }
  }

  /** The oldest wait at an activity; each burst at an instant of its own. */
  private static Transition resume(
      Graph graph, WorkflowInstance instance, String activityId, int burst) {
    return BURST.resume(
        graph,
        instance,
        waiting(instance, activityId).id(),
        Map.of("payload", (long) burst),
        false,
        at(NOW.plus(Duration.ofMinutes(burst))));
  }

  private static String count(String id) {
    return activity(
        "WriteLine",
        id,
        "'text':"
            + expression("String", "JavaScript", "'setCount(getCount() + 1), `c${getCount()}`'"));
  }

  private static String say(String id, String code) {
    return activity(
        "WriteLine", id, "'text':" + expression("String", "JavaScript", "'" + code + "'"));
  }

  private static String seq(String id, String activities) {
    return activity("Sequence", id, "'activities':[" + activities + "]");
  }

  private static void refused(ErrorCode code, String message, Runnable fork) {
    assertThatThrownBy(fork::run)
        .isInstanceOfSatisfying(SkeinException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  /** A workflow and the activities that its bursts resume, until it has ended. */
  record Case(String name, Graph graph, List<String> resumes) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case of(String name, String root, String... resumes) {
    return new Case(name, graph(COUNTS + root), List.of(resumes));
  }

  static List<Case> cases() {
    var items = "'items':" + expression("Object", "Object", "[10,20,30]");
    var two = event("x", "x") + "," + count("a") + "," + event("y", "y") + "," + count("b");
    var branches =
        seq("s1", event("x", "x") + "," + count("a"))
            + ","
            + seq("s2", event("y", "y") + "," + count("b"));
    return List.of(
        of("sequence", seq("s", count("c") + "," + two + "," + line("z", "z")), "x", "y"),
        of(
            "flowchart with a join",
            flowchart(
                "flow",
                "s>x s>y x>a y>b a>j b>j j>end",
                line("s", "s")
                    + ","
                    + event("x", "x")
                    + ","
                    + event("y", "y")
                    + ","
                    + count("a")
                    + ","
                    + count("b")
                    + ","
                    + activity("FlowJoin", "j", "'mode':" + literal("String", "'WaitAll'"))
                    + ","
                    + line("end", "end")),
            "y",
            "x"),
        of(
            "flowchart that goes back",
            flowchart(
                "flow",
                "a>x x>d d.True>a d.False>end",
                count("a")
                    + ","
                    + event("x", "x")
                    + ","
                    + activity(
                        "FlowDecision",
                        "d",
                        "'condition':" + expression("Boolean", "JavaScript", "'getCount() < 3'"))
                    + ","
                    + line("end", "end")),
            "x",
            "x",
            "x"),
        of(
            "parallel",
            seq(
                "s",
                activity("Parallel", "p", "'activities':[" + branches + "]")
                    + ","
                    + line("z", "z")),
            "y",
            "x"),
        of(
            "fork",
            seq("s", activity("Fork", "p", "'branches':[" + branches + "]") + "," + line("z", "z")),
            "y",
            "x"),
        of(
            "for each",
            seq(
                "s",
                activity(
                        "ForEach",
                        "each",
                        items
                            + ",'body':"
                            + seq(
                                "b",
                                say("w", "`${getCurrentValue()}`")
                                    + ","
                                    + event("x", "x")
                                    + ","
                                    + count("a")))
                    + ","
                    + line("z", "z")),
            "x",
            "x",
            "x"),
        of(
            "parallel for each",
            activity(
                "ParallelForEach",
                "each",
                items
                    + ",'body':"
                    + seq("b", event("x", "x") + "," + say("w", "`${getCurrentValue()}`"))),
            "x",
            "x",
            "x"),
        of(
            "while",
            seq(
                "s",
                activity(
                        "While",
                        "w",
                        "'condition':"
                            + expression("Boolean", "JavaScript", "'getCount() < 3'")
                            + ",'body':"
                            + seq("b", event("x", "x") + "," + count("a")))
                    + ","
                    + line("z", "z")),
            "x",
            "x",
            "x"),
        of(
            "for",
            activity(
                "For",
                "f",
                "'start':"
                    + literal("Int32", "1")
                    + ",'end':"
                    + literal("Int32", "3")
                    + ",'currentValue':{'memoryReference':{'id':'v1'}},'body':"
                    + seq("b", event("x", "x") + "," + say("w", "`${getCount()}`"))),
            "x",
            "x",
            "x"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_fork_of_any_burst_goes_on_as_the_source_did(Case one) {
    var past = new History(one.graph()).resume(one.resumes().toArray(String[]::new));
    assertThat(past.now().status()).isEqualTo(WorkflowStatus.Completed);

    for (int count = 1; count < past.bursts.size(); count++) {
      var fork = past.fork(count).next();
      var source = past.bursts.get(count - 1).next();
      assertThat(fork.status()).isEqualTo(WorkflowStatus.Suspended);
      assertThat(fork.executions())
          .usingRecursiveFieldByFieldElementComparatorIgnoringFields("startedAt")
          .isEqualTo(source.executions());
      assertThat(fork.bookmarks())
          .extracting(Bookmark::activityId, Bookmark::hash, Bookmark::execution)
          .containsExactlyInAnyOrderElementsOf(
              source.bookmarks().stream()
                  .map(b -> tuple(b.activityId(), b.hash(), b.execution()))
                  .toList());
      assertThat(fork.bookmarks()).allSatisfy(b -> assertThat(b.id().instanceId()).isEqualTo(FORK));
      for (int next = count; next < past.bursts.size(); next++) {
        var went = resume(one.graph(), fork, one.resumes().get(next - 1), next);
        assertThat(linesOf(went)).isEqualTo(linesOf(past.bursts.get(next)));
        fork = went.next();
      }
      assertThat(fork.status()).isEqualTo(WorkflowStatus.Completed);
    }
  }

  @Test
  void a_fork_begins_a_journal_and_a_life_of_its_own() {
    var past =
        new History(
                graph(
                    COUNTS
                        + seq(
                            "s",
                            count("a")
                                + ","
                                + activity(
                                    "Delay", "d", "'timeSpan':" + literal("TimeSpan", "'01:00:00'"))
                                + ","
                                + event("e", "go"))))
            .resume("d");

    var fork = past.fork(1);

    assertThat(fork.next().id()).isEqualTo(FORK);
    assertThat(fork.next().revision()).isEqualTo(1);
    assertThat(fork.next().labels().parent()).isNull();
    assertThat(journal(fork))
        .containsExactly("Workflow1 Forked", "d Resumed", "d Started", "d Suspended");
    assertThat(fork.journal().getFirst().message())
        .isEqualTo("i1 as of its journal's entry " + past.bursts.getFirst().journal().size());
    assertThat(fork.timersMade())
        .singleElement()
        .satisfies(timer -> {
          assertThat(timer.instanceId()).isEqualTo(FORK);
          assertThat(timer.dueAt())
              .isEqualTo(NOW.plus(Duration.ofDays(1)).plus(Duration.ofHours(1)));
        });
    assertThat(fork.burnt()).isEmpty();
    assertThat(fork.timersDone()).isEmpty();
  }

  @Test
  void variables_may_have_other_values_than_they_had() {
    var past =
        new History(graph(COUNTS + seq("s", count("a") + "," + event("x", "x") + "," + count("b"))))
            .resume("x");

    var fork = past.fork(1, Map.of("Count", 40L));

    assertThat(linesOf(resume(past.graph, fork.next(), "x", 1))).containsExactly("c41");
    assertThat(journal(fork)).contains("s VariableModified");
    refused(ErrorCode.INVALID_REQUEST, "\"Nope\"", () -> past.fork(1, Map.of("Nope", 1L)));
  }

  @Test
  void variables_that_the_source_was_started_with_are_there() {
    var graph = graph(COUNTS + seq("s", event("x", "x") + "," + count("a")));
    var started = BURST.start(graph, ID, request(Map.of()), Map.of("Count", 7L), at(NOW));
    var past = new Past(ID, started.journal().getLast().sequence(), started.journal(), true);

    var fork = BURST.fork(graph, FORK, request(Map.of()), past, Map.of(), at(NOW));

    assertThat(linesOf(resume(graph, fork.next(), "x", 1))).containsExactly("c8");
  }

  @Test
  void work_that_was_under_way_outside_is_asked_for_anew() {
    var past =
        new History(
            sequence(
                activity(
                    "SendHttpRequest",
                    "s",
                    "'url':"
                        + literal("System.Uri", "'http://a/b'")
                        + ",'unmatchedStatusCode':"
                        + line("u", "u"))));

    var fork = past.fork(1);

    assertThat(fork.effects())
        .filteredOn(Effect.Work.class::isInstance)
        .singleElement()
        .satisfies(effect -> {
          var work = (Effect.Work) effect;
          assertThat(work.bookmarkId().instanceId()).isEqualTo(FORK);
          assertThat(work.attempt()).isEqualTo(1);
        });
  }

  @Test
  void what_was_faulted_begins_anew() {
    var wrong = say("a", "if (getCount() < 1) throw new Error(`no`); `yes`");
    var past = new History(graph(COUNTS + seq("s", wrong + "," + line("b", "b"))));
    assertThat(past.now().status()).isEqualTo(WorkflowStatus.Faulted);

    assertThat(linesOf(past.fork(1, Map.of("Count", 1L)))).containsExactly("yes", "b");
    assertThat(past.fork(1).next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(past.fork(1).next().incidents()).hasSize(1);
  }

  @Test
  void a_fork_may_begin_after_a_skip() {
    var past =
        new History(sequence(event("x", "x") + "," + event("y", "y") + "," + line("z", "z")));
    var skip = new Alteration.Skip(Alteration.Target.activity("x"), Map.of(), List.of(), null);
    past.bursts.add(
        BURST.alter(
            past.graph, Map.of(), past.now(), List.of(skip), "kim", at(NOW.plusSeconds(9))));

    assertThat(linesOf(resume(past.graph, past.fork(2).next(), "y", 1))).containsExactly("z");
  }

  @Test
  void a_moment_that_is_not_the_end_of_a_burst_is_refused() {
    var past = new History(sequence(event("x", "x") + "," + line("a", "a"))).resume("x");
    var last = past.journal().getLast().sequence();

    refused(ErrorCode.PAST_STATE_UNKNOWN, "the last of its burst", () -> past.forkAt(1, Map.of()));
    refused(ErrorCode.PAST_STATE_UNKNOWN, "no entry", () -> past.forkAt(last + 1, Map.of()));
    refused(ErrorCode.PAST_STATE_UNKNOWN, "had ended there", () -> past.fork(2));
  }

  @Test
  void a_value_that_the_journal_has_cut_must_be_given() {
    var past =
        new History(
            graph(
                "'variables':[{'id':'v1','name':'Text','typeName':'String'}],'root':"
                    + seq(
                        "s",
                        say("a", "setText(`x`.repeat(2000000)), ``")
                            + ","
                            + event("x", "x")
                            + ","
                            + say("b", "`${getText().length}`"))));

    refused(ErrorCode.PAST_STATE_UNKNOWN, "variables Text: give them", () -> past.fork(1));
    var fork = past.fork(1, Map.of("Text", "abc"));
    assertThat(linesOf(resume(past.graph, fork.next(), "x", 1))).containsExactly("3");
  }

  @Test
  void what_only_the_lost_state_would_tell_is_refused() {
    var undone =
        line("a", "a").replace("'id':'a'", "'id':'a','customProperties':{'compensatedBy':'u'}");
    var compensated = new History(sequence(undone + "," + line("u", "u") + "," + event("e", "go")));
    refused(ErrorCode.PAST_STATE_UNKNOWN, "compensated", () -> compensated.fork(1));

    var altered = new History(sequence(event("x", "x") + "," + line("a", "a")));
    var schedule = new Alteration.ScheduleActivity(Alteration.Target.activity("a"));
    altered.bursts.add(
        BURST.alter(
            altered.graph, Map.of(), altered.now(), List.of(schedule), at(NOW.plusSeconds(9))));
    refused(ErrorCode.PAST_STATE_UNKNOWN, "choose an earlier burst", () -> altered.fork(2));
    assertThat(altered.fork(1).next().status()).isEqualTo(WorkflowStatus.Suspended);
  }

  /** A container with an output that is bound to a variable, which its own branch sets later. */
  @Test
  void what_a_container_has_set_when_it_began_is_not_set_again_when_it_ends() {
    var bound =
        activity(
            "If",
            "if",
            "'condition':"
                + literal("Boolean", "true")
                + ",'result':{'memoryReference':{'id':'ok'}},'then':"
                + say("a", "setOk(false), ``"));
    var past =
        new History(
                graph(
                    "'variables':[{'id':'ok','name':'Ok','typeName':'Boolean'}],'root':"
                        + seq("s", bound + "," + event("y", "y") + "," + say("b", "`${getOk()}`"))))
            .resume("y");
    assertThat(linesOf(past.bursts.get(1))).containsExactly("false");

    var fork = past.fork(1).next();

    assertThat(fork.executions())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("startedAt")
        .isEqualTo(past.bursts.getFirst().next().executions());
    assertThat(linesOf(resume(past.graph, fork, "y", 1))).containsExactly("false");
  }

  @Test
  void what_is_over_in_a_container_that_has_run_dry_is_not_done_again() {
    var past =
        new History(
            rooted(
                activity(
                    "Parallel",
                    "p",
                    "'activities':["
                        + seq("branch", line("mail", "mail") + "," + event("x", "x"))
                        + ","
                        + event("y", "y")
                        + "]")));
    past.alter(new Alteration.CancelActivity(Alteration.Target.activity("x")));

    refused(ErrorCode.PAST_STATE_UNKNOWN, "nothing under way", () -> past.fork(2));
    assertThat(linesOf(past.fork(1))).isEmpty();
  }

  private static Graph version(int number, String root) {
    var first = Workflows.definition("'root':" + root);
    return GraphCompiler.compile(
        new WorkflowDefinition(
            new DefinitionRef("d1", "d1-v" + number, number),
            "D",
            null,
            true,
            true,
            NOW,
            first.json()),
        Activities.builtIn());
  }

  @Test
  void a_migration_is_in_the_journal_and_moments_after_it_are_refused() {
    var before = version(1, seq("s", event("x", "x") + "," + event("y", "y")));
    var after =
        version(2, seq("s", event("x", "x") + "," + event("y", "y") + "," + line("z", "z")));
    var past = new History(before).resume("x").alter(new Alteration.Migrate(2, Map.of()), after);

    var migrated = past.bursts.getLast();
    assertThat(journal(migrated)).containsExactly("Workflow1 Migrated");
    assertThat(migrated.journal().getFirst().message()).isEqualTo("from version 1 to version 2");
    assertThat(migrated.journal().getFirst().data())
        .isEqualTo(Map.of("fromDefinitionVersionId", "d1-v1", "toDefinitionVersionId", "d1-v2"));
    refused(ErrorCode.PAST_STATE_UNKNOWN, "was migrated before (entry", () -> past.fork(3));
    assertThat(past.fork(2).next().definition().version()).isEqualTo(1);
    var ofTheOther = new Past(ID, past.bursts.getFirst().journal().size(), past.journal(), true);
    refused(
        ErrorCode.PAST_STATE_UNKNOWN,
        "began with version d1-v1",
        () -> BURST.fork(after, FORK, request(Map.of()), ofTheOther, Map.of(), at(NOW)));
  }

  @Test
  void of_an_instance_of_an_earlier_build_variables_that_the_journal_lacks_must_be_given() {
    var graph =
        graph(COUNTS + seq("s", event("x", "x") + "," + count("a") + "," + event("y", "y")));
    var past = new History(graph).resume("x");
    var entries = new ArrayList<>(past.journal());
    entries.set(0, withoutData(entries.getFirst()));
    var first = new Past(ID, past.bursts.getFirst().journal().size(), entries, true);
    var second = new Past(ID, entries.size(), entries, true);

    refused(
        ErrorCode.PAST_STATE_UNKNOWN,
        "variables Count: give them",
        () -> BURST.fork(graph, FORK, request(Map.of()), first, Map.of(), at(NOW)));
    var given =
        BURST.fork(graph, FORK, request(Map.of()), first, Map.of("Count", 4L), at(NOW)).next();
    assertThat(linesOf(resume(graph, given, "x", 1))).containsExactly("c5");
    var known = BURST.fork(graph, FORK, request(Map.of()), second, Map.of(), at(NOW)).next();
    assertThat(known.executions().getFirst().variables()).containsEntry("v1", 1L);
  }

  private static JournalEntry withoutData(JournalEntry entry) {
    return new JournalEntry(
        entry.sequence(),
        entry.at(),
        entry.execution(),
        entry.parent(),
        entry.activityId(),
        entry.nodeId(),
        entry.activityType(),
        entry.activityTypeVersion(),
        entry.activityName(),
        entry.event(),
        entry.message(),
        Map.of());
  }

  private static String output(String id, String custom, String value) {
    return activity(
        "SetOutput",
        id,
        custom + "'outputName':" + literal("String", "'Text'") + ",'outputValue':" + value);
  }

  @Test
  void an_output_of_the_workflow_that_the_journal_lacks_is_refused() {
    var large = expression("Object", "JavaScript", "'`x`.repeat(200000)'");
    var cut = new History(sequence(output("o", "", large) + "," + event("x", "x")));
    refused(ErrorCode.PAST_STATE_UNKNOWN, "too large for the journal", () -> cut.fork(1));

    var hidden =
        new History(
            sequence(
                output(
                        "o",
                        "'customProperties':"
                            + "{'logPersistenceMode':{'inputs':{'outputValue':'Exclude'}}},",
                        literal("Object", "'t'"))
                    + ","
                    + event("x", "x")));
    refused(ErrorCode.PAST_STATE_UNKNOWN, "that the journal hides", () -> hidden.fork(1));

    var shown =
        new History(sequence(output("o", "", literal("Object", "'t'")) + "," + event("x", "x")));
    assertThat(shown.fork(1).next().output()).isEqualTo(Map.of("Text", "t"));
  }

  /** An event and a time limit, of which the first one ends the other. */
  private static Graph race(FlowchartMode mode) {
    var flow =
        flowchart(
            "flow",
            "s>x s>t x>j t>j j>e e>end",
            line("s", "s")
                + ","
                + event("x", "x")
                + ","
                + event("t", "t")
                + ","
                + activity("FlowJoin", "j", "'mode':" + literal("String", "'WaitAny'"))
                + ","
                + event("e", "e")
                + ","
                + line("end", "end"));
    return GraphCompiler.compile(Workflows.definition("'root':" + flow), Activities.builtIn(mode));
  }

  @ParameterizedTest
  @EnumSource
  void a_fork_may_begin_after_a_race_that_is_decided(FlowchartMode mode) {
    var past = new History(race(mode)).resume("x", "e");
    assertThat(journal(past.bursts.get(1))).contains("t Canceled");
    assertThat(past.now().status()).isEqualTo(WorkflowStatus.Completed);

    var fork = past.fork(2).next();

    assertThat(fork.executions())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("startedAt")
        .isEqualTo(past.bursts.get(1).next().executions());
    var ended = resume(past.graph, fork, "e", 2);
    assertThat(linesOf(ended)).containsExactly("end");
    assertThat(ended.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  private static String choice(String id, String mode, String condition) {
    return activity(
        "Switch",
        id,
        "'mode':"
            + literal("String", "'" + mode + "'")
            + ",'cases':[{'label':'A','condition':{'type':'JavaScript','value':'"
            + condition
            + "'},'activity':"
            + event("a", "a")
            + "},{'label':'B','condition':{'type':'JavaScript','value':'true'},'activity':"
            + event("b", "b")
            + "}],'default':"
            + event("d", "d"));
  }

  @ParameterizedTest
  @CsvSource({"MatchFirst, getCorrelationId() === `k`", "MatchAny, getCorrelationId() === `k`"})
  void the_cases_of_a_switch_are_those_that_were_chosen(String mode, String condition) {
    var graph = sequence(choice("c", mode, condition) + "," + line("z", "z"));
    var labels = new Labels(null, "k", null);
    var started =
        BURST.start(graph, ID, new StartRequest(Map.of(), labels, null, null, null), at(NOW));
    var past = new Past(ID, started.journal().size(), started.journal(), true);

    // The fork has no correlation id: evaluated there, the first condition does not hold.
    var fork = BURST.fork(graph, FORK, request(Map.of()), past, Map.of(), at(NOW)).next();

    assertThat(fork.bookmarks())
        .extracting(Bookmark::activityId)
        .containsExactlyElementsOf(
            started.next().bookmarks().stream().map(Bookmark::activityId).toList());
    assertThat(fork.bookmarks().getFirst().activityId()).isEqualTo("a");
  }

  @Test
  void what_is_faulted_in_a_container_that_has_ended_is_gone() {
    var wrong = say("bad", "if (getCount() < 1) throw new Error(`no`); `yes`");
    var past =
        new History(
            graph(
                "'options':{'incidentStrategyType':'Skein.SuspendStrategy'},"
                    + COUNTS
                    + seq(
                        "s",
                        activity(
                                "Fork",
                                "p",
                                "'joinMode':'WaitAny','branches':["
                                    + wrong
                                    + ","
                                    + event("x", "x")
                                    + "]")
                            + ","
                            + event("y", "y")
                            + ","
                            + line("z", "z"))));
    past.resume("x");

    var fork = past.fork(2).next();

    assertThat(fork.executions())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("startedAt")
        .isEqualTo(past.now().executions());
  }

  @Test
  void a_fault_that_the_definition_handles_is_refused() {
    var wrong = say("bad", "throw new Error(`no`)");
    var past =
        new History(
            rooted(
                flowchart(
                    "flow",
                    "s>bad s>x bad.Faulted>j x>j j>e",
                    line("s", "s")
                        + ","
                        + wrong
                        + ","
                        + event("x", "x")
                        + ","
                        + activity("FlowJoin", "j", "'mode':" + literal("String", "'WaitAll'"))
                        + ","
                        + event("e", "e"))));

    refused(ErrorCode.PAST_STATE_UNKNOWN, "a fault that is handled", () -> past.fork(1));
  }

  @Test
  void variables_that_a_condition_may_set_are_not_guessed() {
    var past =
        new History(
            graph(
                COUNTS
                    + activity(
                        "While",
                        "w",
                        "'condition':"
                            + expression(
                                "Boolean",
                                "JavaScript",
                                "'setCount(getCount() + 1), getCount() < 3'")
                            + ",'body':"
                            + event("x", "x"))));

    refused(ErrorCode.PAST_STATE_UNKNOWN, "may set variables", () -> past.fork(1));
  }

  @Test
  void a_long_journal_is_not_replayed_on_an_event_loop() {
    var past =
        new History(sequence(event("x", "x") + "," + lines("abcdef") + "," + event("y", "y")))
            .resume("x");
    var longPast = new Past(ID, past.journal().size(), past.journal(), true);
    var quick = BURST.quick(10, Duration.ofMinutes(1));

    assertThat(past.journal().size()).isGreaterThan(10);
    assertThatThrownBy(
            () -> quick.fork(past.graph, FORK, request(Map.of()), longPast, Map.of(), at(NOW)))
        .isInstanceOf(LongBurstException.class);
  }

  @Test
  void two_bursts_at_one_instant_are_told_apart() {
    var past = new History(sequence(event("x", "x") + "," + event("y", "y")));
    past.bursts.add(
        BURST.resume(
            past.graph, past.now(), waiting(past.now(), "x").id(), Map.of(), false, at(NOW)));

    assertThat(past.fork(1).next().bookmarks())
        .singleElement()
        .satisfies(bookmark -> assertThat(bookmark.activityId()).isEqualTo("x"));
  }

  @Test
  void a_value_that_an_instance_cannot_hold_is_refused() {
    var past = new History(graph(COUNTS.replace("Int64", "Object") + seq("s", event("x", "x"))));
    var large = "x".repeat(1 << 25);

    refused(
        ErrorCode.STATE_TOO_LARGE, "so large a value", () -> past.fork(1, Map.of("Count", large)));
  }

  @Test
  void a_variable_that_the_start_was_given_and_nothing_declares_is_there() {
    var graph = rooted(seq("s", event("x", "x") + "," + say("a", "`${variables.Extra}`")));
    var given = startedWith(graph, Map.of("Extra", "e"));
    var large = startedWith(graph, Map.of("Extra", "x".repeat(100_000)));

    var fork = BURST.fork(graph, FORK, request(Map.of()), given, Map.of(), at(NOW));
    assertThat(linesOf(resume(graph, fork.next(), "x", 1))).containsExactly("e");

    refused(
        ErrorCode.PAST_STATE_UNKNOWN,
        "variables Extra: give them",
        () -> BURST.fork(graph, FORK, request(Map.of()), large, Map.of(), at(NOW)));
    var other = BURST.fork(graph, FORK, request(Map.of()), large, Map.of("Extra", "o"), at(NOW));
    assertThat(linesOf(resume(graph, other.next(), "x", 1))).containsExactly("o");
  }

  private static Past startedWith(Graph graph, Map<String, @Nullable Object> variables) {
    var started = BURST.start(graph, ID, request(Map.of()), variables, at(NOW));
    return new Past(ID, started.journal().size(), started.journal(), true);
  }

  @Test
  void variables_that_the_condition_of_a_case_may_set_are_not_guessed() {
    var past =
        new History(
            graph(COUNTS + seq("s", choice("c", "MatchFirst", "setCount(getCount() + 1), false"))));
    assertThat(past.now().bookmarks()).extracting(Bookmark::activityId).containsExactly("b");

    refused(ErrorCode.PAST_STATE_UNKNOWN, "may set variables", () -> past.fork(1));
  }

  private static String cases(String first, String second) {
    return activity(
        "Switch",
        "c",
        "'cases':[{'label':'A','condition':{'type':'JavaScript','value':'"
            + first
            + "'},'activity':"
            + event("a", "a")
            + "},{'label':'B','condition':{'type':'JavaScript','value':'"
            + second
            + "'},'activity':"
            + event("b", "b")
            + "}]");
  }

  @Test
  void variables_that_a_switch_without_a_chosen_case_has_set_are_in_the_journal() {
    var counts = "setCount(getCount() + 1), false";
    var ended =
        new History(graph(COUNTS + seq("s", cases(counts, "false") + "," + event("x", "x"))));
    assertThat(ended.fork(1).next().executions().getFirst().variables()).containsEntry("v1", 1L);

    var wrong = new History(graph(COUNTS + seq("s", cases(counts, "nothing.at.all"))));
    assertThat(wrong.now().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(wrong.now().executions().getFirst().variables()).containsEntry("v1", 1L);
    // The switch begins anew, and so counts once more.
    assertThat(wrong.fork(1).next().executions().getFirst().variables()).containsEntry("v1", 2L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "variables.Count++ < 3",
        "--variables.Count < 3",
        "(variables.Count <<= 1) < 3",
        "Object.assign(variables, {Count: 1}).Count < 3",
        "getQueue().shift() < 3",
        "variables.Queue.push(1) > 0",
        "getQueue().sort().length > 0",
        "const all = getQueue(); all[0] = 7; all[0] > 0"
      })
  void a_condition_is_believed_to_set_nothing_only_if_it_does_nothing_but_compute(String script) {
    var past =
        new History(
            graph(
                "'variables':[{'id':'v1','name':'Count','typeName':'Int64','value':0},"
                    + "{'id':'v2','name':'Queue','typeName':'Object','isArray':true,"
                    + "'value':[2,1]}],'root':"
                    + activity(
                        "While",
                        "w",
                        "'condition':"
                            + expression("Boolean", "JavaScript", "'" + script + "'")
                            + ",'body':"
                            + event("x", "x"))));
    assertThat(past.now().status()).isEqualTo(WorkflowStatus.Suspended);

    refused(ErrorCode.PAST_STATE_UNKNOWN, "may set variables", () -> past.fork(1));
  }

  @Test
  void conditions_that_are_not_scripts_can_be_replayed() {
    var past =
        new History(
            graph(
                COUNTS
                    + activity(
                        "While",
                        "w",
                        "'condition':"
                            + expression(
                                "Boolean",
                                "Liquid",
                                "'{% if Variables.Count < 3 %}true{% else %}false{% endif %}'")
                            + ",'body':"
                            + seq("b", event("x", "x") + "," + count("a")))));

    assertThat(past.fork(1).next().bookmarks())
        .extracting(Bookmark::activityId)
        .containsExactly("x");
  }

  private static String within(String id, String variables, String activities) {
    return activity(
        "Sequence", id, "'variables':[" + variables + "],'activities':[" + activities + "]");
  }

  private static String text(String id) {
    return "{'id':'" + id + "','name':'Text','typeName':'String','value':'" + id + "'}";
  }

  @Test
  void of_several_variables_of_one_name_none_is_guessed_to_be_the_one_that_was_set() {
    var set =
        activity(
            "SetVariable",
            "set",
            "'variable':{'id':'outer','name':'Text'},'value':" + literal("Object", "'new'"));
    var past =
        new History(
            graph(
                "'variables':["
                    + text("outer")
                    + "],'root':"
                    + within(
                        "s", text("inner"), event("w", "w") + "," + set + "," + event("x", "x"))));
    past.resume("w");

    assertThat(past.now().executions().getFirst().variables()).containsEntry("outer", "new");
    refused(ErrorCode.PAST_STATE_UNKNOWN, "one of several variables Text", () -> past.fork(2));
    assertThat(past.fork(1).next().status()).isEqualTo(WorkflowStatus.Suspended);
  }

  /** Two branches, each with a variable of the same name that it sets. */
  private static History siblings(String first, String second) {
    return new History(
        rooted(
            activity(
                "Parallel",
                "p",
                "'activities':["
                    + within(
                        "s1",
                        text("t1"),
                        say("a", "setText(" + first + "), ``") + "," + event("x", "x"))
                    + ","
                    + within(
                        "s2",
                        text("t2"),
                        say("b", "setText(" + second + "), ``") + "," + event("y", "y"))
                    + "]")));
  }

  @Test
  void a_variable_that_another_one_is_named_like_keeps_the_value_that_is_lost() {
    var large = "`x`.repeat(100000)";
    var first = siblings(large, "`small`");
    refused(ErrorCode.PAST_STATE_UNKNOWN, "variables Text: give them", () -> first.fork(1));
    assertThat(first.fork(1, Map.of("Text", "given")).next().executions())
        .extracting(execution -> execution.variables().values().toString())
        .contains("[given]", "[small]");

    refused(
        ErrorCode.PAST_STATE_UNKNOWN,
        "only that of the outermost",
        () -> siblings("`small`", large).fork(1, Map.of("Text", "given")));
  }

  @Test
  void an_output_whose_name_the_journal_has_cut_is_refused() {
    var name = expression("String", "JavaScript", "'`n`.repeat(100000)'");
    var past =
        new History(
            sequence(
                activity(
                        "SetOutput",
                        "o",
                        "'outputName':" + name + ",'outputValue':" + literal("Object", "'t'"))
                    + ","
                    + event("x", "x")));

    refused(ErrorCode.PAST_STATE_UNKNOWN, "too large for the journal", () -> past.fork(1));
  }

  @Test
  void an_output_is_set_only_by_what_has_completed_and_was_not_skipped() {
    var wrong = expression("Object", "JavaScript", "'throw new Error(`no`)'");
    var past =
        new History(
                sequence(
                    output("o", "", literal("Object", "'t'"))
                        + ","
                        + event("x", "x")
                        + ","
                        + output("wrong", "", wrong)
                        + ","
                        + event("y", "y")))
            .resume("x");
    past.alter(new Alteration.Skip(Alteration.Target.activity("wrong"), Map.of(), List.of(), null));

    assertThat(past.fork(2).next().output()).isEqualTo(Map.of("Text", "t"));
    assertThat(past.fork(3).next().output()).isEqualTo(Map.of("Text", "t"));
    assertThat(past.now().output()).isEqualTo(Map.of("Text", "t"));
  }

  @ParameterizedTest
  @CsvSource({"true, 10, true", "true, 11, false", "false, 0, false"})
  void a_local_event_that_may_be_kept_is_refused(boolean local, int minutes, boolean refused) {
    var publish =
        activity(
            "PublishEvent",
            "p",
            "'eventName':"
                + literal("String", "'go'")
                + ",'isLocalEvent':"
                + literal("Boolean", String.valueOf(local)));
    var past = new History(sequence(publish + "," + event("x", "x") + "," + event("y", "y")));
    past.bursts.add(resume(past.graph, past.now(), "x", minutes));

    if (refused) {
      refused(ErrorCode.PAST_STATE_UNKNOWN, "published a local event", () -> past.fork(2));
    } else {
      assertThat(past.fork(2).next().status()).isEqualTo(WorkflowStatus.Suspended);
    }
  }

  @Test
  void outcomes_that_the_journal_leaves_out_are_not_taken_for_none() {
    var script = literal("String", "'setOutcome(`o`.repeat(70000))'");
    var past =
        new History(
            sequence(activity("RunJavaScript", "r", "'script':" + script) + "," + event("x", "x")));

    refused(ErrorCode.PAST_STATE_UNKNOWN, "outcomes too long", () -> past.fork(1));
  }

  /** Bound to an output, a text variable keeps an object as it is. */
  @Test
  void an_object_in_a_variable_for_text_stays_an_object() {
    var bound =
        activity(
            "Event",
            "x",
            "'eventName':"
                + literal("String", "'x'")
                + ",'result':{'memoryReference':{'id':'t1'}}");
    var past =
        new History(
            graph(
                "'variables':["
                    + text("t1")
                    + "],'root':"
                    + seq("s", bound + "," + event("y", "y"))));
    Map<String, @Nullable Object> input = Map.of("payload", Map.of("a", 1L));
    past.bursts.add(Workflows.resume(past.graph, past.now(), "x", input));

    assertThat(past.now().executions().getFirst().variables()).containsEntry("t1", Map.of("a", 1L));
    assertThat(past.fork(2).next().executions().getFirst().variables())
        .isEqualTo(past.now().executions().getFirst().variables());
  }

  /** The root is the activity itself, whose variables have their defaults again. */
  @Test
  void what_an_attempt_that_failed_has_set_in_its_own_variables_is_gone() {
    var name = expression("String", "JavaScript", "'setCount(getCount() + 1), `n`'");
    var value =
        expression("Object", "JavaScript", "'if (getCount() < 2) throw new Error(`no`); 1'");
    var past =
        new History(
            graph(
                COUNTS
                    + activity(
                        "SetOutput",
                        "o",
                        "'customProperties':{'retry':{'attempts':3,'delay':'00:01:00'}},"
                            + "'outputName':"
                            + name
                            + ",'outputValue':"
                            + value)));
    assertThat(journal(past.bursts.getFirst())).endsWith("o Retrying");
    assertThat(past.now().executions().getFirst().variables()).containsEntry("v1", 0L);

    assertThat(journal(past.fork(1))).endsWith("o Resumed", "o Started", "o Retrying");
  }
}
