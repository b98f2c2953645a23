package skein.node;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import skein.node.Http.Answer;

/** The workflow API of one node, in the words of the clustering guide. */
public record Api(Http http) {
  private static final String DEFINITIONS = "/elsa/api/workflow-definitions/";
  private static final String INSTANCES = "/elsa/api/workflow-instances/";

  /** The same for a caller who waits no longer for an answer. */
  Api within(Duration timeout) {
    return new Api(http.within(timeout));
  }

  public void publish(JsonObject definition) {
    saveAndPublish(definition).orThrow();
  }

  public Answer saveAndPublish(JsonObject definition) {
    return http.post(DEFINITIONS, new JsonObject().put("model", definition).put("publish", true));
  }

  public Answer update(JsonObject definition) {
    return http.put(DEFINITIONS + definition.getString("definitionId"), definition);
  }

  /** Starts and answers after the first burst. */
  public Answer start(JsonObject request) {
    return start(request, Map.of());
  }

  public Answer start(JsonObject request, Map<String, String> headers) {
    return http.post("/elsa/api/workflow-instances", request, headers);
  }

  /** The new instance's id. */
  public String start(String definitionId) {
    return start(new JsonObject().put("definitionId", definitionId))
        .orThrow()
        .json()
        .getString("id");
  }

  /** Answers when the start is durable; it runs by itself. */
  public Answer dispatch(String definitionId, String instanceId) {
    var body = new JsonObject().put("instanceId", instanceId);
    return http.post(DEFINITIONS + definitionId + "/dispatch", body);
  }

  /** Without a body, as the guide does it. */
  public Answer resume(String instanceId) {
    return http.post(INSTANCES + instanceId + "/resume");
  }

  public JsonObject instance(String instanceId) {
    return http.get(INSTANCES + instanceId).orThrow().json();
  }

  public List<JsonObject> journal(String instanceId) {
    return objects(
        http.get(INSTANCES + instanceId + "/journal?skip=0&take=1000")
            .orThrow()
            .json()
            .getJsonArray("items"));
  }

  /** Makes a token for the only bookmark that the instance has had; {@code body} says how long. */
  public Answer mint(String bookmarkId, JsonObject body) {
    var instanceId = bookmarkId.substring(0, bookmarkId.lastIndexOf('-'));
    return http.post(INSTANCES + instanceId + "/bookmarks/" + bookmarkId + "/tokens", body);
  }

  public Answer resumeByToken(String token) {
    return http.post("/workflows/resume/" + token);
  }

  public static List<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast).toList();
  }
}
