package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import skein.definitions.DefinitionSource;
import skein.definitions.DefinitionSource.Reloaded;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;

class StartWaitTest {
  private final List<Duration> pauses = new ArrayList<>();
  private long nanos;
  private int asked;

  private StartWait wait(String time) {
    var settings = new Settings(null, Map.of(), Map.of("database.start-wait", time));
    return new StartWait(
        NodeConfig.from(settings).database(),
        () -> nanos,
        pause -> {
          pauses.add(pause);
          nanos += pause.toNanos();
        });
  }

  /** Answers the time that it is asked for the last of these. */
  private Supplier<Integer> unreachableUntil(int last) {
    return () -> {
      asked++;
      if (asked < last) {
        throw SkeinException.storageUnavailable("read what is there", new IllegalStateException());
      }
      return asked;
    };
  }

  private static void isUnavailable(SkeinException e) {
    assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
  }

  @Test
  void a_database_that_is_not_there_yet_is_asked_every_second() {
    assertThat(wait("10s").answer(unreachableUntil(4))).isEqualTo(4);

    assertThat(pauses).hasSize(3).containsOnly(Duration.ofSeconds(1));
  }

  @Test
  void when_the_time_is_over_the_last_refusal_is_told() {
    assertThatThrownBy(() -> wait("3s").answer(unreachableUntil(100)))
        .isInstanceOfSatisfying(SkeinException.class, StartWaitTest::isUnavailable);

    assertThat(asked).isEqualTo(5);
  }

  @Test
  void all_questions_have_one_time() {
    var wait = wait("3s");
    assertThat(wait.answer(unreachableUntil(3))).isEqualTo(3);
    asked = 0;

    assertThatThrownBy(() -> wait.answer(unreachableUntil(100)))
        .isInstanceOfSatisfying(SkeinException.class, StartWaitTest::isUnavailable);

    assertThat(asked).isEqualTo(3);
  }

  @Test
  void another_refusal_is_told_at_once() {
    Supplier<Integer> refused =
        () -> {
          asked++;
          throw SkeinException.tokenInvalid();
        };
    var wait = wait("10s");

    assertThatThrownBy(() -> wait.answer(refused)).isInstanceOf(SkeinException.class);

    assertThat(asked).isEqualTo(1);
    assertThat(pauses).isEmpty();
  }

  /** A folder of definitions that is read the time that it is asked for the last of these. */
  private DefinitionSource readableAt(int last, ErrorCode before) {
    return () -> {
      asked++;
      return asked < last
          ? Future.failedFuture(new SkeinException(before, "Not now"))
          : Future.succeededFuture(new Reloaded(List.of("a"), Map.of()));
    };
  }

  @ParameterizedTest
  @EnumSource(names = {"STORAGE_UNAVAILABLE", "OVERLOADED", "OUTCOME_UNKNOWN"})
  void a_folder_is_read_again_after_a_failure_that_passes(ErrorCode passing) {
    Deployment.readFolder(readableAt(3, passing), wait("10s"));

    assertThat(asked).isEqualTo(3);
    assertThat(pauses).hasSize(2);
  }

  @Test
  void the_time_for_a_folder_is_counted_from_its_first_failure() {
    DefinitionSource slow =
        () -> {
          asked++;
          nanos += Duration.ofSeconds(70).toNanos();
          return asked == 1
              ? Future.failedFuture(new SkeinException(ErrorCode.OVERLOADED, "Not now"))
              : Future.succeededFuture(new Reloaded(List.of("a"), Map.of()));
        };

    Deployment.readFolder(slow, wait("60s"));

    assertThat(asked).isEqualTo(2);
  }

  @Test
  void a_node_does_not_start_without_its_definitions() {
    assertThatThrownBy(
            () -> Deployment.readFolder(readableAt(100, ErrorCode.STORAGE_UNAVAILABLE), wait("3s")))
        .isInstanceOfSatisfying(SkeinException.class, StartWaitTest::isUnavailable);

    assertThat(asked).isEqualTo(5);
  }
}
