package skein.timers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import skein.storage.SimulatedLeases.Mistake;

/** Two nodes and one shard, in virtual time. */
class LeadershipTest {
  private static final Duration LIFE = SimulatedLeadership.LIFE;
  private static final int SEEDS = 100;
  private static final List<Consumer<SimulatedLeadership>> COURSES =
      List.of(
          LeadershipTest::renewalIsHeldUp,
          LeadershipTest::databaseIsSilentForLong,
          LeadershipTest::leaseIsUnknownToItsHolder,
          LeadershipTest::statementsAreLate);

  private static SimulatedLeadership right(RepetitionInfo seed) {
    return new SimulatedLeadership(seed.getCurrentRepetition(), Set.of());
  }

  @RepeatedTest(SEEDS)
  void a_renewal_that_was_held_up_keeps_no_node_from_leading(RepetitionInfo seed) {
    renewalIsHeldUp(right(seed));
  }

  private static void renewalIsHeldUp(SimulatedLeadership nodes) {
    var first = nodes.join("n2");
    nodes.pass(Duration.ofSeconds(1));
    // The first by name, and of two that came back at once the older one.
    var second = nodes.join("n1");
    nodes.pass(Duration.ofSeconds(5));
    assertThat(first.leads()).isTrue();
    assertThat(second.leads()).isFalse();

    // Long enough for the leader to step down, too short for its lease to expire.
    nodes.stall(Duration.ofMillis(3_900));

    assertThat(nodes.leaders()).isEmpty();
    nodes.pass(LIFE.dividedBy(3).plus(Duration.ofMillis(100)));
    assertThat(nodes.leaders()).hasSize(1);
  }

  @RepeatedTest(SEEDS)
  void after_a_longer_silence_somebody_leads_with_the_next_check_in(RepetitionInfo seed) {
    databaseIsSilentForLong(right(seed));
  }

  private static void databaseIsSilentForLong(SimulatedLeadership nodes) {
    nodes.join("n2");
    nodes.pass(Duration.ofSeconds(1));
    nodes.join("n1");
    nodes.pass(Duration.ofSeconds(5));

    nodes.stall(Duration.ofSeconds(8));

    nodes.pass(LIFE.dividedBy(3).plus(Duration.ofMillis(100)));
    assertThat(nodes.leaders()).hasSize(1);
  }

  @RepeatedTest(SEEDS)
  void a_lease_that_its_holder_does_not_know_of_is_given_to_the_node_whose_part_it_is(
      RepetitionInfo seed) {
    leaseIsUnknownToItsHolder(right(seed));
  }

  private static void leaseIsUnknownToItsHolder(SimulatedLeadership nodes) {
    var second = nodes.member("n1");
    second.takeUnasked();
    var first = nodes.join("n2");
    nodes.pass(LIFE.dividedBy(4));
    assertThat(first.leads()).isFalse();

    nodes.join(second);
    nodes.pass(Duration.ofMillis(100));

    assertThat(first.leads()).isTrue();
  }

  @RepeatedTest(SEEDS)
  void statements_that_are_carried_out_late_let_no_two_lead(RepetitionInfo seed) {
    statementsAreLate(right(seed));
  }

  private static void statementsAreLate(SimulatedLeadership nodes) {
    nodes.join("n1");
    nodes.join("n2");
    nodes.join("n3");

    nodes.disturb(Duration.ofMinutes(3));

    nodes.pass(LIFE.multipliedBy(4));
    assertThat(nodes.leaders()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void each_rule_of_leases_is_needed(Mistake mistake) {
    boolean found = false;
    for (int seed = 1; seed <= SEEDS && !found; seed++) {
      for (var course : COURSES) {
        found |= fails(course, new SimulatedLeadership(seed, EnumSet.of(mistake)));
      }
    }
    assertThat(found).isTrue();
  }

  private static boolean fails(Consumer<SimulatedLeadership> course, SimulatedLeadership nodes) {
    try {
      course.accept(nodes);
      return false;
    } catch (AssertionError e) {
      return true;
    }
  }
}
