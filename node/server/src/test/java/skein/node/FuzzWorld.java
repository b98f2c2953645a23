package skein.node;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * What is there to be asked for: definitions, and instances of them that wait, under ids that are
 * the same in every run; and what a request of each route says when it is valid.
 */
final class FuzzWorld {
  private static final Path DOCUMENTS =
      Path.of("../../verticles/engine/src/test/resources/skein/conformance/definitions");

  private static final int INSTANCES_OF_EACH = 3;
  private static final int PUBLISHED_AGAIN_MAX = 3;
  private static final String API = "/elsa/api";

  /** Waits for a task of a user, with a form. */
  private static final String USER_TASK =
      """
      {'definitionId':'fuzz-user','name':'fuzz-user','root':{'type':'Elsa.Sequence','id':'s','activities':[
        {'type':'Skein.UserTask','id':'check','title':'Check it','assignees':['ann'],'groups':['g'],
         'outcomes':['Approve','Reject'],'dueDate':'PT2H','data':{'amount':5},
         'form':{'type':'object','required':['amount'],'properties':{'amount':{'type':'integer','minimum':1},
           'note':{'type':'string','pattern':'^[a-z ]*$','maxLength':20},'day':{'format':'date'},
           'items':{'type':'array','uniqueItems':true,'items':{'type':'string'}}}}}]}}
      """;

  /** Answers {@code /workflows/fuzz/answer/{id}}. */
  private static final String ENDPOINT =
      """
      {'definitionId':'fuzz-answer','name':'fuzz-answer','root':{'type':'Elsa.Sequence','id':'s','activities':[
        {'type':'Elsa.HttpEndpoint','id':'in','customProperties':{'canStartWorkflow':true},
         'path':{'typeName':'String','expression':{'type':'Literal','value':'fuzz/answer/{id}'}},
         'supportedMethods':{'typeName':'String[]','expression':{'type':'Object','value':'["GET","POST","PUT"]'}}},
        {'type':'Elsa.WriteHttpResponse','id':'out',
         'content':{'typeName':'Object','expression':{'type':'JavaScript','value':'({id: 1, list: [1, 2]})'}}}]}}
      """;

  private static final List<String> BASE =
      List.of("fuzz-approval", "fuzz-task", "fuzz-user", "fuzz-nap", "fuzz-answer", "fuzz-lines");

  private static final Map<String, String> PARAMETERS = new HashMap<>();

  /** By the end of the method and path, the first that fits. */
  private static final List<Map.Entry<Pattern, List<String>>> BODIES = new ArrayList<>();

  private static void body(String route, String... bodies) {
    var pattern = Pattern.compile(route.replace("*", ".*"));
    BODIES.add(Map.entry(pattern, List.of(bodies)));
  }

  static {
    PARAMETERS.put("definitionId", "$DEFINITION");
    PARAMETERS.put("bookmarkId", "$BOOKMARK");
    PARAMETERS.put("taskId", "$TASK");
    PARAMETERS.put("activityId", "$ACTIVITY");
    PARAMETERS.put("eventName", "FuzzGo");
    PARAMETERS.put("version", "1");
    PARAMETERS.put("typeName", "Elsa.WriteLine");
    PARAMETERS.put("propertyName", "text");
    PARAMETERS.put("fullName", "Elsa.Workflows");
    PARAMETERS.put("node", "n1");
    PARAMETERS.put("token", "$TOKEN");
    body(
        "(POST|PUT) /elsa/api/workflow-definitions(/:definitionId)?(/import)?|PUT"
            + " /elsa/api/workflow-definitions/import",
        "{'model':$DOCUMENT,'publish':true}",
        "$DOCUMENT",
        "{'model':$DOCUMENT,'publish':false}");
    body(
        "POST /elsa/api/workflow-instances",
        "{'definitionId':'$DEFINITION','input':{'a':1,'b':['c']},'instanceId':'$INSTANCE',"
            + "'correlationId':'c1','name':'n','versionOptions':'Published'}",
        "{'definitionIds':['$DEFINITION'],'page':0,'pageSize':10,'status':'Running','subStatus':"
            + "'Suspended','hasIncidents':false,'searchTerm':'fuzz','orderBy':'Created',"
            + "'orderDirection':'Descending','timestampFilters':[{'column':'CreatedAt','operator':"
            + "'GreaterThan','timestamp':'2026-01-01T00:00:00Z'}]}");
    body(
        "*/workflow-instances/:id/resume",
        "{'bookmarkId':'$BOOKMARK','input':{'a':1}}",
        "{'input':{'action':'retry'}}");
    body("POST */tokens", "{'expiresIn':60}", "{'expiresIn':'PT15M'}");
    body(
        "*/bulk-actions/cancel/*",
        "{'ids':['$INSTANCE']}",
        "{'definitionId':'$DEFINITION','versionOptions':'AllVersions'}",
        "{'definitionVersionId':'$VERSION'}");
    body(
        "*/bulk-actions/delete/workflow-instances*",
        "{'ids':['$INSTANCE']}",
        "{'workflowDefinitionIds':['$DEFINITION']}");
    body(
        "*/bulk-actions/export/workflow-instances",
        "{'ids':['$INSTANCE','$INSTANCE'],'includeBookmarks':true,"
            + "'includeActivityExecutionLog':true,'includeWorkflowExecutionLog':true}");
    body("*/workflow-instances/:id/export", "{'includeBookmarks':true}");
    body("*/bulk-actions/import/workflow-instances", "$EXPORTED");
    body(
        "*/events/:eventName/trigger",
        "{'correlationId':'c1','workflowInstanceId':'$INSTANCE','input':{'a':1},"
            + "'workflowExecutionMode':'Synchronous'}",
        "{'activityInstanceId':'$EXECUTION'}",
        "{}");
    body("*/tasks/:taskId/complete", "{'result':{'ok':true}}");
    body("*/(un)?claim", "{'user':'ann','groups':['g']}");
    body("*/assign", "{'user':'ann','to':{'assignees':['bob'],'groups':['g']}}");
    body(
        "*/user-tasks/:id/complete",
        "{'user':'ann','groups':['g'],'result':{'amount':5,'note':'a b','day':'2026-01-01',"
            + "'items':['a','b']},'outcome':'Approve'}");
    body("*/schedules/:id/pause", "{'note':'later'}");
    body(
        "*/schedules/:id/backfill",
        "{'from':'2026-01-01T00:00:00Z','to':'2026-01-01T05:00:00Z','max':3}");
    body(
        "*/schedules*",
        "{'id':'$SCHEDULE','definitionId':'$DEFINITION','cron':'0 3 * * *','timeZone':"
            + "'Europe/Berlin','input':{'a':1},'startAt':'2026-01-01T00:00:00Z','endAt':"
            + "'2036-01-01T00:00:00Z','jitter':'PT1M','misfirePolicy':'Skip','overlapPolicy':'Skip',"
            + "'correlationId':'c1','count':5,'from':'2026-01-01T00:00:00Z'}",
        "{'id':'$SCHEDULE','definitionId':'$DEFINITION','interval':'PT6H','anchor':"
            + "'2026-01-01T00:00:00Z','catchUpMax':3,'paused':true,'note':'n'}",
        "{'id':'$SCHEDULE','definitionId':'$DEFINITION','dates':['2036-01-01T00:00:00Z',"
            + "'2036-01-02T00:00:00Z'],'revision':1}");
    body(
        "*/alterations/(run|submit|dry-run)",
        "{'alterations':[{'type':'ModifyVariable','variableId':'R','value':1}],"
            + "'workflowInstanceIds':['$INSTANCE'],'filter':{'workflowInstanceIds':['$INSTANCE']}}",
        "{'alterations':[{'type':'Migrate','targetVersion':2,'activities':{'a':'b'}},"
            + "{'type':'Cancel'}],'workflowInstanceIds':['$INSTANCE'],'filter':{'definitionIds':"
            + "['$DEFINITION'],'statuses':['Running'],'subStatuses':['Suspended'],'names':['n'],"
            + "'correlationIds':['c1'],'searchTerm':'a','hasIncidents':true}}",
        "{'alterations':[{'type':'ScheduleActivity','activityId':'$ACTIVITY'},{'type':"
            + "'CancelActivity','activityInstanceId':'$EXECUTION'},{'type':'Retry','activityIds':"
            + "['$ACTIVITY']}],'workflowInstanceIds':['$INSTANCE']}");
    body("*/retry", "{'activityIds':['$ACTIVITY'],'workflowInstanceIds':['$INSTANCE']}");
    body("*/variables", "{'variables':[{'id':'R','value':{'a':1}}]}");
    body("POST */log-levels", "{'logger':'skein.fuzz','level':'info','seconds':5,'node':'n1'}");
    body("*/timers/fire", "{'max':10}");
    body("*/bulk-actions/delete/workflow-definitions/by-id", "{'ids':['$VERSION'],'force':true}");
    body("*/bulk-actions/export/workflow-definitions", "{'ids':['$VERSION','$VERSION']}");
    body(
        "*/bulk-actions/*workflow-definitions/by-definition-ids?",
        "{'definitionIds':['$DEFINITION']}");
    body(
        "*/(execute|dispatch|bulk-dispatch)",
        "{'input':{'a':1},'count':2,'correlationId':'c1','name':'n','variables':{'R':1},"
            + "'versionOptions':'Published'}",
        "{'instanceId':'$INSTANCE','triggerActivityId':'$ACTIVITY'}");
    body(
        "*/journal",
        "{'filter':{'activityIds':['$ACTIVITY'],'excludedActivityTypes':['Elsa.WriteLine'],"
            + "'eventNames':['Started']},'skip':0,'take':10}");
    body(
        "*/activity-executions/report",
        "{'workflowInstanceId':'$INSTANCE','activityNodeIds':['a']}");
    body("*/bookmarks/resume", "{'input':{'a':1}}");
  }

  private final Api api;
  private final List<JsonObject> documents = new ArrayList<>();
  private final Map<String, List<String>> pools = new HashMap<>();
  private final List<JsonObject> exported = new ArrayList<>();

  FuzzWorld(Api api) {
    this.api = api;
    readDocuments();
  }

  private void readDocuments() {
    own().forEach(documents::add);
    try (var files = Files.walk(DOCUMENTS)) {
      for (var file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
        documents.add(new JsonObject(Files.readString(file).replace("\ufeff", "")));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<JsonObject> own() {
    return List.of(
        Workflows.event("fuzz-approval", "FuzzGo"),
        Workflows.task("fuzz-task"),
        quoted(USER_TASK),
        Workflows.naps("fuzz-nap", 50),
        quoted(ENDPOINT),
        Workflows.lines("fuzz-lines", "a", "b"));
  }

  private static JsonObject quoted(String json) {
    return new JsonObject(
        json.replace("'[\"GET\",\"POST\",\"PUT\"]'", "'[\\\"GET\\\",\\\"POST\\\",\\\"PUT\\\"]'")
            .replace('\'', '"'));
  }

  /** Makes what is missing, and deletes what requests have made beside it. */
  void tidy() {
    deleteOtherDefinitions();
    deleteOthers("/schedules", "id", "fuzz-", "/schedules/");
    api.http()
        .post(API + "/log-levels", new JsonObject().put("logger", "root").put("level", "default"));
    own().forEach(this::publish);
    var instances = new ArrayList<String>();
    for (var definition : BASE.subList(0, 4)) {
      for (int i = 0; i < INSTANCES_OF_EACH; i++) {
        var id = definition + "-" + i;
        instances.add(id);
        api.start(new JsonObject().put("definitionId", definition).put("instanceId", id));
      }
    }
    if (pools.isEmpty()) {
      remember(instances);
    }
    var schedule = new JsonObject().put("definitionId", "fuzz-lines").put("interval", "PT5H");
    api.http().post(API + "/schedules", schedule.put("id", "fuzz-schedule"));
  }

  /**
   * Refused when another caller changes it at this moment. A caller that publishes its path under
   * another id is deleted, and may come again, but not each time.
   */
  private void publish(JsonObject definition) {
    var answer = api.saveAndPublish(definition);
    for (int again = 0; again < PUBLISHED_AGAIN_MAX && isPathTaken(answer); again++) {
      deleteOtherDefinitions();
      answer = api.saveAndPublish(definition);
    }
    if (answer.status() != 409) {
      answer.orThrow();
    }
  }

  private static boolean isPathTaken(Http.Answer answer) {
    return answer.status() == 400 && answer.body().contains("already in use by another workflow");
  }

  private void deleteOtherDefinitions() {
    deleteOthers(
        "/workflow-definitions", "definitionId", "fuzz-|honest-", "/workflow-definitions/");
  }

  private void deleteOthers(String list, String member, String kept, String path) {
    var page = api.http().get(API + list + "?pageSize=1000").json().getJsonArray("items");
    var ours = Pattern.compile("(" + kept + ").*");
    for (var item : Api.objects(page == null ? new JsonArray() : page)) {
      var id = item.getString(member);
      if (!ours.matcher(id).matches()) {
        var encoded = URLEncoder.encode(id, StandardCharsets.UTF_8);
        api.http().delete(API + path + encoded.replace("+", "%20"));
      }
    }
  }

  private void remember(List<String> instances) {
    pools.put("INSTANCE", instances);
    pools.put("BOOKMARK", instances.stream().map(id -> id + "-1").toList());
    pools.put("TASK", pools.get("BOOKMARK"));
    pools.put("EXECUTION", instances.stream().map(id -> id + "-a2").toList());
    pools.put("DEFINITION", BASE);
    pools.put("ACTIVITY", List.of("sequence", "approve", "pack", "check", "nap0", "S"));
    pools.put("SCHEDULE", List.of("fuzz-schedule", "fuzz-other"));
    pools.put("PLAN", List.of("fuzz-plan"));
    pools.put("VERSION", BASE.stream().map(this::versionId).toList());
    pools.put(
        "TOKEN",
        pools.get("BOOKMARK").subList(0, 3).stream()
            .map(id -> api.mint(id, new JsonObject()).json().getString("token", "none"))
            .toList());
    for (var id : instances) {
      exported.add(api.http().post(API + "/workflow-instances/" + id + "/export").json());
    }
  }

  private String versionId(String definitionId) {
    return api.http()
        .get(API + "/workflow-definitions/by-definition-id/" + definitionId)
        .json()
        .getString("id");
  }

  /** A value for a parameter of a route's path. */
  String parameter(String route, String name, Random random) {
    var form = name.equals("id") ? idOf(route) : PARAMETERS.getOrDefault(name, "$INSTANCE");
    return filled(form, random);
  }

  private static String idOf(String route) {
    if (route.contains("/schedules/")) {
      return "$SCHEDULE";
    } else if (route.contains("/user-tasks/")) {
      return "$TASK";
    } else if (route.contains("/activity-executions/")) {
      return "$EXECUTION";
    } else if (route.contains("definition")) {
      return "$VERSION";
    } else if (route.contains("/alterations/")) {
      return "$PLAN";
    }
    return "$INSTANCE";
  }

  /** One of what is there, of any kind. */
  String anyId(Random random) {
    var kinds = pools.keySet().stream().sorted().toList();
    return filled("$" + kinds.get(random.nextInt(kinds.size())), random);
  }

  JsonObject document(Random random) {
    return documents.get(random.nextInt(documents.size())).copy();
  }

  JsonObject exported(Random random) {
    return exported.get(random.nextInt(exported.size())).copy();
  }

  /** A valid body for this method and path of a route, or one without members. */
  JsonObject body(String route, Random random) {
    for (var entry : BODIES) {
      if (entry.getKey().matcher(route).matches()) {
        var forms = entry.getValue();
        return filledBody(forms.get(random.nextInt(forms.size())), random);
      }
    }
    return new JsonObject();
  }

  private JsonObject filledBody(String form, Random random) {
    if (form.equals("$EXPORTED")) {
      return exported(random);
    }
    var document = form.contains("$DOCUMENT") ? document(random).encode() : "";
    var text = filled(form.replace("$DOCUMENT", "@@").replace('\'', '"'), random);
    return new JsonObject(text.replace("@@", document));
  }

  private String filled(String form, Random random) {
    var text = form;
    for (var kind : pools.keySet().stream().sorted().toList()) {
      while (text.contains("$" + kind)) {
        var pool = Objects.requireNonNull(pools.get(kind));
        int at = text.indexOf("$" + kind);
        text =
            text.substring(0, at)
                + pool.get(random.nextInt(pool.size()))
                + text.substring(at + kind.length() + 1);
      }
    }
    return text;
  }
}
