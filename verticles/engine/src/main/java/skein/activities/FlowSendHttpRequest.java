package skein.activities;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Sends an HTTP request; the status code of the answer is an outcome. */
final class FlowSendHttpRequest implements Activity {
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.FlowSendHttpRequest", "HTTP", "Sends an HTTP request.")
          .with(
              HttpCall.URL,
              HttpCall.METHOD,
              HttpCall.CONTENT,
              HttpCall.CONTENT_TYPE,
              HttpCall.AUTHORIZATION,
              HttpCall.UNCHECKED_AUTHORIZATION,
              HttpCall.HEADERS,
              HttpCall.RESILIENCY,
              HttpCall.SECRET_HEADERS,
              KeptSecrets.INPUT,
              HttpCall.EXPECTED)
          .with(
              HttpCall.STATUS_CODE,
              HttpCall.PARSED_CONTENT,
              HttpCall.RESPONSE_HEADERS,
              HttpCall.RESULT)
          .withOutcomes(HttpCall.OUTCOMES)
          .titled("HTTP Request (flow)");

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public @Nullable Collection<String> outcomes(ActivityNode node) {
    return HttpCall.outcomes(node);
  }

  @Override
  public Collection<String> failures(ActivityNode node) {
    return HttpCall.failures(node);
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
    HttpCall.complete(context, answer);
  }
}
