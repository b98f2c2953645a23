package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.EXPRESSIONS;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.lines;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.request;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.codecs.JsonText;
import skein.graph.Graph;
import skein.model.JournalEntry;
import skein.model.Transition;

/** What a burst writes into the journal, and how much. */
class JournalTest {
  private static Transition started(Graph graph, JournalLimits journal) {
    var limits =
        new BurstLimits(
            100,
            100,
            100,
            10,
            ChildLimits.DEFAULT.withStartGrace(Duration.ZERO),
            journal,
            new WorkLimits(Duration.ofSeconds(1), 1));
    return new Burst(EXPRESSIONS, limits).start(graph, ID, request(Map.of()), at(NOW));
  }

  @Test
  void of_a_large_value_only_the_size_and_the_start_are_kept() {
    var graph = sequence(line("a", "x".repeat(300)));

    var entry = started(graph, new JournalLimits(100, 10_000, 100)).journal().get(1);

    assertThat(String.valueOf(entry.data().get("state")))
        .contains("$truncated=300")
        .hasSizeLessThan(250);
  }

  @Test
  void values_past_the_bound_of_the_burst_are_left_out() {
    var graph = sequence(line("a", "x".repeat(50)) + "," + line("b", "y".repeat(50)));

    var journal = started(graph, new JournalLimits(100, 60, 100)).journal();

    assertThat(journal.toString()).contains("x".repeat(50)).doesNotContain("y".repeat(50));
  }

  @Test
  void entries_past_the_bound_of_the_burst_are_counted() {
    var journal = started(sequence(lines("abcdef")), new JournalLimits(100, 1_000, 5)).journal();

    assertThat(journal).hasSize(5);
    assertThat(journal.getLast().event()).isEqualTo("LeftOut");
    assertThat(journal.getLast().message()).startsWith("10 entries");
    var last = journal.getLast().sequence();
    assertThat(journal)
        .extracting(JournalEntry::sequence)
        .containsExactly(last - 4, last - 3, last - 2, last - 1, last);
  }

  @Test
  void the_next_burst_counts_on_behind_what_was_left_out() {
    var transition = started(sequence(lines("abcdef")), new JournalLimits(100, 1_000, 5));

    assertThat(transition.next().counters().journal())
        .isEqualTo(transition.journal().getLast().sequence());
  }

  @Test
  void the_history_of_a_variable_is_in_the_entries_of_those_who_set_it() {
    var set =
        activity(
            "SetVariable",
            "s",
            "'variable':{'id':'v1','name':'N'},'value':" + literal("Object", "7"));
    var graph =
        graph(
            "'variables':[{'id':'v1','name':'N','typeName':'Int64','value':1}],'root':{'type':'Elsa.Sequence','id':'q','activities':["
                + set
                + "]}");

    assertThat(start(graph).journal())
        .filteredOn(entry -> entry.data().containsKey("variables"))
        .extracting(JournalEntry::activityId, entry -> entry.data().get("variables"))
        .containsExactly(org.assertj.core.groups.Tuple.tuple("s", Map.of("N", 7L)));
  }

  @Test
  void what_a_definition_hides_is_not_there() {
    var hidden =
        line("a", "secret")
            .replace("'id':'a'", "'id':'a','customProperties':{'logPersistenceMode':'Exclude'}");

    assertThat(start(sequence(hidden)).journal().toString()).doesNotContain("secret");
  }

  @Test
  void long_messages_are_cut_and_long_outcomes_left_out() {
    var said = new JournalLimits(1_500, 2_200, 100);
    var graph =
        rooted(
            "{'type':'Elsa.Fault','id':'f','message':"
                + literal("String", "'" + "m".repeat(2_000) + "'")
                + "}");
    var completing =
        sequence(
            activity(
                "Complete",
                "c",
                "'outcomes':" + literal("Object", "['" + "o".repeat(1_400) + "']")));
    var named = sequence(activity("Complete", "c", "'outcomes':" + literal("Object", "['Named']")));

    var faulted = started(graph, said).journal().getLast();

    assertThat(faulted.event()).isEqualTo(Journal.FAULTED);
    assertThat(faulted.message()).startsWith("m".repeat(1_000)).hasSizeLessThan(1_600);
    assertThat(started(completing, new JournalLimits(2_000, 4_000, 100)).journal().toString())
        .contains("outcomes=[" + "o".repeat(1_400));
    assertThat(started(completing, new JournalLimits(1_000, 4_000, 100)).journal().toString())
        .doesNotContain("outcomes=[ooo")
        .contains("outcomesLeftOut=1");
    assertThat(started(named, new JournalLimits(1, 1, 100)).journal().toString())
        .contains("outcomes=[Named]");
  }

  @Test
  void of_a_value_that_is_nearly_as_deep_as_json_may_be_only_the_size_is_kept() {
    assertThat(said(deep(470))).doesNotContain("$truncated");
    assertThat(said(deep(495))).contains("$truncated");
  }

  /** All that is said of setting a variable to the value, within as much as storing puts around. */
  private static String said(Object value) {
    var set =
        activity(
            "SetVariable",
            "s",
            "'variable':{'id':'v','name':'V'},'value':"
                + expression("Object", "Input", "{'name':'Deep'}"));
    var graph =
        graph(
            "'inputs':[{'name':'Deep','type':'Object'}],'variables':[{'id':'v','name':'V','typeName':'Object'}],"
                + "'root':{'type':'Elsa.Sequence','id':'q','activities':["
                + set
                + "]}");

    var transition = start(graph, Map.of("Deep", value));

    assertThat(transition.next().executions().getFirst().variables()).containsEntry("v", value);
    var entries = transition.journal().stream().map(JournalEntry::data).toList();
    return JsonText.print(Map.of("is", List.of(List.of(entries))));
  }

  private static Object deep(int levels) {
    Object value = 1L;
    for (int i = 0; i < levels; i++) {
      value = List.of(value);
    }
    return value;
  }
}
