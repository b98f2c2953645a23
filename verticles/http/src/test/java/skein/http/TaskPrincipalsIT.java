package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Users, applications and certificates of one name do not act on each other's tasks. */
class TaskPrincipalsIT {
  private static GuardedServer server;
  private static String admin;
  private static String kim;

  /** The key of an application that is named as the user. */
  private static String robot;

  @BeforeAll
  static void start() throws Exception {
    server = new GuardedServer();
    admin = server.admin();
    kim = server.user("kim", "task-user");
    robot = application("kim", "task-user");
    publish("of-kim", "[\\\"kim\\\"]", "[]");
    publish("of-robot", "[\\\"application:kim\\\"]", "[]");
    publish("of-certificate", "[\\\"certificate:kim\\\"]", "[]");
    publish("of-crew", "[]", "[\\\"task-user\\\"]");
    server.publish(
        """
        {"definitionId":"of-caller","root":{"id":"S","type":"Elsa.Sequence","version":1,
         "variables":[{"id":"Request","name":"Request","typeName":"Object"}],
         "activities":[
          {"id":"E","type":"Elsa.HttpEndpoint","version":1,
           "path":{"typeName":"String","expression":{"type":"Literal","value":"of-caller"}},
           "supportedMethods":{"typeName":"String[]",
            "expression":{"type":"Object","value":"[\\"GET\\"]"}},
           "authorize":{"typeName":"Boolean","expression":{"type":"Literal","value":true}},
           "result":{"typeName":"Object","memoryReference":{"id":"Request"}},
           "customProperties":{"canStartWorkflow":true}},
          {"id":"T","type":"Skein.UserTask","version":1,
           "title":{"typeName":"String","expression":{"type":"Literal","value":"Answer it"}},
           "assignees":{"typeName":"String[]","expression":{"type":"JavaScript",
            "value":"[getVariable('Request').caller.name]"}}}]}}\
        """);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String application(String name, String... roles) throws Exception {
    var body = new JsonObject().put("name", name).put("roles", List.of(roles));
    return "ApiKey " + json(server.post("/identity/applications", admin, body)).getString("apiKey");
  }

  private static void publish(String id, String assignees, String groups) {
    server.publish(
        """
        {"definitionId":"%s","root":{"id":"S","type":"Elsa.Sequence","version":1,"activities":[
         {"id":"T","type":"Skein.UserTask","version":1,
          "title":{"typeName":"String","expression":{"type":"Literal","value":"Look at it"}},
          "assignees":{"typeName":"String[]","expression":{"type":"Object","value":"%s"}},
          "groups":{"typeName":"String[]","expression":{"type":"Object","value":"%s"}}}]}}\
        """
            .formatted(id, assignees, groups));
  }

  private static JsonObject json(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isLessThan(300);
    return new JsonObject(answer.body());
  }

  private static String started(String definitionId) throws Exception {
    var body = new JsonObject().put("definitionId", definitionId);
    return json(server.post("/workflow-instances", admin, body)).getString("id") + "-1";
  }

  private static HttpResponse<String> act(String task, String action, String caller)
      throws Exception {
    return server.post("/user-tasks/" + task + "/" + action, caller, new JsonObject());
  }

  private static String tasks(String caller) throws Exception {
    return json(server.get("/user-tasks", caller)).encode();
  }

  @Test
  void a_task_of_a_user_is_neither_seen_nor_done_by_an_application_of_that_name() throws Exception {
    var task = started("of-kim");

    assertThat(tasks(robot)).doesNotContain(task);
    assertThat(server.get("/user-tasks/" + task, robot).statusCode()).isEqualTo(404);
    assertThat(server.get("/user-tasks?assignee=kim", robot).statusCode()).isEqualTo(403);
    for (var action : List.of("claim", "complete")) {
      assertThat(GuardedServer.code(act(task, action, robot))).isEqualTo("TASK_NOT_YOURS");
    }
    var asKim = new JsonObject().put("user", "kim");
    assertThat(server.post("/user-tasks/" + task + "/complete", robot, asKim).statusCode())
        .isEqualTo(403);

    assertThat(tasks(kim)).contains(task);
    json(act(task, "claim", kim));
    json(act(task, "complete", kim));
  }

  @Test
  void a_task_that_a_user_has_claimed_is_not_given_back_or_done_by_the_application()
      throws Exception {
    var task = started("of-crew");
    json(act(task, "claim", kim));

    for (var action : List.of("claim", "unclaim", "complete")) {
      assertThat(GuardedServer.code(act(task, action, robot))).isEqualTo("TASK_CLAIMED");
    }
    json(act(task, "complete", kim));
  }

  @Test
  void an_application_does_the_tasks_of_its_roles_and_those_assigned_to_it_by_its_own_name()
      throws Exception {
    var ofCrew = started("of-crew");
    var ofRobot = started("of-robot");

    assertThat(tasks(robot)).contains(ofCrew, ofRobot);
    assertThat(tasks(kim)).contains(ofCrew).doesNotContain(ofRobot);
    assertThat(json(server.get("/user-tasks?assignee=application:kim", robot)).encode())
        .contains(ofRobot);
    assertThat(server.get("/user-tasks/" + ofRobot, kim).statusCode()).isEqualTo(404);
    assertThat(GuardedServer.code(act(ofRobot, "claim", kim))).isEqualTo("TASK_NOT_YOURS");
    for (var task : List.of(ofCrew, ofRobot)) {
      json(act(task, "claim", robot));
      assertThat(json(server.get("/user-tasks/" + task, robot)).getString("claimedBy"))
          .isEqualTo("application:kim");
      json(act(task, "complete", robot));
    }
  }

  @Test
  void an_application_that_may_act_for_all_names_the_user() throws Exception {
    var agent = application("agent", "operator");
    var task = started("of-kim");
    var asKim = new JsonObject().put("user", "kim");

    json(server.post("/user-tasks/" + task + "/claim", agent, asKim));

    assertThat(json(server.get("/user-tasks/" + task, kim)).getString("claimedBy"))
        .isEqualTo("kim");
    json(server.post("/user-tasks/" + task + "/complete", agent, asKim));
  }

  @Test
  void a_task_of_a_certificate_is_for_no_user_and_no_application_of_that_name() throws Exception {
    var task = started("of-certificate");

    for (var other : List.of(kim, robot)) {
      assertThat(tasks(other)).doesNotContain(task);
      assertThat(GuardedServer.code(act(task, "claim", other))).isEqualTo("TASK_NOT_YOURS");
    }
  }

  @Test
  void a_task_for_the_caller_of_an_endpoint_is_that_of_the_caller_and_of_no_namesake()
      throws Exception {
    var endpoint = server.at("/workflows/of-caller");

    assertThat(server.send("GET", endpoint, robot, null).statusCode()).isLessThan(300);
    assertThat(tasks(robot)).contains("Answer it");
    assertThat(tasks(kim)).doesNotContain("Answer it");

    assertThat(server.send("GET", endpoint, kim, null).statusCode()).isLessThan(300);
    assertThat(tasks(kim)).contains("Answer it");
  }

  @Test
  void no_user_has_a_name_that_programs_have_for_tasks() throws Exception {
    var names =
        List.of(
            "application:kim",
            "Application:kim",
            "APPLICATION:",
            "certificate:kim",
            "Certificate:kim");
    for (var name : names) {
      var refused = server.post("/identity/users", admin, new JsonObject().put("name", name));

      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
      assertThat(GuardedServer.code(refused)).isEqualTo("INVALID_ID");
    }
    json(server.post("/identity/users", admin, new JsonObject().put("name", "application")));
  }
}
