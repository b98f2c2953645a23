package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processor time is limited; a thread that gets none is not the expression's fault. */
class EvaluationTimeTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Duration CPU_MAX = Duration.ofMillis(500);
  private static final Duration WALL_MAX = Duration.ofSeconds(30);
  private static final String ENDLESS_LOOP = "while (true);";

  private final FakeScope scope = new FakeScope().with("Count", 1L);
  private final Clocks clocks = new Clocks();
  private final Expressions expressions =
      expressions(new EvaluationClocks(clocks::wall, clocks::cpu));

  /** Each read of the wall clock advances both by a step. */
  private static final class Clocks {
    private long wall = SECOND;
    private long cpu = 7 * SECOND;
    private long wallStep;
    private long cpuStep;
    private int cpuLooks;

    long wall() {
      cpu += cpuStep;
      return wall += wallStep;
    }

    long cpu() {
      cpuLooks++;
      return cpu;
    }
  }

  private static Expressions expressions(EvaluationClocks clocks) {
    var limits =
        new ExpressionLimits(
            new ExpressionLimits.Times(CPU_MAX, WALL_MAX),
            Long.MAX_VALUE,
            1L << 40,
            1 << 20,
            256,
            1 << 20,
            64 << 10);
    return new Expressions(limits, clocks, Map.of());
  }

  private @Nullable Object run(String language, String source) {
    return expressions.evaluate(new Expression(language, source), "Object", scope);
  }

  @ParameterizedTest
  @CsvSource({
    "JavaScript, 'var n = 0; for (var i = 0; i < 500; i++) n += getCount(); n', 500, 1000",
    "Liquid, '{% for i in (1..20) %}{{ Variables.Count }}{% endfor %}', 11111111111111111111, 2000",
  })
  void an_expression_is_evaluated_though_its_thread_stands_still_for_seconds(
      String language, String source, String result, int stepMillis) {
    clocks.wallStep = stepMillis * 1_000_000L;

    assertThat(run(language, source)).hasToString(result);
    assertThat(clocks.wall).isGreaterThan(3 * SECOND);
  }

  @ParameterizedTest
  @CsvSource({
    "JavaScript, 'setCount(2); for (var i = 0; i < 1000; i++);'",
    "Liquid, '{% for i in (1..100) %}{{ Variables.Count }}{% endfor %}'"
  })
  void past_the_wall_time_it_is_ended_as_starved_and_has_changed_nothing(
      String language, String source) {
    clocks.wallStep = 20 * SECOND;

    assertThatThrownBy(() -> run(language, source))
        .isInstanceOf(EvaluationStarvedException.class)
        .hasMessageContaining("PT30S (expressions.wall-time-max)");
    assertThat(scope.variables).containsEntry("Count", 1L);
    assertThat(scope.sets).isZero();

    clocks.wallStep = 0;
    assertThat(run("JavaScript", "getCount() + 1")).isEqualTo(2L);
  }

  @Test
  void what_blocks_an_expression_for_longer_than_the_wall_time_starves_it() {
    var blocking =
        new FakeScope() {
          @Override
          public @Nullable Object variable(String idOrName) {
            clocks.wall += WALL_MAX.toNanos();
            return super.variable(idOrName);
          }
        }.with("Count", 1L);
    clocks.wallStep = 1;

    assertThatThrownBy(() ->
            expressions.evaluate(new Expression("JavaScript", "getCount()"), "Object", blocking))
        .isInstanceOf(EvaluationStarvedException.class);
  }

  @Test
  void an_endless_loop_is_ended_when_its_processor_time_is_used_up() {
    clocks.wallStep = 1_000_000;
    clocks.cpuStep = 1_000_000;
    long before = clocks.cpu;

    assertExceeded(catchThrowable(() -> run("JavaScript", ENDLESS_LOOP)));
    assertThat(Duration.ofNanos(clocks.cpu - before)).isBetween(CPU_MAX, CPU_MAX.plusMillis(5));
  }

  @Test
  void an_endless_loop_that_gets_a_tenth_of_a_processor_may_use_the_same_processor_time() {
    clocks.wallStep = 10_000_000;
    clocks.cpuStep = 1_000_000;
    long before = clocks.cpu;

    assertExceeded(catchThrowable(() -> run("JavaScript", ENDLESS_LOOP)));
    assertThat(Duration.ofNanos(clocks.cpu - before))
        .isBetween(CPU_MAX.multipliedBy(9).dividedBy(10), CPU_MAX.plusMillis(5));
  }

  private static void assertExceeded(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> assertThat(e.kind()).isEqualTo(ExpressionException.BUDGET_EXCEEDED))
        .hasMessageContaining("longer than PT0.5S of processor time (expressions.time-max)");
  }

  @Test
  void a_script_that_catches_everything_is_ended_all_the_same() {
    clocks.wallStep = SECOND;

    assertThatThrownBy(
            () -> run("JavaScript", "for (;;) try { for (;;); } catch (e) {} finally { continue }"))
        .isInstanceOf(EvaluationStarvedException.class);
  }

  @Test
  void the_processor_clock_is_hardly_ever_asked() {
    clocks.wallStep = 10_000;
    clocks.cpuStep = 10_000;

    run("JavaScript", "for (var i = 0; i < 20000; i++);");
    assertThat(clocks.cpuLooks).isZero();

    assertExceeded(catchThrowable(() -> run("JavaScript", ENDLESS_LOOP)));
    assertThat(clocks.cpuLooks).isBetween(1, 5);
  }

  @Test
  void where_processor_time_is_not_counted_the_wall_time_is_the_limit() {
    clocks.wallStep = SECOND;
    var uncounted = expressions(new EvaluationClocks(clocks::wall, () -> -1));

    var thrown =
        catchThrowable(
            () -> uncounted.evaluate(new Expression("JavaScript", ENDLESS_LOOP), "Object", scope));

    assertThat(thrown)
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> assertThat(e.kind()).isEqualTo(ExpressionException.BUDGET_EXCEEDED))
        .hasMessageContaining("longer than PT30S (expressions.wall-time-max)");
  }

  @Test
  void the_system_counts_the_processor_time_of_the_thread_that_evaluates() {
    var system = expressions(EvaluationClocks.SYSTEM);
    long before = EvaluationClocks.SYSTEM.cpuTime().getAsLong();

    assertExceeded(
        catchThrowable(
            () -> system.evaluate(new Expression("JavaScript", ENDLESS_LOOP), "Object", scope)));

    long used = EvaluationClocks.SYSTEM.cpuTime().getAsLong() - before;
    assertThat(Duration.ofNanos(used))
        .isBetween(CPU_MAX.multipliedBy(9).dividedBy(10), CPU_MAX.multipliedBy(2));
  }

  @Test
  void the_wall_time_is_never_shorter_than_the_processor_time() {
    assertThatThrownBy(() -> new ExpressionLimits.Times(CPU_MAX, CPU_MAX.minusMillis(1)))
        .hasMessageContaining("wallMax");
    assertThat(ExpressionLimits.Times.ofCpu(Duration.ofMinutes(1)).wallMax())
        .isEqualTo(Duration.ofMinutes(1));
  }
}
