package skein.ingress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.events.Published;
import skein.execution.OneNode;
import skein.loop.VertxDelays;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;
import skein.storage.KeyStore;
import skein.storage.TestDatabase;

/** What publishers of events are told, on two nodes with one PostgreSQL. */
class EventAnswersIT {
  private static OneNode first;
  private static OneNode second;

  @BeforeAll
  static void start() {
    var schema = TestDatabase.newSchema();
    first = new OneNode(schema, _ -> List.of());
    second = new OneNode(schema, _ -> List.of());
    var event = "{'type':'Elsa.Event','id':'%s','eventName':'%s'}";
    publish("once", event.formatted("e", "Go"));
    publish("twice", event.formatted("e1", "Step") + "," + event.formatted("e2", "Other"));
  }

  private static void publish(String id, String activities) {
    first.publish(
        "{'definitionId':'%s','root':{'type':'Elsa.Sequence','id':'s','activities':[%s]}}"
            .formatted(id, activities)
            .replace('\'', '"'));
  }

  @AfterAll
  static void stop() {
    first.close();
    second.close();
  }

  private static InstanceId waiting(String definitionId, String correlationId) {
    return first
        .ingress
        .start(new Request.Start(definitionId, Map.of(), correlationId, null, null, null, false))
        .await()
        .instanceId();
  }

  private static Request.PublishEvent event(String name, String correlationId) {
    return new Request.PublishEvent(name, correlationId, null, Map.of());
  }

  @Test
  void of_four_who_publish_one_event_for_one_bookmark_one_is_told_that_it_resumed() {
    for (int round = 0; round < 20; round++) {
      var correlation = "race-" + round;
      var id = waiting("twice", correlation);

      var told =
          IntStream.range(0, 4)
              .mapToObj(i ->
                  (i % 2 == 0 ? first : second).ingress.publish(event("Step", correlation), i < 2))
              .toList();

      var answers = told.stream().map(answer -> answer.await()).toList();
      assertThat(answers.stream().mapToInt(a -> a.reply().resumed()).sum())
          .as("%s", answers)
          .isEqualTo(1);
      assertThat(answers).allMatch(a -> a.pending() == 0);
      assertThat(answers).allMatch(a -> a.reply().instances().size() == a.reply().resumed());
      assertThat(first.get(id).revision()).isEqualTo(2);
    }
  }

  @Test
  void a_name_that_looks_like_that_of_another_event_is_refused_unless_somebody_waits_for_it() {
    var lookalike = "G\u043E";
    var name = "{'typeName':'String','expression':{'type':'JavaScript','value':'`G\u200B`'}}";
    publish("alike", "{'type':'Elsa.Event','id':'e','eventName':" + name + "}");
    var id = waiting("once", "alike");
    var other = waiting("alike", "alike");

    assertThatThrownBy(() -> first.ingress.publish(event(lookalike, "alike"), true).await())
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ID);
              assertThat(e.detail()).contains("letters of different scripts");
            });
    var heard = first.ingress.publish(event("G\u200B", "alike"), true).await();

    assertThat(heard.reply().instances()).containsExactly(other);
    assertThat(first.get(id).revision()).isEqualTo(1);
    assertThat(first.ingress.publish(event("Unheard", "alike"), true).await().reply().resumed())
        .isZero();
  }

  @Test
  void who_waits_is_told_what_was_committed_and_who_does_not_what_is_pending() {
    var ids = List.of(waiting("once", "many"), waiting("once", "many"), waiting("once", "many"));

    var accepted = first.ingress.publish(event("Go", "many"), false).await();

    assertThat(accepted.pending()).isEqualTo(3);
    assertThat(accepted.reply().resumed()).isZero();
    assertThat(accepted.reply().instances()).containsExactlyInAnyOrderElementsOf(ids);
    for (var id : ids) {
      assertThat(first.awaitStatus(id, WorkflowStatus.Completed).status())
          .isEqualTo(WorkflowStatus.Completed);
    }

    var more = List.of(waiting("once", "many"), waiting("once", "many"));
    var told = first.ingress.publish(event("Go", "many"), true).await();
    assertThat(told.pending()).isZero();
    assertThat(told.reply().resumed()).isEqualTo(2);
    assertThat(told.reply().instances()).containsExactlyInAnyOrderElementsOf(more);
    assertThat(first.ingress.publish(event("Go", "many"), true).await())
        .isEqualTo(new Published(new Reply.Delivered(0, 0, List.of()), 0));
  }

  @Test
  void who_repeats_the_event_of_a_node_that_died_is_told_what_was_committed() {
    var id = waiting("once", "died");
    var dead = keys(first);
    var claim = ((Keys.Verdict.Execute) dead.claim("died", "print").await()).claim();
    var told = first.ingress.once(claim).publish(event("Go", "died"), true).await();
    assertThat(told.reply().resumed()).isEqualTo(1);
    // It dies before it keeps the answer.
    first.number(
        "with late as (update idempotency_keys set claimed_until = now() where key = $1)"
            + " select 1::int8",
        claim.key());

    var keys = keys(second);
    var verdict = (Keys.Verdict.Continue) keys.claim("died", "print").await();
    var again = second.ingress.once(verdict.from()).publish(event("Go", "died"), true).await();

    assertThat(again).isEqualTo(told);
    assertThat(keys.end(verdict.claim(), again.reply()).await()).isEqualTo(again.reply());
    assertThat(keys.claim("died", "print").await())
        .isEqualTo(new Keys.Verdict.Committed(told.reply()));
    assertThat(first.get(id).revision()).isEqualTo(2);
  }

  private static Keys keys(OneNode node) {
    return new Keys(
        new VertxDelays(node.vertx),
        new KeyStore(node.database),
        node.cluster,
        UUID::randomUUID,
        new Keys.Options(
            Duration.ofHours(1),
            Duration.ofSeconds(2),
            Duration.ofMinutes(5),
            Duration.ofHours(1)));
  }
}
