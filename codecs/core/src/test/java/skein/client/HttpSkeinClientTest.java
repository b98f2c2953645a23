package skein.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import skein.messages.Request;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;

/** Against a server that answers as the test says. */
class HttpSkeinClientTest {
  private static final InstanceId ID = new InstanceId("i1");
  private static final Options OPTIONS = new Options(Duration.ofSeconds(30), 3);
  private static final Options IMPATIENT = new Options(Duration.ofSeconds(1), 3);
  private static final String OUTCOME =
      "'workflowInstanceId':'i1','definitionId':'D','definitionVersionId':'v','version':2,"
          + "'workflowStatus':'Running','subStatus':'Suspended','revision':7";

  private record Asked(String method, String path, String body, @Nullable String key) {}

  /** {@code body} null: it does not answer. */
  private record Answer(int status, @Nullable String body) {}

  private final List<Asked> asked = Collections.synchronizedList(new ArrayList<>());
  private final List<@Nullable String> credentials =
      Collections.synchronizedList(new ArrayList<>());
  private HttpServer server;
  private HttpSkeinClient client;

  /** What is answered to the first request, the second and so on. */
  private IntFunction<Answer> answers = _ -> new Answer(200, "{" + OUTCOME + "}");

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.start();
    client = HttpSkeinClient.create(List.of(uri()), OPTIONS);
  }

  private URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    var headers = exchange.getRequestHeaders();
    credentials.add(headers.getFirst("Authorization"));
    asked.add(
        new Asked(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            new String(exchange.getRequestBody().readAllBytes(), UTF_8).replace('"', '\''),
            headers.getFirst("Idempotency-Key")));
    var answer = answers.apply(asked.size());
    if (answer.body() != null) {
      var bytes = answer.body().replace('\'', '"').getBytes(UTF_8);
      exchange.sendResponseHeaders(answer.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    }
  }

  private void answer(int status, @Nullable String body) {
    answers = _ -> new Answer(status, body);
  }

  private static SkeinException failure(CompletableFuture<?> future) {
    var failure = catchThrowableOfType(CompletionException.class, future::join);
    assertThat(failure).hasCauseInstanceOf(SkeinException.class);
    return (SkeinException) Objects.requireNonNull(failure.getCause());
  }

  @Test
  void every_call_is_a_request_of_the_api() {
    var outcome = new Outcome(ID, "D", 2, WorkflowStatus.Suspended, 7);
    assertThat(client.once("k").start("D", Map.of("a", 1)).join()).isEqualTo(outcome);
    assertThat(client.once("k").dispatch("D/1", Map.of()).join()).isEqualTo(ID);
    assertThat(client.resume(ID, new BookmarkId(ID, 3), Map.of()).join()).isEqualTo(outcome);
    assertThat(client.resumeByToken("t-1", Map.of("b", true)).join()).isEqualTo(outcome);
    assertThat(client.completeTask("i1-2", "done").join()).isEqualTo(ID);
    assertThat(client.cancel(ID).join()).isEqualTo(outcome);
    answer(200, "{'resumed':1,'started':2,'pending':0,'workflowInstanceIds':['i1']}");
    assertThat(client.publishEvent(new Request.PublishEvent("Go on", "c", ID, null)).join())
        .isEqualTo(new Delivery(1, 2, List.of(ID)));

    assertThat(asked)
        .containsExactly(
            new Asked(
                "POST",
                "/elsa/api/workflow-instances",
                "{'input':{'a':1},'definitionId':'D'}",
                "k"),
            new Asked("POST", "/elsa/api/workflow-definitions/D%2F1/dispatch", "{'input':{}}", "k"),
            new Asked(
                "POST",
                "/elsa/api/workflow-instances/i1/resume",
                "{'bookmarkId':'i1-3','input':{}}",
                null),
            new Asked("POST", "/workflows/resume/t-1", "{'input':{'b':true}}", null),
            new Asked("POST", "/elsa/api/tasks/i1-2/complete", "{'result':'done'}", null),
            new Asked("POST", "/elsa/api/workflow-instances/i1/cancel", "{}", null),
            new Asked(
                "POST",
                "/elsa/api/events/Go%20on/trigger",
                "{'correlationId':'c','workflowInstanceId':'i1','input':null}",
                null));
  }

  @Test
  void an_instance_and_its_journal_are_read() {
    answer(
        200,
        "{'id':'i1','definitionId':'D','version':1,'subStatus':'Faulted','revision':3,"
            + "'correlationId':null,'workflowState':{'input':{'a':1},'output':{'b':[2.5]},"
            + "'bookmarks':[{'id':'i1-4','name':'Elsa.Event','activityId':'e','payload':{'x':1},"
            + "'dueAt':'2026-01-02T03:04:05Z'}],'incidents':[{'activityId':'a',"
            + "'activityType':'T','message':'no','timestamp':'2026-01-02T03:04:05Z'}]}}");
    var at = Instant.parse("2026-01-02T03:04:05Z");
    var found = client.query(ID).join();
    assertThat(found.status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(found.input()).isEqualTo(Map.of("a", 1L));
    assertThat(found.output()).isEqualTo(Map.of("b", List.of(2.5)));
    assertThat(found.bookmarks())
        .containsExactly(
            new Instance.Bookmark(new BookmarkId(ID, 4), "Elsa.Event", "e", Map.of("x", 1L), at));
    assertThat(found.incidents()).containsExactly(new Instance.Incident("a", "T", "no", at));

    answer(
        200,
        "{'items':[{'sequence':5,'timestamp':'2026-01-02T03:04:05Z','eventName':'Started',"
            + "'activityId':'a','activityType':'T','message':null}],'next':null}");
    assertThat(client.journal(ID, 4, 10).join())
        .containsExactly(new JournalLine(5, at, "Started", "a", "T", null));
    assertThat(asked.get(1).path())
        .isEqualTo("/elsa/api/workflow-instances/i1/journal?after=4&take=10");
    assertThatThrownBy(() -> client.journal(ID, 0, 1_001).join())
        .cause()
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
  }

  @Test
  void a_refusal_is_an_exception_with_its_code() {
    answer(409, "{'code':'ALREADY_RESUMED','detail':'Gone','errors':['e']}");
    var refusal = failure(client.resume(ID, null, Map.of()));
    assertThat(refusal.code()).isEqualTo(ErrorCode.ALREADY_RESUMED);
    assertThat(refusal.detail()).isEqualTo("Gone");
    assertThat(refusal.errors()).containsExactly("e");
    assertThat(asked).hasSize(1);
  }

  @Test
  void what_is_no_answer_of_a_node_is_refused() {
    answer(200, "<html>");
    assertThat(failure(client.query(ID)).code()).isEqualTo(ErrorCode.INTERNAL);
    answer(200, "{'id':'i1'}");
    assertThat(failure(client.query(ID)).detail()).contains("definitionId");
    answer(404, "Not here");
    assertThat(failure(client.query(ID)).detail()).contains("404");
    answer(502, "Bad gateway");
    assertThat(failure(client.resume(ID, null, Map.of())).code())
        .isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
  }

  /** So that loading classes takes none of the time of a client who does not wait for long. */
  private void useOnce() {
    client.cancel(ID).join();
    asked.clear();
  }

  @Test
  void a_start_without_an_answer_is_repeated_with_the_same_key() {
    useOnce();
    answers = count -> new Answer(200, count == 1 ? null : "{" + OUTCOME + "}");
    var impatient = HttpSkeinClient.create(List.of(uri()), IMPATIENT);
    assertThat(impatient.start("D", Map.of()).join().instanceId()).isEqualTo(ID);
    assertThat(asked).hasSize(2);
    assertThat(asked.get(0)).isEqualTo(asked.get(1));
    assertThat(asked.get(0).key()).matches("[0-9a-f]{32}");
  }

  @Test
  void what_could_happen_twice_is_not_repeated_without_a_key() {
    useOnce();
    answer(200, null);
    var impatient = HttpSkeinClient.create(List.of(uri()), IMPATIENT);
    assertThat(failure(impatient.resume(ID, null, Map.of())).code()).isEqualTo(ErrorCode.TIMEOUT);
    assertThat(asked).hasSize(1);
    assertThat(failure(impatient.once("k").resume(ID, null, Map.of())).code())
        .isEqualTo(ErrorCode.TIMEOUT);
    assertThat(asked).hasSize(4);
  }

  @Test
  void what_nobody_takes_goes_to_the_next_node() throws IOException {
    int closed;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    var nowhere = URI.create("http://127.0.0.1:" + closed);
    var both = HttpSkeinClient.create(List.of(nowhere, uri()), OPTIONS);
    assertThat(both.resume(ID, null, Map.of()).join().revision()).isEqualTo(7);
    var alone = HttpSkeinClient.create(List.of(nowhere), OPTIONS);
    assertThat(failure(alone.resume(ID, null, Map.of())).code()).isEqualTo(ErrorCode.NOT_READY);

    answers =
        count ->
            count % 2 == 0
                ? new Answer(503, "{'code':'NOT_READY','detail':'Draining'}")
                : new Answer(200, "{" + OUTCOME + "}");
    assertThat(client.resume(ID, null, Map.of()).join().revision()).isEqualTo(7);
    assertThat(asked).hasSize(3);
  }

  @Test
  void credentials_are_sent_with_every_request() {
    client.withApiKey("k-1").cancel(ID).join();
    var tokens = List.of("a", "b").iterator();
    var renewed = client.withBearer(tokens::next);
    renewed.cancel(ID).join();
    renewed.cancel(ID).join();
    client.cancel(ID).join();
    assertThat(credentials).containsExactly("ApiKey k-1", "Bearer a", "Bearer b", null);
  }

  @Test
  void what_cannot_be_stored_is_refused_before_it_is_sent() {
    assertThat(failure(client.start("D", Map.of("a", "\u0000"))).code())
        .isEqualTo(ErrorCode.UNSTORABLE_TEXT);
    assertThat(asked).isEmpty();
  }

  @Test
  void the_end_is_awaited_as_long_as_the_caller_says() {
    var running =
        "{'id':'i1','definitionId':'D','version':1,'subStatus':'%s','revision':3,"
            + "'workflowState':{'input':{},'output':{},'bookmarks':[],'incidents':[]}}";
    answers = count -> new Answer(200, running.formatted(count < 3 ? "Suspended" : "Finished"));
    assertThat(client.awaitEnd(ID, Duration.ofSeconds(30)).join().status())
        .isEqualTo(WorkflowStatus.Completed);
    assertThat(asked).hasSize(3);

    answer(200, running.formatted("Suspended"));
    var late = failure(client.awaitEnd(ID, Duration.ofMillis(50)));
    assertThat(late.code()).isEqualTo(ErrorCode.TIMEOUT);
    assertThat(late.detail()).contains("Suspended");
  }
}
