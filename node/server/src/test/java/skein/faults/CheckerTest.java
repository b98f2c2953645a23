package skein.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import skein.faults.Operation.Kind;
import skein.faults.Operation.Outcome;
import skein.faults.Operation.Span;
import skein.faults.Operation.Target;
import skein.faults.Rows.Commit;
import skein.faults.Rows.Entry;
import skein.faults.Rows.Gone;
import skein.faults.Rows.Instance;
import skein.faults.Rows.Made;
import skein.faults.Rows.Open;
import skein.faults.Rows.Taken;

/** A run that kept every promise passes; of every promise one that broke it is found and named. */
class CheckerTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Checker.Limits LIMITS =
      new Checker.Limits(Duration.ofSeconds(10), Duration.ofSeconds(15), 3);

  /** A run, to be broken in one way before it is checked. */
  static final class Run {
    final List<Operation> operations = new ArrayList<>();
    final List<Effect> effects = new ArrayList<>();
    final List<Nemesis> faults = new ArrayList<>();
    final List<Instance> instances = new ArrayList<>();
    final List<Commit> commits = new ArrayList<>();
    final List<Entry> entries = new ArrayList<>();
    final List<Made> bookmarks = new ArrayList<>();
    final List<Open> open = new ArrayList<>();
    final List<Gone> timers = new ArrayList<>();
    final List<Taken> leases = new ArrayList<>();
    final List<KeyedAnswer> keyed = new ArrayList<>();
    final Map<String, List<String>> kept = new HashMap<>();

    /** Starts {@code i}, resumed by {@code r1} and {@code r2}, which then waits and calls. */
    Run() {
      operations.add(operation("s", Kind.START, "i", null, 1, 2, Outcome.OK));
      operations.add(operation("r1", Kind.RESUME, "i", "one", 3, 4, Outcome.OK));
      operations.add(operation("r2", Kind.RESUME, "i", "two", 5, 6, Outcome.OK));
      operations.add(operation("r3", Kind.RESUME, "i", "two", 5, 6, Outcome.FAIL));
      operations.add(operation("t", Kind.TOKEN, "i", "two", 5, 6, Outcome.FAIL, 0, false));
      operations.add(operation("p", Kind.PUBLISH, null, null, 0, 1, Outcome.OK, 1, true));
      faults.add(new Nemesis("kill", "n1", 4, 5));
      instances.add(new Instance("i", "d", 1, "Completed", "s", null, 5));
      for (long revision = 1; revision <= 5; revision++) {
        commits.add(new Commit("i", revision, revision == 5));
      }
      entries.add(new Entry("i", 1, 1, 1, "root", "Elsa.Sequence", "Started", null));
      entries.add(new Entry("i", 2, 2, 2, "one", "Elsa.Event", "Completed", "r1"));
      entries.add(new Entry("i", 3, 3, 3, "two", "Elsa.Event", "Completed", "r2"));
      entries.add(new Entry("i", 4, 4, 4, "nap", "Elsa.Delay", "Completed", null));
      entries.add(new Entry("i", 5, 5, 5, "call", "Elsa.SendHttpRequest", "Completed", null));
      entries.add(new Entry("i", 5, 6, 1, "root", "Elsa.Sequence", "Completed", null));
      bookmarks.add(new Made("i-3", "i", "Elsa.Delay"));
      timers.add(new Gone("i-3", NOON, NOON.plusSeconds(1)));
      effects.add(new Effect(7, "i:5", "i", "call"));
      leases.add(new Taken(1, "scheduler", 1, "n1"));
      leases.add(new Taken(2, "scheduler", 2, "n2"));
    }

    Verdict verdict() {
      var rows = new Rows(instances, commits, entries, bookmarks, open, timers, leases);
      var steps = Map.of("d", List.of("one", "two", "nap", "call"));
      var seen = new Evidence.Seen(operations, keyed, effects, faults);
      var clock = new Coverage.Clock(NOON, 0);
      return Checker.check(
          new Evidence(seen, rows, List.of(), kept, steps, NOON.minusSeconds(60), clock), LIMITS);
    }
  }

  private static Operation operation(
      String id,
      Kind kind,
      @Nullable String instance,
      @Nullable String step,
      long from,
      long until,
      Outcome outcome) {
    return operation(id, kind, instance, step, from, until, outcome, 0, true);
  }

  private static Operation operation(
      String id,
      Kind kind,
      @Nullable String instance,
      @Nullable String step,
      long from,
      long until,
      Outcome outcome,
      int number,
      boolean genuine) {
    var target = new Target("d", instance, step, number, genuine);
    return new Operation(id, kind, target, new Span(0, 0, from, until, ""), outcome);
  }

  @Test
  void a_run_that_kept_every_promise_is_valid() {
    assertThat(new Run().verdict().isValid()).isTrue();
  }

  @Test
  void what_nobody_knows_may_have_happened_or_not() {
    var run = new Run();
    run.operations.add(operation("s2", Kind.START, null, null, 1, 9, Outcome.UNKNOWN));
    run.operations.add(operation("r4", Kind.RESUME, "i", "two", 5, 9, Outcome.UNKNOWN));
    assertThat(run.verdict().isValid()).isTrue();

    run.instances.add(new Instance("j", "d", 1, "Suspended", "s2", null, 1));
    run.commits.add(new Commit("j", 1, true));
    run.open.add(new Open("j-1", "j", "Elsa.Event"));
    assertThat(run.verdict().isValid()).isTrue();
  }

  @Test
  void a_cancelled_instance_may_lose_its_timers_early() {
    var run = new Run();
    run.instances.set(0, new Instance("i", "d", 1, "Cancelled", "s", null, 5));
    run.timers.set(0, new Gone("i-3", NOON, NOON.minusSeconds(1)));
    assertThat(run.verdict().anomalies()).isEmpty();
  }

  @Test
  void an_effect_may_be_repeated_under_its_key_and_is_counted() {
    var run = new Run();
    run.effects.add(new Effect(8, "i:5", "i", "call"));
    assertThat(run.verdict().isValid()).isTrue();
    assertThat(run.verdict().counts()).containsEntry("repeatedEffects", 1L);
  }

  @Test
  void a_run_in_which_little_succeeded_proves_nothing() {
    var run = new Run();
    run.operations.removeIf(each -> each.kind() == Kind.PUBLISH);
    run.operations.removeIf(each -> each.id().equals("r1"));
    run.operations.add(operation("r1", Kind.RESUME, "i", "one", 3, 4, Outcome.UNKNOWN));
    run.operations.removeIf(each -> each.id().equals("r2"));
    run.operations.add(operation("r2", Kind.RESUME, "i", "two", 5, 6, Outcome.UNKNOWN));
    assertThat(run.verdict().anomalies()).isEmpty();
    assertThat(run.verdict().vacuous()).isTrue();
  }

  @Test
  void a_run_with_a_fault_that_hit_nobody_proves_nothing() {
    var run = new Run();
    run.faults.add(new Nemesis("kill", "n1", 100, 101));
    assertThat(run.verdict().vacuous()).isTrue();
  }

  static Stream<Arguments> broken() {
    return Stream.of(
        broken("S1 start-lost", run -> run.instances.clear()),
        broken(
            "S1 start-duplicated",
            run -> run.instances.add(new Instance("j", "d", 1, "Completed", "s", null, 0))),
        broken(
            "S1 start-failed-but-happened",
            run -> replace(run, operation("s", Kind.START, null, null, 1, 2, Outcome.FAIL))),
        broken(
            "S1 start-from-nowhere",
            run -> run.instances.add(new Instance("j", "d", 1, "Completed", "x", null, 0))),
        broken("S2 stuck", run -> run.instances.set(0, status("Suspended"))),
        broken("S2 faulted", run -> run.instances.set(0, status("Faulted"))),
        broken(
            "S2 terminal-not-once",
            run ->
                run.entries.add(
                    new Entry("i", 5, 7, 1, "root", "Elsa.Sequence", "Canceled", null))),
        broken("S2 terminal-not-once", run -> run.entries.removeLast()),
        broken(
            "S2 commit-after-terminal",
            run -> {
              run.instances.set(0, new Instance("i", "d", 1, "Completed", "s", null, 6));
              run.commits.add(new Commit("i", 6, true));
            }),
        broken("S2 open-wait-of-finished", run -> run.open.add(new Open("i-9", "i", "timer x"))),
        broken("S2 orphan", run -> run.open.add(new Open("x-1", "x", "Elsa.Event"))),
        broken("S2 orphan", run -> run.commits.add(new Commit("x", 1, false))),
        broken(
            "S2 cancelled-but-goes-on",
            run -> {
              run.operations.add(operation("c", Kind.CANCEL, "j", null, 5, 6, Outcome.OK));
              run.operations.add(operation("s2", Kind.START, "j", null, 1, 2, Outcome.OK));
              run.instances.add(new Instance("j", "d", 1, "Suspended", "s2", null, 0));
              run.open.add(new Open("j-1", "j", "Elsa.Event"));
            }),
        broken("V1 version-gap-or-fork", run -> run.commits.remove(2)),
        broken("V1 version-gap-or-fork", run -> run.commits.add(new Commit("i", 3, false))),
        broken(
            "V1 state-not-of-the-last-commit",
            run -> run.commits.set(4, new Commit("i", 5, false))),
        broken(
            "V1 state-not-of-the-last-commit", run -> run.commits.set(3, new Commit("i", 4, true))),
        broken(
            "J1 step-recorded-twice",
            run ->
                run.entries.add(new Entry("i", 5, 7, 4, "nap", "Elsa.Delay", "Completed", null))),
        broken(
            "J1 other-steps-than-defined",
            run -> run.entries.removeIf(entry -> entry.activity().equals("nap"))),
        broken(
            "B1 bookmark-consumed-twice",
            run ->
                run.entries.add(new Entry("i", 5, 7, 7, "two", "Elsa.Event", "Completed", "r3"))),
        broken(
            "B1 several-were-told-ok",
            run -> replace(run, operation("r3", Kind.RESUME, "i", "two", 5, 6, Outcome.OK))),
        broken("B1 resume-lost", run -> entryBy(run, "two", "t")),
        broken(
            "B1 resume-applied-twice",
            run ->
                run.entries.add(new Entry("i", 5, 7, 7, "three", "Elsa.Event", "Completed", "r2"))),
        broken("B1 resume-refused-but-happened", run -> entryBy(run, "two", "r3")),
        broken("B1 resume-from-nowhere", run -> entryBy(run, "two", "somebody")),
        broken("B1 resume-of-another-bookmark", run -> entryBy(run, "two", "r1")),
        broken(
            "B1 event-counted-wrong",
            run -> {
              run.operations.add(operation("e", Kind.EVENT, "i", null, 5, 6, Outcome.OK, 0, true));
              entryBy(run, "two", "e");
            }),
        broken(
            "B2 resume-order",
            run -> {
              entry(run, "one", entry -> resequenced(entry, 4));
              entry(run, "nap", entry -> resequenced(entry, 2));
            }),
        broken("B3 bad-token-accepted", run -> entryBy(run, "two", "t")),
        broken(
            "B3 bad-token-answered-ok",
            run ->
                replace(run, operation("t", Kind.TOKEN, "i", "two", 5, 6, Outcome.OK, 0, false))),
        broken("E1 outbox-undelivered", run -> run.effects.clear()),
        broken(
            "E1 outbox-of-uncommitted", run -> run.effects.add(new Effect(9, "j:5", "j", "call"))),
        broken(
            "E2 effect-with-two-keys", run -> run.effects.add(new Effect(9, "i:6", "i", "call"))),
        broken(
            "E2 key-of-two-effects",
            run -> {
              run.entries.add(
                  new Entry("i", 5, 7, 7, "more", "Elsa.SendHttpRequest", "Started", null));
              run.effects.add(new Effect(9, "i:5", "i", "more"));
            }),
        broken(
            "T1 timer-not-once", run -> run.timers.add(new Gone("i-3", NOON, NOON.plusSeconds(2)))),
        broken("T1 timer-not-once", run -> run.timers.clear()),
        broken(
            "T2 timer-early", run -> run.timers.set(0, new Gone("i-3", NOON, NOON.minusMillis(1)))),
        broken(
            "T3 timer-late", run -> run.timers.set(0, new Gone("i-3", NOON, NOON.plusSeconds(11)))),
        broken(
            "L1 epoch-not-increasing", run -> run.leases.add(new Taken(3, "scheduler", 2, "n3"))),
        broken(
            "L2 commit-by-deposed-leader",
            run -> run.leases.add(new Taken(3, "scheduler", 1, "n1"))),
        broken(
            "C1 stale-definition",
            run ->
                run.operations.add(
                    operation("p2", Kind.PUBLISH, null, null, 0, 0, Outcome.OK, 2, true))),
        broken(
            "A1 not-recovered",
            run ->
                run.operations.add(
                    operation("probe", Kind.PROBE, null, null, 8, 9, Outcome.UNKNOWN))));
  }

  private static Arguments broken(String name, Consumer<Run> how) {
    return Arguments.of(name, how);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("broken")
  void a_broken_promise_is_found(String name, Consumer<Run> how) {
    var run = new Run();
    how.accept(run);
    assertThat(run.verdict().anomalies()).containsKey(name);
    assertThat(run.verdict().isValid()).isFalse();
  }

  private static Instance status(String status) {
    return new Instance("i", "d", 1, status, "s", null, 5);
  }

  private static void replace(Run run, Operation other) {
    run.operations.replaceAll(each -> each.id().equals(other.id()) ? other : each);
  }

  private static void entryBy(Run run, String activity, String by) {
    entry(
        run,
        activity,
        e ->
            new Entry(
                e.instance(),
                e.revision(),
                e.sequence(),
                e.execution(),
                e.activity(),
                e.type(),
                e.event(),
                by));
  }

  private static Entry resequenced(Entry e, long sequence) {
    return new Entry(
        e.instance(),
        e.revision(),
        sequence,
        e.execution(),
        e.activity(),
        e.type(),
        e.event(),
        e.by());
  }

  private static void entry(Run run, String activity, UnaryOperator<Entry> change) {
    run.entries.replaceAll(e -> e.activity().equals(activity) ? change.apply(e) : e);
  }
}
