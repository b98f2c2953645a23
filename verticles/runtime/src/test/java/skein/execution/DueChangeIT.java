package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import skein.messages.Reply;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;
import skein.storage.TestDatabase;

/** Timers that an operator postpones or brings forward, and that fire at the same time. */
@Tag("long")
class DueChangeIT {
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private static String delayed(String id, String rest) {
    return """
    {"definitionId": "%s", "root": {"type": "Elsa.Delay", "id": "rest",
      "timeSpan": {"typeName": "TimeSpan", "expression": {"type": "Literal", "value": "%s"}}}}
    """
        .formatted(id, rest);
  }

  private static BookmarkId waiting(OneNode node, InstanceId id) {
    return node.get(id).bookmarks().getFirst().id();
  }

  private static Instant finishedAt(OneNode node, InstanceId id) {
    var finished = node.awaitStatus(id, WorkflowStatus.Completed);
    assertThat(finished.status()).isEqualTo(WorkflowStatus.Completed);
    return Objects.requireNonNull(finished.timing().finishedAt());
  }

  private static long rows(OneNode node, String table, InstanceId id) {
    return node.number(
        "select count(*) from " + table + " where workflow_instance_id = $1", id.value());
  }

  @Test
  void a_postponed_timer_fires_once_at_the_new_instant_and_not_at_the_old() {
    try (var node = new OneNode()) {
      var delay = Duration.ofSeconds(4);
      node.publish(delayed("Short", "00:00:04"));
      var id = node.start("Short");
      var old = node.get(id).bookmarks().getFirst();
      var due = Objects.requireNonNull(old.dueAt()).plus(delay);

      node.ingress.changeDue(old.id(), due, "kim").await();

      assertThat(rows(node, "timers", id)).isEqualTo(1);
      assertThat(
              node.number(
                  "select count(*) from timers where id = $1", waiting(node, id).toString()))
          .isEqualTo(1);
      node.vertx.timer(delay.plusMillis(500).toMillis()).await(); // past the old instant
      assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Suspended);
      assertThat(finishedAt(node, id)).isAfterOrEqualTo(due.minusNanos(1_000));
      node.vertx.timer(MOMENT.toMillis()).await();
      assertThat(rows(node, "journal", id)).isEqualTo(3);
      assertThat(rows(node, "timers", id)).isZero();
      assertThat(
              node.number(
                  "select count(*) from audit_log where action = 'timer.change'"
                      + " and bookmark_id = $1 and actor = 'kim'",
                  old.id().toString()))
          .isEqualTo(1);
    }
  }

  @Test
  void a_timer_that_is_brought_forward_to_the_past_fires_at_once() {
    try (var node = new OneNode()) {
      node.publish(delayed("Long", "01:00:00"));
      var id = node.start("Long");

      node.ingress.changeDue(waiting(node, id), Instant.EPOCH, "kim").await();

      finishedAt(node, id);
      assertThat(rows(node, "journal", id)).isEqualTo(3);
    }
  }

  @Test
  void a_postponed_timer_survives_the_node_that_postponed_it() {
    var schema = TestDatabase.newSchema();
    InstanceId id;
    Instant due;
    try (var first = new OneNode(schema, _ -> List.of())) {
      first.publish(delayed("Long", "01:00:00"));
      id = first.start("Long");
      due = Instant.now().plus(MOMENT);
      first.ingress.changeDue(waiting(first, id), due, "kim").await();
    }
    try (var second = new OneNode(schema, _ -> List.of())) {
      assertThat(finishedAt(second, id)).isAfterOrEqualTo(due.minusNanos(1_000));
      assertThat(rows(second, "journal", id)).isEqualTo(3);
    }
  }

  /** Two nodes that share neither locks nor a bus, so that the commit alone decides. */
  @Test
  void of_a_change_and_a_firing_at_the_same_time_exactly_one_wins() {
    var schema = TestDatabase.newSchema();
    try (var firing = new OneNode(schema, _ -> List.of());
        var changing = new OneNode(schema, _ -> List.of())) {
      changing.stopTimers();
      firing.publish(delayed("Short", "00:00:01"));
      var ids = new ArrayList<InstanceId>();
      for (int i = 0; i < 40; i++) {
        ids.add(firing.start("Short"));
        firing.vertx.timer(20).await();
      }
      var changes = new ArrayList<Future<Reply.Done>>();
      var dues = new ArrayList<Instant>();
      for (var id : ids) {
        var bookmark = new BookmarkId(id, 1);
        var at = firing.get(id).timing().createdAt().plus(MOMENT);
        var left = Duration.between(Instant.now(), at).toMillis();
        if (left > 0) {
          changing.vertx.timer(left).await();
        }
        dues.add(at.plusSeconds(3));
        changes.add(changing.ingress.changeDue(bookmark, at.plusSeconds(3), "kim"));
      }
      Future.join(changes).otherwiseEmpty().await();

      int postponed = 0;
      for (int i = 0; i < ids.size(); i++) {
        var id = ids.get(i);
        var change = changes.get(i);
        var finishedAt = finishedAt(firing, id);
        if (change.succeeded()) {
          postponed++;
          assertThat(finishedAt).isAfterOrEqualTo(dues.get(i).minusNanos(1_000));
          assertThat(rows(firing, "journal", id)).isEqualTo(3);
        } else {
          assertThat(finishedAt).isBefore(dues.get(i));
          assertThat(rows(firing, "journal", id)).isEqualTo(2);
          assertThatThrownBy(change::await)
              .isInstanceOfSatisfying(
                  SkeinException.class,
                  e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_RESUMED));
        }
        assertThat(rows(firing, "timers", id)).isZero();
      }
      System.out.printf("%d of %d were postponed, the others fired%n", postponed, ids.size());
    }
  }
}
