package skein.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Clusters on a virtual clock, one for each seed. By system properties: {@code simulation.seeds}
 * and {@code simulation.seconds} bound a run, {@code simulation.from} is its first seed; {@code
 * simulation.seed} shows one alone.
 */
class SimulationTest {
  private static final int FAILURES_SHOWN = 3;

  /** After so many seeds each kind of command has met each group of faults. */
  private static final long GROUPS_MET_AFTER = 10_000;

  /** After so many, each single one. */
  private static final long ALL_MET_AFTER = 500_000;

  private static final Logger LOG = (Logger) LoggerFactory.getLogger("skein");

  private final Coverage coverage = new Coverage();
  private final List<String> failures = new ArrayList<>();

  /** What goes wrong here is meant to. */
  @BeforeAll
  static void beSilent() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  @Test
  void every_seed_has_one_history_that_explains_all_answers() throws InterruptedException {
    Long one = Long.getLong("simulation.seed");
    if (one != null) {
      assertThat(show(one)).isEmpty();
      return;
    }
    long from = Long.getLong("simulation.from", 1);
    long seeds = Long.getLong("simulation.seeds", 20_000);
    long begin = System.nanoTime();
    long deadline = begin + Long.getLong("simulation.seconds", 75) * 1_000_000_000L;
    var next = new AtomicLong(from);
    var done = new AtomicLong();
    var enough = new AtomicBoolean();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < Integer.getInteger("simulation.threads", 2); i++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                while (!enough.get() && System.nanoTime() < deadline) {
                  long seed = next.getAndIncrement();
                  if (seed >= from + seeds) {
                    return;
                  }
                  try {
                    run(seed, enough);
                  } catch (Throwable e) {
                    failed("seed %d did not end: %s".formatted(seed, e), enough);
                    throw e;
                  }
                  done.incrementAndGet();
                }
              }));
    }
    for (var thread : threads) {
      thread.join();
    }
    double minutes = (System.nanoTime() - begin) / 60e9;
    System.out.printf("%d seeds, %.0f a minute%n", done.get(), done.get() / minutes);
    System.out.println(coverage.table());
    assertThat(failures).isEmpty();
    assertThat(done.get()).as("seeds").isPositive();
    if (done.get() >= GROUPS_MET_AFTER) {
      assertThat(coverage.missingGroups()).as("what never met").isEmpty();
    }
    if (done.get() >= ALL_MET_AFTER) {
      assertThat(coverage.missing()).as("what never met").isEmpty();
    }
  }

  private void run(long seed, AtomicBoolean enough) {
    var run = new Run(Plan.draw(seed), false, false);
    var outcome = run.run();
    coverage.add(run.coverage());
    if (!outcome.violations().isEmpty()) {
      failed(described(seed, outcome), enough);
    }
  }

  private void failed(String how, AtomicBoolean enough) {
    synchronized (failures) {
      if (failures.size() < FAILURES_SHOWN) {
        failures.add(how);
      } else {
        enough.set(true);
      }
    }
  }

  private static String described(long seed, Run.Outcome outcome) {
    var shrinker = new Shrinker(Plan.draw(seed), plan -> new Run(plan, false, false).run());
    var least = shrinker.shrink();
    var again = new Run(least, true, false).run();
    return "seed %d: %s%n  at least: %s%n  %s%n  %s%n%s%n"
        .formatted(
            seed,
            outcome.violations(),
            least,
            again.violations(),
            shrinker.command(seed),
            String.join("\n", again.trace()));
  }

  /** Carries out one seed and prints its course. */
  private static List<String> show(long seed) {
    var drawn = Plan.draw(seed);
    var plan =
        drawn.without(
            numbers("simulation.without.items"),
            numbers("simulation.without.faults"),
            Long.getLong("simulation.course", drawn.seed()));
    var outcome = new Run(plan, true, false).run();
    System.out.println(plan);
    outcome.trace().forEach(System.out::println);
    System.out.println(outcome.violations());
    return outcome.violations();
  }

  private static Set<Integer> numbers(String property) {
    return Arrays.stream(System.getProperty(property, "").split(","))
        .filter(text -> !text.isBlank())
        .map(Integer::valueOf)
        .collect(Collectors.toSet());
  }

  @Test
  void a_seed_takes_the_same_course_every_time() {
    for (long seed = 1; seed <= 50; seed++) {
      var first = new Run(Plan.draw(seed), false, false).run();
      var second = new Run(Plan.draw(seed), true, false).run();
      assertThat(second.hash()).as("seed " + seed).isEqualTo(first.hash());
      assertThat(second.steps()).isEqualTo(first.steps());
    }
  }
}
