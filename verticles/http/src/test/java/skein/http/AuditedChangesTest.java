package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import org.junit.jupiter.api.Test;
import skein.storage.ChangeLog;
import skein.storage.TestDatabase;

class AuditedChangesTest {
  private static final Action NOTHING = _ -> Future.succeededFuture(Answer.empty(204));

  private final AuditedChanges changes =
      new AuditedChanges(new ChangeLog(TestDatabase.unreachable(), "n1"));

  @Test
  void a_route_of_which_nobody_has_said_whether_it_changes_something_is_refused() {
    assertThatThrownBy(() -> changes.of(HttpMethod.POST, "/new/:id/thing", NOTHING))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("POST /new/:id/thing");
  }

  @Test
  void what_changes_nothing_has_no_line() {
    assertThat(changes.of(HttpMethod.POST, "/schedules/preview", NOTHING)).isSameAs(NOTHING);
    assertThat(AuditedChanges.isReading(HttpMethod.POST, "/schedules/preview")).isTrue();
    assertThat(AuditedChanges.isReading(HttpMethod.POST, "/schedules")).isFalse();
    assertThat(changes.of(HttpMethod.POST, "/schedules", NOTHING)).isNotSameAs(NOTHING);
  }
}
