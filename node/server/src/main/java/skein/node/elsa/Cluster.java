package skein.node.elsa;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;

/** The cluster that is given what Elsa has, by the API of one node. */
final class Cluster {
  private static final String DEFINITIONS = "/workflow-definitions";
  private static final String INSTANCES = "/workflow-instances";

  /** Findings about types that the cluster cannot execute, though it may publish them. */
  private static final Set<String> UNKNOWN = Set.of("UNKNOWN_TYPE", "UNSUPPORTED_TYPE");

  /** The workflow that is used may come with the same import. */
  private static final String MISSING_WORKFLOW = "UNKNOWN_WORKFLOW";

  private static final String NOT_PUBLISHED = "DEFINITION_NOT_PUBLISHED";

  private final JsonServer server;

  Cluster(JsonServer server) {
    this.server = server;
  }

  /** The newest first; empty when there is no such definition. */
  List<ClusterVersion> versions(String definitionId) {
    var path = DEFINITIONS + "/" + ElsaApi.encoded(definitionId) + "/versions?format=source";
    var answer = server.ask("GET", path, null);
    return answer.isMissing()
        ? List.of()
        : Json.list(answer.value("The versions of " + definitionId)).stream()
            .map(ClusterVersion::new)
            .toList();
  }

  /**
   * Why a definition cannot be taken; null: nothing is known against it.
   *
   * @param publishes whether it is to be published
   */
  @Nullable Refusal refusal(ElsaDefinition definition, boolean publishes) {
    var body = JsonText.print(Map.of("model", definition.document()));
    var answer = server.ask("POST", DEFINITIONS + "/validate", body);
    if (answer.isRefused()) {
      return new Refusal(Reason.REFUSED, answer.refusal());
    }
    for (var finding : Json.objects(answer.object("The check of a definition"), "findings")) {
      var code = Json.textOr(finding, "code");
      var text = code + ": " + Json.textOr(finding, "message");
      if (UNKNOWN.contains(code)) {
        return new Refusal(Reason.UNKNOWN_ACTIVITY, text);
      }
      if (publishes
          && Json.textOr(finding, "severity").equals("error")
          && !code.equals(MISSING_WORKFLOW)) {
        return new Refusal(Reason.DEFINITION_INVALID, text);
      }
    }
    return null;
  }

  /**
   * Saves a version, and publishes it if asked to.
   *
   * @throws RefusedException when the cluster refuses it
   */
  VersionRef save(ElsaDefinition definition, boolean publishes) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("model", definition.document());
    body.put("publish", publishes);
    var answer = server.ask("POST", DEFINITIONS, JsonText.print(body));
    requireDone(answer);
    var saved = Json.object(answer.object("Saving a definition"), "workflowDefinition");
    return new VersionRef(Json.textOr(saved, "id"), Json.number(saved, "version"));
  }

  /**
   * Ends the publication, if there is one.
   *
   * @throws RefusedException when the cluster refuses it
   */
  void retract(String definitionId) {
    var path = DEFINITIONS + "/" + ElsaApi.encoded(definitionId) + "/retract";
    var answer = server.ask("POST", path, "{}");
    if (!answer.refusal().startsWith(NOT_PUBLISHED)) {
      requireDone(answer);
    }
  }

  /** In the form of the API; null when there is none. */
  @Nullable InstanceFile instance(String id) {
    var answer = server.ask("GET", INSTANCES + "/" + ElsaApi.encoded(id), null);
    return answer.isMissing() ? null : new InstanceFile(Json.copy(answer.object("Instance " + id)));
  }

  /** Throws {@link RefusedException} when the cluster refuses it. */
  void restore(InstanceFile file) {
    requireDone(
        server.ask("POST", "/bulk-actions/import/workflow-instances", JsonText.print(file.json())));
  }

  private static void requireDone(JsonServer.Answer answer) {
    if (answer.isRefused()) {
      throw new RefusedException(Reason.REFUSED, answer.refusal());
    }
  }

  /** Whether it begins nothing, and has ended what it had begun. */
  boolean isPaused() {
    var answer = server.ask("GET", "/admin/workflow-runtime/status", null);
    return !answer.isRefused()
        && Boolean.FALSE.equals(
            Json.get(
                Json.object(answer.object("The status of the runtime"), "state"),
                "isAcceptingNewWork"));
  }
}
