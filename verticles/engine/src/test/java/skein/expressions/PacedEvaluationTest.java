package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.forms.Form;
import skein.forms.FormLimits;
import skein.pacing.Pace;

/** That all heavy work asks for pauses: paced, it takes far longer than processor time. */
class PacedEvaluationTest {
  private static final Expressions EXPRESSIONS =
      new Expressions(
          new ExpressionLimits(
              Duration.ofMillis(200), Long.MAX_VALUE, 256L << 20, 256, 1 << 20, 64 << 10),
          System::nanoTime);

  private static Object evaluate(String language, String source) {
    return String.valueOf(
        catchThrowable(() ->
            EXPRESSIONS.evaluate(new Expression(language, source), "Object", new FakeScope())));
  }

  private static void isPaced(Callable<?> work) throws Exception {
    var pace = new Pace(new Pace.Limits(0.2, Duration.ZERO, Duration.ZERO));
    var threads = ManagementFactory.getThreadMXBean();
    long cpuBefore = threads.getCurrentThreadCpuTime();
    long since = System.nanoTime();

    pace.run(work);

    long cpu = threads.getCurrentThreadCpuTime() - cpuBefore;
    assertThat(cpu).as("it is heavy").isGreaterThan(Duration.ofMillis(20).toNanos());
    assertThat(System.nanoTime() - since).as("cpu %d", cpu).isGreaterThan(5 * cpu / 2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "for (;;) {}",
        "var f = n => { for (var i = 0; i < n; i++) f(n - 1) }; f(100)",
        "/^(a|a)*$/.test('a'.repeat(40) + '!')",
        "var it = {[Symbol.iterator]() { return {next() { return {done: false, value: 1}}}}};"
            + " for (var x of it) {}",
      })
  void scripts_without_end_pause(String source) throws Exception {
    isPaced(() -> evaluate("JavaScript", source));
  }

  @Test
  void long_templates_pause() throws Exception {
    var loop = "{% for i in (1..1000000) %}{{ i | append: 'abc' | upcase }}{% endfor %}";
    evaluate("Liquid", loop); // so that no class has to be loaded

    isPaced(() -> {
      for (int i = 0; i < 5; i++) {
        evaluate("Liquid", loop);
      }
      return null;
    });
  }

  @Test
  void checks_of_forms_pause() throws Exception {
    var form = Form.of(Map.of("pattern", "^(.*)(.*)(.*)(.*)(.*)c$"), FormLimits.DEFAULT);
    var data = String.join("", Collections.nCopies(20_000, "a"));
    isPaced(() -> {
      for (int i = 0; i < 5; i++) {
        form.errors(data);
      }
      return null;
    });
  }
}
