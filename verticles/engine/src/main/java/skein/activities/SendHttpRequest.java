package skein.activities;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.FindingCode;

/** Sends an HTTP request and runs the activity that is embedded for its outcome. */
final class SendHttpRequest implements Activity {
  private static final Input STATUS_CODES =
      Input.raw("ExpectedStatusCodes", "HttpStatusCodeCase[]")
          .edited(Editor.STATUS_CODES)
          .described("Status codes, each with the activity that runs after it.");
  private static final Port CASES = Port.cases("expectedStatusCodes", "activity");
  private static final Port UNMATCHED = Port.of("unmatchedStatusCode");
  private static final Port FAILED_TO_CONNECT = Port.of("failedToConnect");
  private static final Port TIMEOUT = Port.of("timeout");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.SendHttpRequest", "HTTP", "Sends an HTTP request.")
          .with(
              STATUS_CODES,
              HttpCall.URL,
              HttpCall.METHOD,
              HttpCall.CONTENT,
              HttpCall.CONTENT_TYPE,
              HttpCall.AUTHORIZATION,
              HttpCall.UNCHECKED_AUTHORIZATION,
              HttpCall.HEADERS,
              HttpCall.RESILIENCY,
              HttpCall.SECRET_HEADERS,
              KeptSecrets.INPUT)
          .with(
              HttpCall.STATUS_CODE,
              HttpCall.PARSED_CONTENT,
              HttpCall.RESPONSE_HEADERS,
              HttpCall.RESULT)
          .with(CASES, UNMATCHED, FAILED_TO_CONNECT, TIMEOUT)
          .titled("HTTP Request");

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  /** Without an activity for it, a failure is taken for success. */
  @Override
  public void review(ActivityNode node, Warnings warnings) {
    var unhandled = new ArrayList<String>();
    if (!Json.list(node.raw(CASES.property())).isEmpty() && node.child(UNMATCHED) == null) {
      unhandled.add(UNMATCHED.property());
    }
    for (var port : List.of(FAILED_TO_CONNECT, TIMEOUT)) {
      if (node.child(port) == null) {
        unhandled.add(port.property());
      }
    }
    if (!unhandled.isEmpty()) {
      warnings.add(
          node,
          FindingCode.UNHANDLED_FAILURE,
          "",
          "it continues as if it had succeeded when it fails: give an activity for "
              + String.join(", ", unhandled),
          null);
    }
  }

  @Override
  public void execute(ActivityContext context) {
    context.perform(HttpCall.order(context, HttpCall.CONTENT, HttpCall.CONTENT_TYPE, false));
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    var answer = HttpCall.answer(context, resumption);
    HttpCall.outputs(context, answer);
    context.output(HttpCall.PARSED_CONTENT, answer.value().get("content"));
    context.output(HttpCall.RESULT, answer.value());
    var next = next(context.node(), answer);
    if (next == null) {
      context.complete();
    } else {
      context.schedule(next);
    }
  }

  private static @Nullable ActivityNode next(ActivityNode node, HttpCall.Answer answer) {
    if (answer.failure() != null) {
      return node.child(answer.failure().equals(HttpCall.TIMEOUT) ? TIMEOUT : FAILED_TO_CONNECT);
    }
    var cases = Json.list(node.raw(CASES.property()));
    for (var i = 0; i < cases.size(); i++) {
      var expected = Json.object(cases.get(i));
      if (expected != null && matches(expected.get("statusCode"), answer.status())) {
        return node.child(CASES, i);
      }
    }
    return node.child(UNMATCHED);
  }

  private static boolean matches(@Nullable Object expected, int status) {
    return expected != null && expected.toString().strip().equals(String.valueOf(status));
  }
}
