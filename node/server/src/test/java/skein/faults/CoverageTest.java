package skein.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import skein.faults.Operation.Kind;
import skein.faults.Operation.Outcome;
import skein.faults.Operation.Span;
import skein.faults.Operation.Target;
import skein.faults.Rows.Gone;
import skein.faults.Rows.Lived;

/** What was under way while a fault was on is counted; a cell without any is named. */
class CoverageTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final long SECOND = 1_000_000_000;

  private final List<Operation> operations = new ArrayList<>();
  private final List<Nemesis> faults = new ArrayList<>();
  private final List<Gone> timers = new ArrayList<>();
  private final List<Lived> children = new ArrayList<>();

  /** At 12:00:00 {@link System#nanoTime} says 100 s. */
  private Coverage coverage() {
    var rows = new Rows(List.of(), List.of(), List.of(), List.of(), List.of(), timers, List.of());
    var seen = new Evidence.Seen(operations, List.of(), List.of(), faults);
    var clock = new Coverage.Clock(NOON, 100 * SECOND);
    return Coverage.of(new Evidence(seen, rows, children, Map.of(), Map.of(), NOON, clock));
  }

  private void call(Kind kind, long fromSeconds, long untilSeconds) {
    var span = new Span(0, 0, fromSeconds * SECOND, untilSeconds * SECOND, "");
    var target = Target.of("d", null, null);
    operations.add(new Operation("x", kind, target, span, Outcome.OK));
  }

  private void fault(String what, long fromSeconds, long untilSeconds) {
    faults.add(new Nemesis(what, "n1", fromSeconds * SECOND, untilSeconds * SECOND));
  }

  private void everything(long fromSeconds, long untilSeconds) {
    for (var kind : Kind.values()) {
      call(kind, fromSeconds, untilSeconds);
    }
    timers.add(
        new Gone("t", NOON.plusSeconds(fromSeconds - 100), NOON.plusSeconds(untilSeconds - 100)));
    children.add(
        new Lived(NOON.plusSeconds(fromSeconds - 100), NOON.plusSeconds(untilSeconds - 100)));
  }

  @Test
  void a_fault_that_every_kind_of_command_met_leaves_no_cell_empty() {
    fault("kill", 10, 20);
    everything(19, 30);
    assertThat(coverage().empty()).isEmpty();
    assertThat(coverage().met().get("kill")).containsEntry("MINT", 1L).containsEntry("TIMER", 1L);
  }

  @Test
  void the_kinds_that_were_not_under_way_are_named_with_their_fault() {
    fault("kill", 10, 20);
    fault("split", 40, 50);
    everything(19, 45);
    operations.removeIf(call -> call.kind() == Kind.MINT);
    call(Kind.MINT, 21, 39);
    call(Kind.MINT, 50, 51);
    timers.clear();
    timers.add(new Gone("t", NOON.minusSeconds(90), NOON.minusSeconds(89)));
    assertThat(coverage().empty()).containsExactlyInAnyOrder("MINT x kill", "TIMER x split");
    assertThat(coverage().table()).contains("kill").contains("MINT");
  }

  @Test
  void faults_of_one_kind_are_met_together() {
    fault("kill", 10, 20);
    fault("kill", 40, 50);
    everything(41, 42);
    assertThat(coverage().empty()).isEmpty();
  }

  @Test
  void a_run_without_faults_has_to_contain_every_kind() {
    everything(1, 2);
    assertThat(coverage().empty()).isEmpty();

    children.clear();
    assertThat(coverage().empty()).containsExactly("CHILD x no fault");
  }

  @Test
  void a_probe_is_demanded_of_no_fault() {
    fault("kill", 10, 20);
    everything(11, 12);
    operations.removeIf(call -> call.kind() == Kind.PROBE);
    assertThat(coverage().empty()).isEmpty();
  }

  @Test
  void callers_are_led_to_what_a_fault_has_not_met() {
    var focus = new Focus();
    var random = new SplittableRandom(1);
    assertThat(focus.wanted(random)).isEmpty();

    focus.begin("kill");
    for (int i = 0; i < 1_000 && !focus.isComplete(); i++) {
      focus.sent(focus.wanted(random).orElseThrow());
    }
    assertThat(focus.isComplete()).isTrue();
    assertThat(focus.wanted(random)).isEmpty();

    focus.begin("split");
    assertThat(focus.isComplete()).isFalse();
    focus.end();
    assertThat(focus.wanted(random)).isEmpty();
  }
}
