package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.storage.DeferredPayload;
import skein.storage.DueTimer;
import skein.storage.DueTimers;
import skein.storage.TimerShard;

class FireRouteTest {
  private final List<String> fired = new ArrayList<>();
  private final Map<String, Promise<Boolean>> answers = new HashMap<>();

  private static Timer timer(String id, String instance, boolean large) {
    return new Timer(
        id,
        Instant.EPOCH,
        new InstanceId(instance),
        Timer.Kind.Resume,
        large ? new DeferredPayload() : null);
  }

  private Future<Boolean> fire(Timer timer) {
    fired.add(timer.id());
    Promise<Boolean> answer = Promise.promise();
    answers.put(timer.id(), answer);
    return answer.future();
  }

  private void answer(String id, boolean done) {
    Objects.requireNonNull(answers.get(id)).complete(done);
  }

  @Test
  void large_payloads_are_fired_one_after_the_other_and_instances_keep_their_order() {
    var due =
        List.of(
            timer("1", "a", false),
            timer("2", "a", true),
            timer("3", "b", true),
            timer("4", "a", false),
            timer("5", "b", false),
            timer("6", "c", false));

    var all = FireRoute.fireAll(due, this::fire);

    assertThat(fired).containsExactly("1", "2", "6");
    answer("2", false);
    assertThat(fired).containsExactlyInAnyOrder("1", "2", "6", "3", "4");
    answer("3", true);
    assertThat(fired).containsExactlyInAnyOrder("1", "2", "6", "3", "4", "5");
    List.of("1", "4", "5", "6").forEach(id -> answer(id, true));
    assertThat(all).extracting(Future::result).containsExactly(true, false, true, true, true, true);
  }

  @Test
  void who_comes_after_one_that_failed_is_fired_all_the_same() {
    var due = List.of(timer("1", "a", true), timer("2", "a", false), timer("3", "b", true));

    FireRoute.fireAll(due, this::fire);
    Objects.requireNonNull(answers.get("1")).fail("the database is away");

    assertThat(fired).containsExactlyInAnyOrder("1", "2", "3");
  }

  /** What becomes of timers that could not be fired, one line each. */
  private static final class Notes implements DueTimers {
    private final List<String> lines = new ArrayList<>();

    @Override
    public Future<List<Timer>> due(
        TimerShard shard, Duration horizon, Instant after, String afterId, int max) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<List<DueTimer>> dueWithDefinitions(
        TimerShard shard, Duration horizon, Instant after, String afterId, int max) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<List<@Nullable Timer>> whole(List<Timer> timers, long bytesMax) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Void> backOff(String id, Duration delay, Duration longest) {
      lines.add(id + " backs off " + delay + " to " + longest);
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> failed(Timer timer, String code, String message) {
      lines.add(timer.id() + " has failed: " + code + " " + message);
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> extendDeadline(List<String> ids, Duration delay) {
      lines.add(ids + " wait " + delay);
      return Future.succeededFuture();
    }
  }

  private static List<String> afterRefusal(ErrorCode code) {
    var notes = new Notes();
    var route = new FireRoute(notes, _ -> Future.failedFuture(new SkeinException(code, "Not now")));
    assertThat(route.fire(timer("1", "a", false)).result()).isFalse();
    return notes.lines;
  }

  @ParameterizedTest
  @EnumSource(names = {"NOT_READY", "RUNTIME_PAUSED", "STORAGE_UNAVAILABLE", "OUTCOME_UNKNOWN"})
  void an_outage_is_no_failure_of_the_timer(ErrorCode code) {
    assertThat(afterRefusal(code)).containsExactly("[1] wait PT1S");
  }

  @ParameterizedTest
  @EnumSource(names = {"TIMEOUT", "INTERNAL", "ENCRYPTION_KEY_MISSING"})
  void what_harms_the_nodes_that_fire_it_is_fired_later_each_time(ErrorCode code) {
    assertThat(afterRefusal(code))
        .containsExactly("1 backs off PT2S to PT30S", "1 has failed: " + code + " Not now");
  }
}
