package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.storage.DeferredPayload;

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
}
