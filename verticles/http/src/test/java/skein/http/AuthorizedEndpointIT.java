package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Endpoints of workflows that ask callers who they are. */
class AuthorizedEndpointIT {
  private static GuardedServer server;
  private static String viewer;
  private static String designer;

  @BeforeAll
  static void start() throws Exception {
    server = new GuardedServer();
    viewer = server.user("vera", "viewer");
    designer = server.user("dora", "designer");
    publish("open", "open", "");
    publish("known", "known", ",\"authorize\":" + literal("Boolean", "true"));
    publish(
        "policed",
        "policed",
        ",\"authorize\":%s,\"policy\":%s"
            .formatted(literal("Boolean", "true"), literal("String", "\"designer\"")));
    server.publish(waiting());
  }

  private static String literal(String type, String value) {
    return "{\"typeName\":\"%s\",\"expression\":{\"type\":\"Literal\",\"value\":%s}}"
        .formatted(type, value);
  }

  private static String endpoint(String id, String path, String more, boolean starts) {
    return """
    {"id":"%s","type":"Elsa.HttpEndpoint","version":1,"path":%s,"supportedMethods":%s%s,
     "customProperties":{"canStartWorkflow":%s}}\
    """
        .formatted(
            id,
            literal("String", "\"" + path + "\""),
            literal("String[]", "[\"GET\",\"POST\"]"),
            more,
            starts);
  }

  private static void publish(String definitionId, String path, String more) {
    server.publish(
        """
        {"definitionId":"%s","root":{"id":"S","type":"Elsa.Sequence","version":1,"activities":[
         %s,
         {"id":"R","type":"Elsa.WriteHttpResponse","version":1,"content":%s}]}}\
        """
            .formatted(
                definitionId, endpoint("E", path, more, true), literal("String", "\"hello\"")));
  }

  private static String waiting() {
    return """
    {"definitionId":"waits","root":{"id":"S","type":"Elsa.Sequence","version":1,"activities":[
     %s,
     {"id":"R","type":"Elsa.WriteHttpResponse","version":1,"content":%s}]}}\
    """
        .formatted(
            endpoint(
                "E",
                "waits/here",
                ",\"authorize\":%s,\"policy\":%s"
                    .formatted(literal("Boolean", "true"), literal("String", "\"designer\"")),
                false),
            literal("String", "\"went on\""));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<String> call(String path, @Nullable String authorization)
      throws Exception {
    return server.send("GET", server.at("/workflows/" + path), authorization, null);
  }

  @Test
  void an_endpoint_that_does_not_ask_is_open_and_looks_at_no_credential() throws Exception {
    assertThat(call("open", null).body()).isEqualTo("hello");
    assertThat(call("open", "Bearer of-somebody-else").body()).isEqualTo("hello");
  }

  @Test
  void an_endpoint_that_asks_lets_in_whoever_is_known() throws Exception {
    assertThat(call("known", viewer).body()).isEqualTo("hello");

    var nobody = call("known", null);
    assertThat(nobody.statusCode()).isEqualTo(401);
    assertThat(nobody.headers().firstValue("WWW-Authenticate")).isPresent();
    assertThat(call("known", "Bearer a.b.c").statusCode()).isEqualTo(401);
  }

  @Test
  void a_policy_is_a_role_or_a_permission_that_the_caller_has() throws Exception {
    assertThat(call("policed", designer).body()).isEqualTo("hello");
    assertThat(call("policed", server.admin()).body()).isEqualTo("hello");

    var refused = call("policed", viewer);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("\"FORBIDDEN\"", "designer");
  }

  @Test
  void whoever_is_refused_has_started_nothing() throws Exception {
    call("policed", viewer);
    call("policed", null);

    var list =
        server.get("/workflow-instances?definitionId=policed&status=Running", server.admin());

    assertThat(new JsonObject(list.body()).getInteger("totalCount")).isZero();
  }

  @Test
  void an_instance_that_waits_for_known_callers_goes_on_waiting_for_others() throws Exception {
    var started =
        server.post(
            "/workflow-instances", server.admin(), new JsonObject().put("definitionId", "waits"));
    assertThat(started.statusCode()).as(started.body()).isEqualTo(201);

    assertThat(call("waits/here", null).statusCode()).isEqualTo(401);
    assertThat(call("waits/here", viewer).statusCode()).isEqualTo(403);
    var done = call("waits/here", designer);

    assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
    assertThat(done.body()).isEqualTo("went on");
    assertThat(call("waits/here", designer).statusCode()).isEqualTo(404);
  }

  @Test
  void an_answer_that_is_kept_for_a_known_caller_is_given_to_nobody_else() throws Exception {
    assertThat(keyed(designer).body()).isEqualTo("hello");
    assertThat(keyed(designer).body()).isEqualTo("hello");

    for (var other : Arrays.asList(null, viewer, "Bearer a.b.c")) {
      var refused = keyed(other);
      assertThat(refused.statusCode()).isEqualTo(422);
      assertThat(GuardedServer.code(refused)).isEqualTo("IDEMPOTENCY_KEY_REUSED");
    }
  }

  private static HttpResponse<String> keyed(@Nullable String authorization) throws Exception {
    var request =
        HttpRequest.newBuilder(server.at("/workflows/policed"))
            .header("Idempotency-Key", "\"a-key-of-an-endpoint\"");
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return GuardedServer.CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void where_nobody_is_asked_an_endpoint_that_asks_lets_nobody_in() throws Exception {
    var open = server.deploy(Security.OPEN);
    var at =
        server.at("/workflows/known").toString().replace(":" + server.port(), ":" + open.port());

    var refused = server.send("GET", URI.create(at), viewer, null);

    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.body()).contains("security.mode");
  }
}
