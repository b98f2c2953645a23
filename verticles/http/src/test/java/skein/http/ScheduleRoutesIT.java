package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.execution.OneNode;
import skein.openapi.CheckedAnswers;

/** Schedules over a real connection, with one node and a PostgreSQL behind it. */
class ScheduleRoutesIT {
  private static final String SCHEDULES = "/elsa/api/schedules";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static OneNode node;
  private static HttpVerticle verticle;

  @BeforeAll
  static void start() {
    node = new OneNode();
    var readiness = new Readiness();
    var options =
        HttpOptions.of(
            new HttpOptions.Listener("127.0.0.1", 0, URI.create("http://skein.test/"), 100),
            new HttpOptions.Timeouts(
                Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(1)),
            new HttpOptions.BodyLimits(JsonLimits.DEFAULT, UploadLimits.DEFAULT));
    verticle = new HttpVerticle(HttpFixture.dependencies(node, readiness), options);
    node.vertx.deployVerticle(verticle).await();
    readiness.advanceTo(Readiness.Phase.READY);
    node.publish(
        "{'definitionId':'report','root':{'type':'Elsa.WriteLine','id':'w','text':'hi'}}"
            .replace('\'', '"'));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private record Response(HttpResponse<String> http, Map<String, @Nullable Object> json) {
    int status() {
      return http.statusCode();
    }

    @Nullable Object get(String name) {
      return json.get(name);
    }

    String etag() {
      return http.headers().firstValue("ETag").orElseThrow();
    }
  }

  private static Response send(String method, String path, @Nullable String body, String... headers)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + verticle.port() + SCHEDULES + path))
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body.replace('\'', '"')));
    if (headers.length > 0) {
      request.headers(headers);
    }
    var response = CheckedAnswers.of(CLIENT.send(request.build(), BodyHandlers.ofString()));
    return new Response(
        response,
        response.body().isEmpty()
            ? Map.of()
            : JsonText.parseObject(response.body(), JsonLimits.STORED));
  }

  private static Response create(String id) throws Exception {
    return send(
        "POST",
        "",
        "{'id':'%s','definitionId':'report','cron':'0 30 2 * * ?','timeZone':'Europe/Berlin'}"
            .formatted(id));
  }

  @Test
  void a_schedule_is_made_shown_changed_and_removed() throws Exception {
    var made = create("nightly");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.http().headers().firstValue("Location")).hasValue(SCHEDULES + "/nightly");
    assertThat(made.json())
        .containsEntry("status", "Active")
        .containsEntry("misfirePolicy", "FireOnce")
        .containsEntry("overlapPolicy", "Allow")
        .containsEntry("revision", 1L);
    assertThat(create("nightly").get("code")).isEqualTo("SCHEDULE_EXISTS");

    var read = send("GET", "/nightly", null);
    assertThat(read.etag()).isEqualTo("\"1\"");
    var sent = JsonText.print(read.json()).replace("0 30 2", "0 45 2");
    var changed = send("PUT", "/nightly", sent, "If-Match", read.etag());
    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.json()).containsEntry("cron", "0 45 2 * * ?").containsEntry("revision", 2L);
    var stale = send("PUT", "/nightly", sent, "If-Match", read.etag());
    assertThat(stale.status()).isEqualTo(412);
    assertThat(stale.get("code")).isEqualTo("SCHEDULE_CHANGED");
    assertThat(send("PUT", "/nightly", sent).status()).isEqualTo(412);

    assertThat(send("DELETE", "/nightly?revision=1", null).status()).isEqualTo(412);
    assertThat(send("DELETE", "/nightly", null).status()).isEqualTo(204);
    var gone = send("GET", "/nightly", null);
    assertThat(gone.status()).isEqualTo(404);
    assertThat(gone.get("code")).isEqualTo("SCHEDULE_NOT_FOUND");
  }

  @Test
  void it_is_paused_with_a_note_resumed_triggered_and_listed() throws Exception {
    create("listed");

    var paused = send("POST", "/listed/pause", "{'note':'holiday'}");
    assertThat(paused.json())
        .containsEntry("status", "Paused")
        .containsEntry("note", "holiday")
        .containsEntry("nextAt", null);
    var triggered = send("POST", "/listed/trigger", "{'input':{'a':1}}", "Idempotency-Key", "k");
    var again = send("POST", "/listed/trigger", "{'input':{'a':1}}", "Idempotency-Key", "k");
    assertThat(triggered.get("outcome")).isEqualTo("Started");
    assertThat(again.get("workflowInstanceId")).isEqualTo(triggered.get("workflowInstanceId"));
    var all = send("GET", "?definitionId=report&paused=true", null);
    assertThat(all.get("totalCount")).isEqualTo(1L);
    assertThat((List<?>) all.get("items")).hasSize(1);
    assertThat(send("POST", "/listed/resume", null).json()).containsEntry("status", "Active");
    assertThat(send("GET", "?paused=true", null).get("totalCount")).isEqualTo(0L);
  }

  @Test
  void the_next_instants_are_listed_of_one_that_is_stored_and_of_one_that_is_not()
      throws Exception {
    create("next");

    var next = send("GET", "/next/next?count=3&from=2026-03-28T00:00Z", null);
    assertThat(String.valueOf(next.get("items")))
        .contains("at=2026-03-28T01:30:00Z", "at=2026-03-29T01:00:00Z", "at=2026-03-30T00:30:00Z")
        .contains("local=2026-03-29T03:00+02:00");
    var preview =
        send(
            "POST",
            "/preview",
            "{'interval':'PT15M','anchor':'2026-01-01T00:00Z','from':'2026-01-01T00:00Z','count':2}");
    assertThat(preview.status()).isEqualTo(200);
    assertThat(String.valueOf(preview.get("items")))
        .contains("at=2026-01-01T00:00:00Z", "at=2026-01-01T00:15:00Z")
        .doesNotContain("00:30");
  }

  @Test
  void a_range_is_backfilled_once() throws Exception {
    create("fill");
    var range = "{'from':'2026-03-28','to':'2026-03-31','max':2}";

    var first = send("POST", "/fill/backfill", range);
    var second = send("POST", "/fill/backfill", range);
    var rest = send("POST", "/fill/backfill", "{'from':'2026-03-28','to':'2026-03-31'}");

    assertThat(first.json()).containsEntry("started", 2L).containsEntry("more", true);
    assertThat(second.json()).containsEntry("started", 0L).containsEntry("existing", 2L);
    assertThat(rest.json())
        .containsEntry("started", 1L)
        .containsEntry("existing", 2L)
        .containsEntry("more", false);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "POST | | {'definitionId':'report'}                              | 400 | SCHEDULE_INVALID",
        "POST | | {'definitionId':'report','cron':'0 0 25 * * ?'}        | 400 | SCHEDULE_INVALID",
        "POST | | {'definitionId':'report','cron':'0 * * * *','zone':'x'} | 400 | SCHEDULE_INVALID",
        "POST | | {'definitionId':'report','dates':['2020-01-01']}       | 400 | SCHEDULE_INVALID",
        "POST | | {'definitionId':'report','cron':'0 0 0 30 2 ?'}        | 400 | SCHEDULE_INVALID",
        "POST | | {'definitionId':'nobody','cron':'0 * * * *'}           | 404 | DEFINITION_NOT_PUBLISHED",
        "POST | | {'cron':'0 * * * *'}                                   | 400 | INVALID_REQUEST",
        "POST | | {'id':'a b','definitionId':'report','cron':'0 * * * *'} | 400 | INVALID_ID",
        "POST | | {                                                      | 400 | INVALID_JSON",
        "GET  | /nobody                    |                             | 404 | SCHEDULE_NOT_FOUND",
        "PUT  | /nobody | {'definitionId':'report','cron':'0 * * * *'}   | 404 | SCHEDULE_NOT_FOUND",
        "POST | /nobody/pause    | {}                                    | 404 | SCHEDULE_NOT_FOUND",
        "POST | /nobody/resume   | {}                                    | 404 | SCHEDULE_NOT_FOUND",
        "POST | /nobody/trigger  | {}                                    | 404 | SCHEDULE_NOT_FOUND",
        "POST | /nobody/backfill | {'from':'2026-01-01','to':'2026-01-02'} | 404 | SCHEDULE_NOT_FOUND",
        "POST | /preview         | {'cron':'x'}                          | 400 | SCHEDULE_INVALID",
        "POST | /preview         | {'cron':'0 * * * *','count':0}        | 400 | INVALID_REQUEST",
        "DELETE | /nobody        |                                       | 404 | SCHEDULE_NOT_FOUND",
      })
  void what_cannot_be_done_is_told_with_its_code(
      String method, @Nullable String path, @Nullable String body, int status, String code)
      throws Exception {
    var refused = send(method, path == null ? "" : path, body);

    assertThat(refused.status()).isEqualTo(status);
    assertThat(refused.get("code")).isEqualTo(code);
    assertThat(refused.http().headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/problem+json");
  }
}
