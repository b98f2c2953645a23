package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.messages.Request;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;

/** Bookmarks that have expired, before their timers fire and after. */
class BookmarkExpiryIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(4);
  private static final String HURRIED =
      """
      {"definitionId": "Hurried", "root": {"type": "Elsa.Event", "id": "wait",
        "eventName": {"typeName": "String", "expression": {"type": "Literal", "value": "Go"}},
        "customProperties": {"timeout": "00:00:04"}}}
      """;

  private static BookmarkId waiting(OneNode node, InstanceId id) {
    var open = node.get(id).bookmarks();
    var waiting = open.stream().filter(bookmark -> !bookmark.ofEngine()).findFirst().orElseThrow();
    assertThat(waiting.expiresAt(open)).isNotNull();
    assertThat(open).filteredOn(Bookmark::ofEngine).hasSize(1);
    return waiting.id();
  }

  private static void assertRefused(ErrorCode code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(SkeinException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void an_expired_bookmark_is_resumed_by_nobody_though_its_timer_has_not_fired() {
    var node = new OneNode();
    try {
      node.publish(HURRIED);
      node.stopTimers();
      var id = node.start("Hurried");
      var bookmark = waiting(node, id);
      var token = node.ingress.mintToken(bookmark, Duration.ofDays(1), "test").await();
      node.vertx.timer(TIMEOUT.toMillis() + 100).await();

      assertRefused(
          ErrorCode.BOOKMARK_EXPIRED,
          () -> node.ingress.resume(new Request.Resume(id, null, Map.of())).await());
      assertRefused(
          ErrorCode.TOKEN_EXPIRED,
          () ->
              node.ingress
                  .resumeByToken(new Request.ResumeByToken(token.token(), Map.of(), "test"))
                  .await());
      assertRefused(
          ErrorCode.BOOKMARK_EXPIRED, () -> node.ingress.mintToken(bookmark, null, "test").await());
      assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Suspended);
    } finally {
      node.close();
    }
  }

  @Test
  void the_timer_of_an_expired_bookmark_faults_its_instance() {
    var node = new OneNode();
    try {
      node.publish(HURRIED);
      var id = node.start("Hurried");
      var bookmark = waiting(node, id);
      var token = node.ingress.mintToken(bookmark, Duration.ofDays(1), "test").await();

      for (int i = 0; i < 600 && !node.get(id).status().finished(); i++) {
        node.vertx.timer(50).await();
      }

      assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Faulted);
      assertThat(node.get(id).bookmarks()).isEmpty();
      assertThat(
              node.number(
                  "select count(*) from bookmarks where workflow_instance_id = $1", id.value()))
          .isZero();
      assertThat(token.expiresAt()).isNotNull();
    } finally {
      node.close();
    }
  }
}
