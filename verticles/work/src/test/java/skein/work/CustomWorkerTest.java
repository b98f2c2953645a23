package skein.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.activities.Input;
import skein.activities.Json;
import skein.activities.WorkResult;
import skein.model.BookmarkId;
import skein.model.Effect;
import skein.spi.CustomActivity;
import skein.spi.Sensitive;
import skein.spi.Step;
import skein.spi.TryAgainException;
import skein.spi.WorkContext;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CustomWorkerTest {
  private final Vertx vertx = Vertx.vertx();

  enum Colour {
    RED,
    GREEN
  }

  record Point(int x, double y) {}

  record Everything(
      @Nullable String text,
      boolean flag,
      long number,
      @Nullable BigDecimal exact,
      @Nullable Colour colour,
      @Nullable Instant at,
      @Nullable Duration rest,
      @Sensitive @Nullable UUID id,
      @Nullable Point point,
      @Nullable List<Point> points,
      @Nullable Map<String, Object> any) {}

  @AfterAll
  void stop() {
    vertx.close().await();
  }

  /** Does what the text of its input says. */
  private static final class Obedient implements CustomActivity<Everything, Everything> {
    @Override
    public String type() {
      return "Test.Obedient";
    }

    @Override
    public Class<Everything> inputs() {
      return Everything.class;
    }

    @Override
    public Class<Everything> outputs() {
      return Everything.class;
    }

    @Override
    public Step<Everything> run(Everything inputs) {
      return Step.work();
    }

    @Override
    public Step.Done<Everything> work(Everything inputs, WorkContext context) throws Exception {
      switch (String.valueOf(inputs.text())) {
        case "again" -> throw new TryAgainException("not now");
        case "fail" -> throw new IllegalArgumentException("never");
        case "sleep" -> Thread.sleep(Duration.ofMinutes(1));
        default -> assertThat(Thread.currentThread().isVirtual()).isTrue();
      }
      return new Step.Done<>("Done", inputs);
    }
  }

  private static String secret(String name) {
    if (name.equals("pay")) {
      return "c4nary-of-pay";
    }
    throw name.equals("locked")
        ? new SecretSource.MissingException("its file cannot be read", true)
        : new SecretSource.MissingException("there is no such file");
  }

  private WorkResult perform(String type, Map<String, @Nullable Object> inputs) {
    return perform(type, inputs, Map.of());
  }

  private WorkResult perform(
      String type, Map<String, @Nullable Object> inputs, Map<String, String> secrets) {
    var worker =
        new CustomWorker(
            vertx, List.of(new CustomActivityAdapter<>(new Obedient())), CustomWorkerTest::secret);
    return worker
        .perform(
            new Effect.Work(
                BookmarkId.parse("i1-1"),
                "own",
                Json.members("type", type, "inputs", inputs, "secrets", secrets),
                Duration.ofMillis(300),
                "i1:2",
                1))
        .await();
  }

  @Test
  void inputs_are_as_secret_as_they_say() {
    var inputs = new CustomActivityAdapter<>(new Obedient()).descriptor().inputs();

    assertThat(inputs.stream().filter(Input::isSensitive).map(Input::name)).containsExactly("id");
  }

  @Test
  void an_input_that_is_a_secret_is_looked_up_and_does_not_come_back() {
    var inputs = Json.members("text", null, "flag", false, "number", 1L);

    var done = perform("Test.Obedient", inputs, Map.of("text", "pay"));
    var missing = perform("Test.Obedient", inputs, Map.of("text", "other"));
    var unreadable = perform("Test.Obedient", inputs, Map.of("text", "locked"));

    assertThat(done).isInstanceOf(WorkResult.Done.class);
    assertThat(done.toString()).contains("text=***").doesNotContain("c4nary");
    assertThat(missing)
        .isEqualTo(
            new WorkResult.Failed(
                "SecretMissing",
                "The secret \"other\" cannot be used: there is no such file",
                false));
    assertThat(unreadable)
        .as("repeated as its retry policy says")
        .isEqualTo(
            new WorkResult.Failed(
                "SecretUnreadable",
                "The secret \"locked\" cannot be used: its file cannot be read",
                true));
  }

  @Test
  void records_are_read_and_written() {
    var given =
        Json.members(
            "text",
            "a",
            "flag",
            true,
            "number",
            5L,
            "exact",
            "1.10",
            "colour",
            "green",
            "at",
            "2026-01-01T00:00:00Z",
            "rest",
            "00:00:05",
            "id",
            "123e4567-e89b-12d3-a456-426614174000",
            "point",
            Map.of("x", 1L, "y", 2.5),
            "points",
            List.of(Map.of("x", 3L, "y", 4.0)),
            "any",
            Map.of("k", List.of(1L)));

    var outputs = Json.object(perform("Test.Obedient", given).orFault().get("outputs"));

    assertThat(outputs)
        .containsEntry("exact", 1.1)
        .containsEntry("colour", "GREEN")
        .containsEntry("rest", "PT5S")
        .containsEntry("at", "2026-01-01T00:00:00Z")
        .containsEntry("id", "123e4567-e89b-12d3-a456-426614174000")
        .containsEntry("point", Map.of("x", 1L, "y", 2.5))
        .containsEntry("points", List.of(Map.of("x", 3L, "y", 4.0)))
        .containsEntry("any", Map.of("k", List.of(1L)));
  }

  @Test
  void what_is_not_given_is_null_or_zero() {
    var outputs = Json.object(perform("Test.Obedient", Map.of()).orFault().get("outputs"));

    assertThat(outputs)
        .containsEntry("text", null)
        .containsEntry("flag", false)
        .containsEntry("number", 0L)
        .containsEntry("points", null);
  }

  @ParameterizedTest
  @CsvSource({"again,TryAgain,true", "fail,IllegalArgumentException,false", "sleep,Timeout,true"})
  void what_it_throws_says_whether_it_is_worth_another_attempt(
      String text, String type, boolean passing) {
    var result = perform("Test.Obedient", Map.of("text", text));

    assertThat(result).isInstanceOf(WorkResult.Failed.class);
    assertThat(((WorkResult.Failed) result).type()).isEqualTo(type);
    assertThat(result.passing()).isEqualTo(passing);
  }

  @Test
  void a_node_without_the_jar_leaves_the_work_to_another_attempt() {
    var result = perform("Test.Absent", Map.of());

    assertThat(result)
        .isEqualTo(new WorkResult.Failed("NoWorker", "This node does not have Test.Absent", true));
  }
}
