package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import org.junit.jupiter.api.Test;
import skein.storage.ChangeLog;
import skein.storage.TestDatabase;

class AuditedChangesTest {
  private static final Action NOTHING = _ -> Future.succeededFuture(Answer.empty(204));

  private final AuditedChanges changes =
      new AuditedChanges(new ChangeLog(TestDatabase.unreachable(), "n1"));

  @Test
  void what_changes_nothing_has_no_line() {
    var preview = RouteTable.of("POST", Routes.API + "/schedules/preview");
    var create = RouteTable.of("POST", Routes.API + "/schedules");

    assertThat(changes.audited(preview.audit(), NOTHING)).isSameAs(NOTHING);
    assertThat(preview.reads()).isTrue();
    assertThat(create.reads()).isFalse();
    assertThat(changes.audited(create.audit(), NOTHING)).isNotSameAs(NOTHING);
  }
}
