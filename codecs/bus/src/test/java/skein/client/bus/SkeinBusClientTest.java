package skein.client.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import skein.client.Delivery;
import skein.client.JournalLine;
import skein.client.Options;
import skein.client.Outcome;
import skein.messages.Addresses;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;

class SkeinBusClientTest {
  private static final InstanceId ID = new InstanceId("i1");
  private static final Reply.Done DONE =
      new Reply.Done(ID, new DefinitionRef("D", "v", 1), WorkflowStatus.Completed, 1, null, null);

  private static final Outcome OUTCOME = new Outcome(ID, "D", 1, WorkflowStatus.Completed, 1);

  private final Vertx vertx = Vertx.vertx();
  private final SkeinBusClient client =
      SkeinBusClient.create(vertx, new Options(Duration.ofSeconds(30), 3));

  /** For what is not answered. */
  private final SkeinBusClient impatient =
      SkeinBusClient.create(vertx, new Options(Duration.ofSeconds(1), 3));

  private final List<Request> received = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void every_call_goes_to_its_address() {
    for (var address :
        List.of(Addresses.START, Addresses.RESUME, Addresses.CANCEL, Addresses.QUERY)) {
      serve(address, message -> message.reply(DONE));
    }
    var delivered = new Reply.Delivered(1, 0, List.of(ID));
    for (var address : List.of(Addresses.EVENT, Addresses.TASK)) {
      serve(address, message -> message.reply(delivered));
    }

    var entry =
        new Reply.Journal.Entry(8, Instant.EPOCH, "Faulted", "charge", "Elsa.Http", "refused");
    serve(Addresses.JOURNAL, message -> message.reply(new Reply.Journal(ID, List.of(entry))));

    assertThat(client.start("D", Map.of()).join()).isEqualTo(OUTCOME);
    assertThat(client.dispatch("D", Map.of()).join()).isEqualTo(ID);
    assertThat(client.resume(ID, null, Map.of("a", 1)).join()).isEqualTo(OUTCOME);
    assertThat(client.resumeByToken("t", Map.of()).join()).isEqualTo(OUTCOME);
    assertThat(client.publishEvent("E", "x").join()).isEqualTo(new Delivery(1, 0, List.of(ID)));
    assertThat(client.completeTask("T", null).join()).isEqualTo(ID);
    assertThat(client.cancel(ID).join()).isEqualTo(OUTCOME);
    assertThat(failure(client.query(ID)).detail()).contains("no instance");
    assertThat(client.journal(ID, 7, 10).join())
        .containsExactly(
            new JournalLine(8, Instant.EPOCH, "Faulted", "charge", "Elsa.Http", "refused"));

    assertThat(received.subList(2, 9))
        .containsExactly(
            new Request.Resume(ID, null, Map.of("a", 1L)),
            new Request.ResumeByToken("t", Map.of(), null),
            new Request.PublishEvent("E", null, null, "x"),
            new Request.CompleteTask("T", null),
            new Request.Cancel(ID),
            new Request.Query(ID),
            new Request.Journal(ID, 7, 10));
  }

  @Test
  void a_page_of_a_journal_that_is_too_large_is_not_asked_for() {
    serve(Addresses.JOURNAL, _ -> {});

    assertThat(failure(client.journal(ID, 0, 1_001)).detail())
        .isEqualTo("take is 1001, not 1 to 1000");
    assertThat(failure(client.journal(ID, -1, 10)).code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(received).isEmpty();
  }

  @Test
  void a_start_without_an_answer_is_repeated_with_the_same_key() {
    serve(
        Addresses.START,
        message -> {
          if (received.size() == 2) {
            message.reply(DONE);
          }
        });

    assertThat(impatient.start("D", Map.of()).join()).isEqualTo(OUTCOME);

    assertThat(received).hasSize(2);
    assertThat(received.getFirst()).isEqualTo(received.getLast());
    assertThat(((Request.Start) received.getFirst()).idempotencyKey()).matches("[0-9a-f]{32}");
  }

  @Test
  void the_key_of_the_caller_is_kept() {
    serve(Addresses.START, message -> message.reply(DONE));

    client.dispatch(new Request.Start("D", Map.of(), null, null, null, "mine", false)).join();

    assertThat(received)
        .containsExactly(new Request.Start("D", Map.of(), null, null, null, "mine", true));
  }

  @Test
  void what_could_happen_twice_is_not_repeated() {
    serve(Addresses.EVENT, _ -> {});
    serve(Addresses.RESUME, _ -> {});

    assertThat(failure(impatient.publishEvent("E", null)).code()).isEqualTo(ErrorCode.TIMEOUT);
    assertThat(failure(impatient.resume(ID, null, Map.of())).code()).isEqualTo(ErrorCode.TIMEOUT);

    assertThat(received).hasSize(2);
  }

  @Test
  void what_nobody_took_is_repeated_until_the_attempts_are_used_up() {
    serve(
        Addresses.EVENT,
        message -> message.reply(new Reply.Refused(ErrorCode.NOT_READY, "Draining", List.of())));

    assertThat(failure(client.publishEvent("E", null)).code()).isEqualTo(ErrorCode.NOT_READY);
    assertThat(failure(client.cancel(ID)).code()).isEqualTo(ErrorCode.NOT_READY);

    assertThat(received).hasSize(3);
  }

  @Test
  void a_refusal_is_an_exception_with_its_code() {
    serve(
        Addresses.QUERY,
        message ->
            message.reply(
                new Reply.Refused(ErrorCode.INSTANCE_NOT_FOUND, "No such", List.of("e"))));

    var refusal = failure(client.query(ID));

    assertThat(refusal.code()).isEqualTo(ErrorCode.INSTANCE_NOT_FOUND);
    assertThat(refusal.detail()).isEqualTo("No such");
    assertThat(refusal.errors()).containsExactly("e");
    assertThat(received).hasSize(1);
  }

  @Test
  void what_cannot_be_stored_is_refused_before_it_is_sent() {
    serve(Addresses.START, message -> message.reply(DONE));

    assertThat(failure(client.start("D", Map.of("a", "\u0000"))).code())
        .isEqualTo(ErrorCode.UNSTORABLE_TEXT);
    assertThat(received).isEmpty();
  }

  @Test
  void an_answer_of_another_kind_is_refused() {
    serve(Addresses.QUERY, message -> message.reply(new Reply.Delivered(0, 0, List.of())));
    serve(Addresses.CANCEL, message -> message.reply("ok"));

    assertThat(failure(client.query(ID)).code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(failure(client.cancel(ID)).code()).isEqualTo(ErrorCode.INTERNAL);
  }

  private void serve(String address, Consumer<Message<Request>> answer) {
    vertx
        .eventBus()
        .<Request>consumer(
            address,
            message -> {
              received.add(message.body());
              answer.accept(message);
            })
        .completion()
        .await();
  }

  private static SkeinException failure(CompletableFuture<?> future) {
    var failure = catchThrowableOfType(CompletionException.class, future::join);
    assertThat(failure).hasCauseInstanceOf(SkeinException.class);
    return (SkeinException) Objects.requireNonNull(failure.getCause());
  }
}
