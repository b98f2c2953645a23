package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.start;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.model.Transition;
import skein.model.WorkflowStatus;

/** What holds for every flowchart without a way back, tried on many drawn by chance. */
class FlowPropertyTest {
  private static final int DRAWN = 300;

  /** Activities are numbered from 0, where it starts; connections lead to higher numbers. */
  private record Drawn(List<String> activities, List<Way> ways, TreeSet<Integer> reached) {
    private record Way(int from, String port, int to) {
      @Override
      public String toString() {
        return "n%d.%s>n%d".formatted(from, port, to);
      }
    }

    static Drawn by(Random random, String mergeMode, boolean decides) {
      var size = 2 + random.nextInt(8);
      var drawn = new Drawn(new ArrayList<>(), new ArrayList<>(), new TreeSet<>(List.of(0)));
      for (var from = 0; from < size; from++) {
        var decision = decides && random.nextInt(3) == 0;
        var answer = random.nextBoolean();
        drawn.activities.add(decision ? decision(from, answer, mergeMode) : line(from, mergeMode));
        for (var to = from + 1; to < size; to++) {
          if (random.nextInt(5) < 2) {
            drawn.connect(from, to, decision ? random.nextBoolean() ? "True" : "False" : "Done");
          }
        }
      }
      return drawn;
    }

    private void connect(int from, int to, String port) {
      ways.add(new Way(from, port, to));
      if (reached.contains(from)) {
        reached.add(to);
      }
    }

    private static String merge(String mode) {
      return "'customProperties':{'mergeMode':'" + mode + "'},";
    }

    private static String line(int number, String mode) {
      return activity(
          "WriteLine",
          "n" + number,
          merge(mode) + "'text':" + literal("String", "'" + number + "'"));
    }

    private static String decision(int number, boolean answer, String mode) {
      return activity(
          "FlowDecision",
          "n" + number,
          merge(mode) + "'condition':" + literal("Boolean", "" + answer));
    }

    Transition run(String flowMode) {
      var connections = ways.stream().map(Way::toString).collect(Collectors.joining(" "));
      var flow = flowchart("flow", connections, String.join(",", activities));
      return start(
          graph(
              "'customProperties':{'Flowchart:ExecutionMode':'%s'},'root':{'start':'n0',%s"
                  .formatted(flowMode, flow.substring(1))));
    }
  }

  private static List<Integer> written(Transition transition) {
    return linesOf(transition).stream().map(Integer::valueOf).toList();
  }

  @ParameterizedTest
  @CsvSource({"CounterBased, None", "TokenBased, Merge", "TokenBased, Converge"})
  void whoever_waits_for_all_runs_once_after_all_that_lead_there(String flow, String merge) {
    var random = new Random(1);
    for (var i = 0; i < DRAWN; i++) {
      var drawn = Drawn.by(random, merge, false);

      var transition = drawn.run(flow);

      var order = written(transition);
      assertThat(order).as("%s", drawn).containsExactlyInAnyOrderElementsOf(drawn.reached);
      for (var way : drawn.ways) {
        if (drawn.reached.contains(way.from)) {
          assertThat(order.indexOf(way.from))
              .as("%s in %s", way, drawn)
              .isLessThan(order.indexOf(way.to));
        }
      }
      assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CounterBased, None",
    "TokenBased, None",
    "TokenBased, Stream",
    "TokenBased, Cascade",
    "TokenBased, Race"
  })
  void dead_ways_hold_up_nobody_who_does_not_insist_on_them(String flow, String merge) {
    var random = new Random(2);
    for (var i = 0; i < DRAWN; i++) {
      var drawn = Drawn.by(random, merge, true);

      var transition = drawn.run(flow);

      assertThat(transition.next().status()).as("%s", drawn).isEqualTo(WorkflowStatus.Completed);
      assertThat(drawn.reached).as("%s", drawn).containsAll(written(transition));
    }
  }

  @ParameterizedTest
  @CsvSource({"CounterBased, None", "TokenBased, Race"})
  void nobody_runs_twice_where_one_way_or_all_are_enough(String flow, String merge) {
    var random = new Random(3);
    for (var i = 0; i < DRAWN; i++) {
      var drawn = Drawn.by(random, merge, true);

      assertThat(written(drawn.run(flow))).as("%s", drawn).doesNotHaveDuplicates();
    }
  }
}
