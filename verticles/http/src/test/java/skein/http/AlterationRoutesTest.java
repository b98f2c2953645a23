package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

class AlterationRoutesTest {
  @Test
  void of_many_instances_few_are_altered_at_a_time_and_all_are_told_of_in_order() {
    var ids = IntStream.range(0, 100).mapToObj(i -> new InstanceId("i" + i)).toList();
    var underWay = new ArrayDeque<Promise<Map<String, @Nullable Object>>>();

    var results =
        AlterationRoutes.results(
            Future::succeededFuture,
            ids,
            _ -> {
              var altering = Promise.<Map<String, @Nullable Object>>promise();
              underWay.add(altering);
              assertThat(underWay).hasSizeLessThan(50);
              return altering.future();
            },
            InstantSource.fixed(Instant.EPOCH));
    for (int i = 0; i < ids.size(); i++) {
      var next = underWay.remove();
      if (i == 1) {
        next.fail(new SkeinException(ErrorCode.ALTERATION_REFUSED, "the second one"));
      } else {
        next.complete(Map.of("number", i));
      }
    }

    assertThat(results.result()).hasSize(100);
    assertThat(results.result().get(1))
        .containsEntry("isSuccessful", false)
        .extractingByKey("log")
        .asString()
        .contains("the second one", Instant.EPOCH.toString());
    assertThat(results.result().get(99)).isEqualTo(Map.of("number", 99));
    assertThat(List.copyOf(underWay)).isEmpty();
  }
}
