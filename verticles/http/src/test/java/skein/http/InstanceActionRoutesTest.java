package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.http.InstanceActionRoutes.Chosen;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

class InstanceActionRoutesTest {
  /** Ids are the codes with which their instances are refused; {@code OK} is done. */
  private static Map<String, ?> counts(long beyond, String... ids) {
    var chosen = new Chosen(Arrays.stream(ids).map(InstanceId::new).toList(), beyond);
    var answer =
        InstanceActionRoutes.each(
                Future::succeededFuture,
                chosen,
                id ->
                    id.value().equals("OK")
                        ? Future.succeededFuture()
                        : Future.failedFuture(
                            new SkeinException(ErrorCode.valueOf(id.value()), "not now")),
                "cancelled")
            .result();
    return JsonText.parseObject(answer.body().getBytes(), JsonLimits.DEFAULT);
  }

  @Test
  void those_that_an_outage_has_left_remain() {
    assertThat(counts(0, "OK", "STORAGE_UNAVAILABLE", "OK", "TIMEOUT", "OVERLOADED"))
        .isEqualTo(Map.of("cancelled", 2L, "remaining", 3L));
    assertThat(counts(7, "OK", "OUTCOME_UNKNOWN"))
        .isEqualTo(Map.of("cancelled", 1L, "remaining", 8L));
  }

  @Test
  void those_for_which_nothing_can_be_done_do_not_remain() {
    assertThat(counts(0, "OK", "INSTANCE_FINISHED", "INSTANCE_NOT_FOUND"))
        .isEqualTo(Map.of("cancelled", 1L, "remaining", 0L));
  }
}
