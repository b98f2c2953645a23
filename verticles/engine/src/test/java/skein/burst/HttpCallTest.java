package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.resume;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.activities.Json;
import skein.activities.WorkOrder;
import skein.activities.WorkResult;
import skein.graph.Graph;
import skein.model.Effect;
import skein.model.Transition;
import skein.model.WorkflowStatus;

/** The activities that send HTTP requests: what they order, and where they continue. */
class HttpCallTest {
  private static final String URL = "'url':" + literal("System.Uri", "'http://a/b'");

  private static String send(String more) {
    return activity("SendHttpRequest", "s", URL + more);
  }

  private static final String PORTS =
      ",'expectedStatusCodes':[{'statusCode':200,'activity':"
          + line("ok", "ok")
          + "},{'statusCode':404,'activity':"
          + line("gone", "gone")
          + "}],'unmatchedStatusCode':"
          + line("other", "other")
          + ",'failedToConnect':"
          + line("nobody", "nobody")
          + ",'timeout':"
          + line("late", "late");

  private static Graph flow(String expected) {
    return rooted(
        flowchart(
                "f",
                "s.200>A s.Done>D s.404>B s.Unmatched_code>U s.Failed_connect>F s.Timeout>T",
                activity("FlowSendHttpRequest", "s", URL + expected)
                    + ","
                    + Workflows.lines("ADBUFT"))
            .replace("Unmatched_code", "Unmatched status code")
            .replace("Failed_connect", "Failed to connect"));
  }

  private static Map<String, @Nullable Object> answered(int status) {
    return new WorkResult.Done(
            Json.members(
                "statusCode",
                (long) status,
                "headers",
                Map.of("x-one", List.of("1")),
                "content",
                Map.of("a", 1L)),
            false)
        .toInput();
  }

  private static Map<String, @Nullable Object> failed(String type) {
    return new WorkResult.Failed(type, "why", false).toInput();
  }

  private static Effect.Work order(Transition transition) {
    return transition.effects().stream()
        .filter(Effect.Work.class::isInstance)
        .map(Effect.Work.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private static List<?> recipients(String to) {
    var mail = activity("SendEmail", "m", "'to':" + to);
    return Json.list(order(start(sequence(mail))).request().get("to"));
  }

  @Test
  void only_a_definition_itself_names_several_recipients_in_one_text() {
    assertThat(recipients(literal("String[]", "'a@x.example; b@y.example'")).toString())
        .isEqualTo("[a@x.example, b@y.example]");
    assertThat(
            recipients(expression("String[]", "JavaScript", "'`a@x.example,evil@y.example`'"))
                .toString())
        .isEqualTo("[a@x.example,evil@y.example]");
    assertThat(
            recipients(expression("String[]", "JavaScript", "'[`a@x.example,evil@y.example`]'"))
                .toArray())
        .hasSize(1);
  }

  @Test
  void the_request_is_an_order_with_a_key_of_this_execution() {
    var transition =
        start(
            sequence(
                send(
                    ",'method':"
                        + literal("String", "'post'")
                        + ",'content':"
                        + expression("Object", "Object", "{'a':1}")
                        + ",'authorization':"
                        + literal("String", "'Bearer x'")
                        + ",'requestHeaders':"
                        + literal("HttpHeaders", "{'X':'y'}"))));

    var order = order(transition);
    assertThat(order.kind()).isEqualTo(WorkOrder.HTTP);
    assertThat(order.key()).isEqualTo("i1:2");
    assertThat(order.request())
        .containsEntry("url", "http://a/b")
        .containsEntry("method", "POST")
        .containsEntry("content", Map.of("a", 1L))
        .containsEntry("authorization", "Bearer x")
        .containsEntry("headers", Map.of("X", "y"))
        .containsEntry("file", false);
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Suspended);
  }

  @ParameterizedTest
  @CsvSource({"200,ok", "404,gone", "500,other"})
  void the_activity_embedded_for_the_status_code_runs(int status, String line) {
    var graph = sequence(send(PORTS) + "," + line("end", "end"));

    var done = resume(graph, start(graph).next(), "s", answered(status));

    assertThat(linesOf(done)).containsExactly(line, "end");
    assertThat(Json.object(done.next().results().get("s")))
        .containsEntry("StatusCode", (long) status)
        .containsEntry("ParsedContent", Map.of("a", 1L))
        .containsEntry("ResponseHeaders", Map.of("X-One", List.of("1")));
  }

  @ParameterizedTest
  @CsvSource({"FailedToConnect,nobody", "Timeout,late"})
  void the_activity_embedded_for_a_failure_runs(String type, String line) {
    var graph = sequence(send(PORTS) + "," + line("end", "end"));

    var done = resume(graph, start(graph).next(), "s", failed(type));

    assertThat(linesOf(done)).containsExactly(line, "end");
    assertThat(Json.object(done.next().results().get("s")))
        .containsEntry("Result", Map.of("failure", type, "message", "why"));
  }

  @Test
  void what_has_no_activity_goes_on_behind_it() {
    var graph = sequence(send("") + "," + line("end", "end"));

    assertThat(linesOf(resume(graph, start(graph).next(), "s", answered(500))))
        .containsExactly("end");
    assertThat(linesOf(resume(graph, start(graph).next(), "s", failed("Timeout"))))
        .containsExactly("end");
  }

  @Test
  void a_request_that_cannot_be_sent_faults() {
    var graph = sequence(send(PORTS));

    var done = resume(graph, start(graph).next(), "s", failed("InvalidUrl"));

    assertThat(done.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(done.next().incidents().getFirst().type()).isEqualTo("InvalidUrl");
  }

  @ParameterizedTest
  @CsvSource({"200,A D", "404,B D", "500,U D"})
  void in_a_flowchart_the_status_code_is_an_outcome_beside_done(int status, String lines) {
    var graph = flow(",'expectedStatusCodes':" + expression("Int32[]", "Object", "['200','404']"));

    var done = resume(graph, start(graph).next(), "s", answered(status));

    assertThat(linesOf(done)).containsExactlyInAnyOrder(lines.split(" ", -1));
  }

  @ParameterizedTest
  @CsvSource({"FailedToConnect,F", "Timeout,T"})
  void in_a_flowchart_a_failure_is_an_outcome_without_done(String type, String line) {
    var graph = flow("");

    assertThat(linesOf(resume(graph, start(graph).next(), "s", failed(type))))
        .containsExactly(line);
    assertThat(linesOf(resume(graph, start(graph).next(), "s", answered(200))))
        .containsExactly("D");
  }

  @Test
  void a_file_is_given_once_and_more_often_only_where_it_is_bound() {
    var file =
        Map.of("filename", "a.png", "contentType", "image/png", "size", 3L, "content", "AAH/");
    var input =
        new WorkResult.Done(Json.members("statusCode", 200L, "file", file), false).toInput();
    var plain = sequence(activity("DownloadHttpFile", "s", URL));
    var bound =
        sequence(
            activity(
                "DownloadHttpFile",
                "s",
                URL + ",'responseContentBytes':{'memoryReference':{'id':'out'}}"));

    var first = resume(plain, start(plain).next(), "s", input).next();
    var second = resume(bound, start(bound).next(), "s", input).next();

    assertThat(Json.object(first.results().get("s")))
        .containsEntry("Result", file)
        .containsEntry("Response", Map.of("statusCode", 200L))
        .doesNotContainKey("ResponseContentBytes");
    assertThat(Json.object(second.results().get("s")))
        .containsEntry("ResponseContentBytes", "AAH/");
    assertThat(second.output()).containsEntry("out", "AAH/");
    assertThat(order(start(plain)).request()).containsEntry("file", true);
  }
}
