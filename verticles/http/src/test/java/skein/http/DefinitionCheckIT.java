package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.activities.Json;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.execution.OneNode;
import skein.openapi.CheckedAnswers;

/** What is wrong with definitions, as callers of the API are told. */
class DefinitionCheckIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String DEFINITIONS = "/elsa/api/workflow-definitions";
  private static final String MISSPELT =
      "{'definitionId':'%s','root':{'type':'Elsa.WriteLine','id':'w','txt':'Hello'}}";
  private static final String REFUSED =
      "{'definitionId':'%s','root':{'type':'Elsa.WriteLine','id':'w','text':'Hello',"
          + "'customProperties':{'timeout':'20s'}}}";

  private static OneNode node;
  private static HttpVerticle verticle;

  @BeforeAll
  static void start() {
    node = new OneNode();
    var readiness = new Readiness();
    verticle = new HttpVerticle(HttpFixture.dependencies(node, readiness), HttpFixture.options());
    node.vertx.deployVerticle(verticle).await();
    readiness.advanceTo(Readiness.Phase.READY);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private record Response(int status, Map<String, @Nullable Object> json) {
    /** Each as {@code severity code activity path suggestion}. */
    List<String> findings(String member) {
      var all = new ArrayList<String>();
      for (var item : Json.list(json.get(member))) {
        var finding = Json.object(item);
        assertThat(finding).isNotNull();
        all.add(
            "%s %s %s %s %s"
                .formatted(
                    finding.get("severity"),
                    finding.get("code"),
                    finding.get("activityId"),
                    finding.get("path"),
                    finding.get("suggestion")));
      }
      return all;
    }
  }

  private static Response send(String method, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + verticle.port() + path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body.replace('\'', '"')))
            .build();
    var response = CheckedAnswers.of(CLIENT.send(request, BodyHandlers.ofString()));
    return new Response(
        response.statusCode(), JsonText.parseObject(response.body(), JsonLimits.DEFAULT));
  }

  private static Response post(String path, String body) throws Exception {
    return send("POST", DEFINITIONS + path, body);
  }

  @Test
  void validating_says_what_is_wrong_and_saves_nothing() throws Exception {
    var checked = post("/validate", MISSPELT.formatted("checked"));

    assertThat(checked.json()).containsEntry("valid", true).containsEntry("warnings", 1L);
    assertThat(checked.findings("findings"))
        .containsExactly("warning UNKNOWN_INPUT w /root/txt text");
    assertThat(post("/validate?strict=true", MISSPELT.formatted("checked")).json())
        .containsEntry("valid", false);
    assertThat(post("/validate", REFUSED.formatted("checked")).findings("findings"))
        .containsExactly("error INVALID_POLICY w /root/customProperties/timeout null");
    assertThat(send("GET", DEFINITIONS + "/checked", "").status()).isEqualTo(404);
  }

  @Test
  void validating_says_what_saving_would_refuse() throws Exception {
    var twice = "{'definitionId':'x','root':{'type':'Elsa.WriteLine','id':'w','text':1,'Text':2}}";

    var checked = post("/validate", "{'model':" + twice + "}");

    assertThat(checked.status()).isEqualTo(200);
    assertThat(checked.json()).containsEntry("valid", false).containsEntry("errors", 1L);
    assertThat(checked.findings("findings")).containsExactly("error INVALID_DOCUMENT null  null");
  }

  @Test
  void saving_and_publishing_answer_with_warnings() throws Exception {
    var body = "{'model':" + MISSPELT.formatted("warned") + ",'publish':%s}";

    var saved = post("", body.formatted("false"));
    var published = post("/warned/publish", "");

    assertThat(saved.findings("validationErrors"))
        .isEqualTo(published.findings("validationErrors"))
        .containsExactly("warning UNKNOWN_INPUT w /root/txt text");
    assertThat(published.status()).isEqualTo(200);
  }

  @Test
  void a_draft_is_saved_with_its_errors_and_not_published() throws Exception {
    var saved = post("", "{'model':" + REFUSED.formatted("draft") + "}");
    var refused = post("/draft/publish", "");

    assertThat(saved.status()).isEqualTo(200);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json()).containsEntry("code", "DEFINITION_INVALID");
    assertThat(saved.findings("validationErrors"))
        .isEqualTo(refused.findings("validationErrors"))
        .containsExactly("error INVALID_POLICY w /root/customProperties/timeout null");
  }

  @Test
  void strict_publishing_refuses_warnings() throws Exception {
    var body = "{'model':" + MISSPELT.formatted("strict") + ",'publish':true}";

    var refused = post("?strict=true", body);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.findings("validationErrors"))
        .containsExactly("warning UNKNOWN_INPUT w /root/txt text");
    assertThat(String.valueOf(refused.json().get("detail"))).contains("strict=true");
    assertThat(post("/strict/publish?strict=true", "").status()).isEqualTo(400);
    assertThat(send("PUT", DEFINITIONS + "/strict?strict=true", body).status()).isEqualTo(400);
    assertThat(post("/strict/publish", "").status()).isEqualTo(200);
  }
}
