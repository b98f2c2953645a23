package skein.activities;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Fetches a file. It is given as {@code {filename, contentType, size, content}} with the content in
 * Base64.
 */
final class DownloadHttpFile implements Activity {
  private static final Output FILE = new Output("Result", "HttpFile");
  private static final Output RESPONSE = new Output("Response", "HttpResponseMessage");
  private static final Output STREAM =
      new Output("ResponseContentStream", "Stream").described("The file, in Base64.");
  private static final Output BYTES =
      new Output("ResponseContentBytes", "ByteArray").described("The file, in Base64.");
  private static final Output CONTENT_HEADERS =
      new Output("ResponseContentHeaders", "HttpHeaders")
          .titled("Content Headers")
          .described("Headers that tell of the file.");
  private static final Input METHOD =
      Input.of("Method", "String", "GET")
          .oneOf("GET", "POST", "PUT")
          .described("The method of the request.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.DownloadHttpFile", "HTTP", "Downloads a file.")
          .with(
              HttpCall.URL.titled("URL"),
              METHOD,
              HttpCall.EXPECTED.ordered(0),
              HttpCall.REQUEST_CONTENT,
              HttpCall.REQUEST_CONTENT_TYPE,
              HttpCall.AUTHORIZATION.ordered(0),
              HttpCall.UNCHECKED_AUTHORIZATION.ordered(0),
              HttpCall.HEADERS.ordered(0),
              HttpCall.SECRET_HEADERS,
              KeptSecrets.INPUT)
          .with(
              RESPONSE,
              HttpCall.STATUS_CODE,
              STREAM,
              BYTES,
              HttpCall.RESPONSE_HEADERS,
              CONTENT_HEADERS,
              FILE)
          .withOutcomes(HttpCall.OUTCOMES)
          .titled("Download File");

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
    context.perform(
        HttpCall.order(context, HttpCall.REQUEST_CONTENT, HttpCall.REQUEST_CONTENT_TYPE, true));
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    var answer = HttpCall.answer(context, resumption);
    HttpCall.outputs(context, answer);
    var file = Json.object(answer.value().get("file"));
    if (file != null) {
      context.output(FILE, file);
      // The content is large: further copies are made only where the definition uses them.
      for (var output : new Output[] {STREAM, BYTES}) {
        if (context.node().boundTo(output) != null) {
          context.output(output, file.get("content"));
        }
      }
      context.output(
          CONTENT_HEADERS,
          Json.members(
              "Content-Type", file.get("contentType"), "Content-Length", file.get("size")));
    }
    var response = Json.members();
    response.putAll(answer.value());
    response.remove("file");
    context.output(RESPONSE, response);
    HttpCall.complete(context, answer);
  }
}
