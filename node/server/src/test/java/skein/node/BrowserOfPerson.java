package skein.node;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** What a browser does while a person signs in at the OpenID provider. */
record BrowserOfPerson(Http node, RsaIssuer issuer) {
  private static final String OIDC = "/elsa/api/identity/oidc/";
  private static final int SEE_OTHER = 303;

  /** The access token of the cluster that the page gets in the end. */
  String signIn(String name) throws IOException, InterruptedException {
    var login = send("GET", URI.create(OIDC + "login?returnTo=%2Fconsole%2Finstances"), "");
    var asked = URI.create(header(expected(login, SEE_OTHER), "Location"));
    var back = issuer.signIn(asked, name);
    var path = URI.create(back.getRawPath() + "?" + back.getRawQuery());
    var arrived = expected(send("GET", path, cookie(login)), SEE_OTHER);
    var session = expected(send("POST", URI.create(OIDC + "session"), cookie(arrived)), 200);
    return new JsonObject(session.body()).getString("accessToken");
  }

  private HttpResponse<String> send(String method, URI at, String cookie)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(node.base().resolve(at))
            .timeout(node.timeout())
            .method(method, BodyPublishers.noBody());
    if (!cookie.isEmpty()) {
      request.header("Cookie", cookie);
    }
    return node.client().send(request.build(), BodyHandlers.ofString());
  }

  private static HttpResponse<String> expected(HttpResponse<String> answer, int status) {
    if (answer.statusCode() != status) {
      throw new IllegalStateException("Answered " + answer.statusCode() + ": " + answer.body());
    }
    return answer;
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  private static String cookie(HttpResponse<?> answer) {
    return header(answer, "Set-Cookie").replaceAll(";.*", "");
  }
}
