package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.openapi.CheckedAnswers;

/** Workers lease jobs over a real connection, lose leases, and end jobs once. */
class JobRoutesIT {
  private static HttpNode http;

  @BeforeAll
  static void start() {
    http = new HttpNode(LiveOptions.DEFAULT);
  }

  @AfterAll
  static void stop() {
    http.close();
  }

  @Test
  void a_worker_leases_a_job_and_its_result_goes_on_in_the_workflow() throws Exception {
    publish("charge", "'payload':" + literal("Object", "{'cents':1290}"));
    var instanceId = started("charge");

    var job = leased("charge", "");
    assertThat(job)
        .containsEntry("type", "charge")
        .containsEntry("payload", Map.of("cents", 1290L))
        .containsEntry("attempt", 1L)
        .containsEntry("definitionId", "charge")
        .containsEntry("workflowInstanceId", instanceId);
    assertThat(lease("charge", "")).as("no other worker gets it").isEmpty();

    var done = end(job, "complete", ",'result':{'receipt':'r-1'}");
    assertThat(done.statusCode()).isEqualTo(200);
    assertThat(status(instanceId)).isEqualTo("Finished");
    assertThat(output(instanceId)).isEqualTo(Map.of("receipt", "r-1"));
  }

  @Test
  void a_result_that_is_sent_again_is_answered_as_at_first_and_another_one_is_refused()
      throws Exception {
    publish("again", "");
    started("again");
    var job = leased("again", "");

    var first = end(job, "complete", ",'result':1");
    assertThat(first.statusCode()).isEqualTo(200);
    var second = end(job, "complete", ",'result':1");
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.body()).isEqualTo(first.body());
    assertLost(end(job, "complete", ",'result':2"));
    assertLost(end(job, "fail", ",'error':'no'"));
    assertLost(heartbeat(job, "PT10S"));
  }

  @Test
  void a_lease_that_somebody_made_up_ends_nothing() throws Exception {
    publish("forged", "");
    var instanceId = started("forged");
    var job = new HashMap<String, @Nullable Object>(leased("forged", ""));
    job.put("lease", UUID.randomUUID().toString());

    assertLost(end(job, "complete", ""));
    assertLost(end(job, "fail", ",'error':'no'"));
    assertLost(heartbeat(job, "PT10S"));
    assertThat(status(instanceId)).isEqualTo("Running");
    job.put("lease", "x");
    assertThat(end(job, "complete", "").statusCode()).isEqualTo(400);
  }

  @Test
  void a_job_whose_lease_expired_goes_to_the_next_worker_and_the_first_result_is_refused()
      throws Exception {
    publish("expires", "");
    var instanceId = started("expires");
    var first = leased("expires", ",'leaseFor':'PT0.2S'");
    var second = leased("expires", ",'wait':'PT10S'");

    assertThat(second).containsEntry("attempt", 2L).containsEntry("key", first.get("key"));
    assertThat(second.get("lease")).isNotEqualTo(first.get("lease"));
    assertLost(end(first, "complete", ",'result':'late'"));
    assertLost(heartbeat(first, "PT10S"));
    assertThat(end(second, "complete", ",'result':'in time'").statusCode()).isEqualTo(200);
    assertThat(output(instanceId)).isEqualTo("in time");
  }

  @Test
  void a_heartbeat_keeps_the_lease() throws Exception {
    publish("beats", "");
    started("beats");
    var job = leased("beats", ",'leaseFor':'PT3S'");
    for (int i = 0; i < 4; i++) { // longer than its lease
      Thread.sleep(1_000);
      var until = json(heartbeat(job, "PT3S")).get("leasedUntil");
      assertThat(Instant.parse(String.valueOf(until))).isAfter(Instant.now());
    }
    assertThat(end(job, "complete", "").statusCode()).isEqualTo(200);
  }

  @Test
  void a_failure_is_repeated_as_the_retry_policy_says_and_is_a_fault_then() throws Exception {
    publish(
        "fails",
        "'customProperties':{'retry':{'attempts':2,'delay':'00:00:00.050','jitter':false}}");
    var instanceId = started("fails");
    assertThat(end(leased("fails", ""), "fail", ",'error':'busy','retryable':true").statusCode())
        .isEqualTo(200);
    var second = leased("fails", ",'wait':'PT10S'");
    assertThat(second).containsEntry("attempt", 2L);
    end(second, "fail", ",'error':'no such card','errorType':'CardUnknown'");

    assertThat(subStatus(instanceId)).isEqualTo("Faulted");
    assertThat(http.get(http.api("/workflow-instances/" + instanceId)).body())
        .contains("CardUnknown", "no such card");
  }

  @Test
  void the_worker_chooses_an_outcome_that_the_activity_has() throws Exception {
    publish("outcomes", "'outcomes':" + literal("String[]", "['Refused']"));
    var refused = started("outcomes");
    assertThat(end(leased("outcomes", ""), "complete", ",'outcome':'Refused'").statusCode())
        .isEqualTo(200);
    assertThat(status(refused)).isEqualTo("Finished");
    var unknown = started("outcomes");
    end(leased("outcomes", ""), "complete", ",'outcome':'Nothing'");
    assertThat(subStatus(unknown)).isEqualTo("Faulted");
  }

  @Test
  void who_waits_is_given_a_job_as_soon_as_there_is_one() throws Exception {
    publish("waited", "");
    var waits =
        CompletableFuture.supplyAsync(() -> {
          try {
            return leased("waited", ",'wait':'PT15S'");
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    Thread.sleep(300);
    long began = System.nanoTime();
    started("waited");
    var job = waits.get();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    end(job, "complete", "");
    began = System.nanoTime();
    assertThat(lease("waited", ",'wait':'PT0.3S'")).isEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(250));
  }

  @Test
  void a_worker_that_hung_up_is_given_nothing() throws Exception {
    publish("gone", "");
    var uri = http.api("/jobs/lease");
    try (var socket = new Socket(uri.getHost(), uri.getPort())) {
      var body = "{\"types\":[\"gone\"],\"worker\":\"w\",\"wait\":\"PT15S\"}";
      var request =
          "POST %s HTTP/1.1\r\nHost: skein.test\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(uri.getPath(), body.length(), body);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      Thread.sleep(300);
    }
    Thread.sleep(200);
    started("gone");
    Thread.sleep(200);
    assertThat(leased("gone", "")).containsEntry("attempt", 1L);
  }

  @Test
  void definitions_take_turns_whoever_has_more_jobs() throws Exception {
    publish("flood", "shared", "");
    publish("trickle", "shared", "");
    for (int i = 0; i < 40; i++) {
      started("flood");
    }
    started("trickle");
    var turns = new HashSet<Object>();
    for (int i = 0; i < 12 && !turns.contains("trickle"); i++) {
      lease("shared", ",'max':2").forEach(job -> turns.add(job.get("definitionId")));
    }
    assertThat(turns).containsExactlyInAnyOrder("flood", "trickle");
  }

  @Test
  void several_workers_never_have_the_same_job() throws Exception {
    publish("several", "");
    for (int i = 0; i < 30; i++) {
      started("several");
    }
    var ids = new ArrayList<Object>();
    var workers = Stream.generate(() -> CompletableFuture.supplyAsync(this::severalTimes)).limit(6);
    workers.toList().forEach(worker -> ids.addAll(worker.join()));
    assertThat(ids).hasSize(30).doesNotHaveDuplicates();
  }

  private List<Object> severalTimes() {
    var ids = new ArrayList<Object>();
    try {
      for (int empty = 0; empty < 5; ) {
        var jobs = lease("several", ",'max':3");
        jobs.forEach(job -> ids.add(job.get("id")));
        empty = jobs.isEmpty() ? empty + 1 : 0;
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return ids;
  }

  @Test
  void the_jobs_are_counted_by_type_and_definition() throws Exception {
    publish("counted", "");
    for (int i = 0; i < 3; i++) {
      started("counted");
    }
    lease("counted", "");
    var queues = items(json(CheckedAnswers.of(http.get(http.api("/jobs")))));
    assertThat(queues)
        .anySatisfy(queue ->
            assertThat(queue)
                .containsEntry("type", "counted")
                .containsEntry("definitionId", "counted")
                .containsEntry("waiting", 2L)
                .containsEntry("leased", 1L)
                .containsKey("oldest"));
  }

  @Test
  void a_job_that_is_cancelled_ends_for_its_worker_too() throws Exception {
    publish("cancelled", "");
    var instanceId = started("cancelled");
    var job = leased("cancelled", ",'leaseFor':'PT0.5S'");
    http.post("/workflow-instances/" + instanceId + "/cancel", "{}");
    assertLost(end(job, "complete", ""));
    assertLost(heartbeat(job, "PT10S"));
  }

  @Test
  void what_is_asked_wrongly_is_refused_by_name() throws Exception {
    for (var body :
        List.of(
            "{'worker':'w'}",
            "{'types':[],'worker':'w'}",
            "{'types':['a/b'],'worker':'w'}",
            "{'types':['a']}",
            "{'types':['a'],'worker':'w','max':0}",
            "{'types':['a'],'worker':'w','max':101}",
            "{'types':['a'],'worker':'w','leaseFor':'PT2H'}",
            "{'types':['a'],'worker':'w','leaseFor':'30'}",
            "{'types':['a'],'worker':'w','wait':'-PT1S'}")) {
      var answer = CheckedAnswers.of(http.post("/jobs/lease", body));
      assertThat(answer.statusCode()).as(body).isEqualTo(400);
      assertThat(json(answer)).as(body).containsEntry("code", "INVALID_REQUEST");
    }
  }

  private static void publish(String id, String members) {
    publish(id, id, members);
  }

  private static void publish(String id, String type, String members) {
    var json =
        """
        {'definitionId':'%s','outputs':[{'name':'Out','type':'Object'}],
         'root':{'type':'Elsa.Sequence','id':'s','activities':[
          {'type':'Skein.Job','id':'job','jobType':%s%s,
           'result':{'typeName':'Object','memoryReference':{'id':'v'}}},
          {'type':'Elsa.SetOutput','id':'out','outputName':%s,
           'outputValue':{'typeName':'Object','expression':{'type':'Variable','value':{'id':'v'}}}}]},
         'variables':[{'id':'v','name':'v','typeName':'Object'}]}
        """
            .formatted(
                id,
                literal("String", "'" + type + "'"),
                members.isEmpty() ? "" : "," + members,
                literal("String", "'Out'"))
            .replace('\'', '"');
    http.node
        .definitions
        .saveAndPublish(JsonText.parseObject(json, JsonLimits.DEFAULT), null)
        .await();
  }

  private static String literal(String type, String value) {
    return "{'typeName':'%s','expression':{'type':'Literal','value':%s}}".formatted(type, value);
  }

  private static String started(String definitionId) throws IOException, InterruptedException {
    var started = http.post("/workflow-instances", "{'definitionId':'" + definitionId + "'}");
    assertThat(started.statusCode()).as(started.body()).isEqualTo(201);
    return String.valueOf(json(started).get("id"));
  }

  private static Map<String, @Nullable Object> instance(String id) throws Exception {
    return json(http.get(http.api("/workflow-instances/" + id)));
  }

  private static String status(String instanceId) throws Exception {
    return String.valueOf(instance(instanceId).get("status"));
  }

  private static String subStatus(String instanceId) throws Exception {
    return String.valueOf(instance(instanceId).get("subStatus"));
  }

  private static @Nullable Object output(String instanceId) throws Exception {
    return instance(instanceId).get("workflowState") instanceof Map<?, ?> state
            && state.get("output") instanceof Map<?, ?> output
        ? output.get("Out")
        : null;
  }

  private static List<Map<String, @Nullable Object>> lease(String type, String members)
      throws IOException, InterruptedException {
    var answer =
        CheckedAnswers.of(
            http.post("/jobs/lease", "{'types':['" + type + "'],'worker':'w1'" + members + "}"));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return items(json(answer));
  }

  private static Map<String, @Nullable Object> leased(String type, String members)
      throws IOException, InterruptedException {
    var jobs = lease(type, members);
    assertThat(jobs).as(type).hasSize(1);
    return jobs.getFirst();
  }

  private static HttpResponse<String> end(
      Map<String, @Nullable Object> job, String action, String members)
      throws IOException, InterruptedException {
    return CheckedAnswers.of(
        http.post(
            "/jobs/" + job.get("id") + "/" + action,
            "{'lease':'" + job.get("lease") + "'" + members + "}"));
  }

  private static HttpResponse<String> heartbeat(Map<String, @Nullable Object> job, String leaseFor)
      throws IOException, InterruptedException {
    return end(job, "heartbeat", ",'leaseFor':'" + leaseFor + "'");
  }

  private static void assertLost(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
    assertThat(json(answer)).containsEntry("code", "JOB_LEASE_LOST");
  }

  private static Map<String, @Nullable Object> json(HttpResponse<String> response) {
    return JsonText.parseObject(response.body(), JsonLimits.DEFAULT);
  }

  private static List<Map<String, @Nullable Object>> items(Map<String, @Nullable Object> page) {
    var items = new ArrayList<Map<String, @Nullable Object>>();
    if (page.get("items") instanceof List<?> list) {
      for (var item : list) {
        var members = new LinkedHashMap<String, @Nullable Object>();
        ((Map<?, ?>) item).forEach((name, value) -> members.put(String.valueOf(name), value));
        items.add(members);
      }
    }
    return items;
  }
}
