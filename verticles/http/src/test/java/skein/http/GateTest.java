package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

class GateTest {
  private static final Action NOTHING = _ -> Future.succeededFuture(Answer.empty(204));

  private final Gate open = new Gate(new ThisThread(), Security.OPEN, Callers.DEFAULT);

  @Test
  void where_nobody_is_asked_nothing_is_in_the_way_of_a_request() {
    assertThat(open.asks()).isFalse();
    assertThat(open.permitted("POST", Routes.API + "/workflow-instances/:id/resume", NOTHING))
        .isSameAs(NOTHING);
  }

  @Test
  void a_route_of_which_nobody_has_said_what_it_needs_is_refused_there_too() {
    assertThatThrownBy(() -> open.permitted("POST", Routes.API + "/new/:id/thing", NOTHING))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("POST /new/:id/thing");
  }

  @Test
  void head_needs_what_get_needs() {
    assertThat(RoutePermissions.of("HEAD", Routes.API + "/audit"))
        .isEqualTo(RoutePermissions.of("GET", Routes.API + "/audit"));
  }
}
