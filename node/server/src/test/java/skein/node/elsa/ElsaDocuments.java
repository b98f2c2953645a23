package skein.node.elsa;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/** Documents of Elsa's for tests. */
final class ElsaDocuments {
  private ElsaDocuments() {}

  static Map<String, @Nullable Object> json(String text) {
    return JsonText.parseObject(text, JsonLimits.STORED);
  }

  /**
   * A version of the definition {@code order}.
   *
   * @param marks such as {@code "isPublished": true}
   * @param text what its only activity writes
   */
  static ElsaDefinition order(int version, String marks, String text) {
    return order(version, marks, text, "Elsa.WriteLine", false);
  }

  /** With an activity of another type, which may start the workflow. */
  static ElsaDefinition order(int version, String marks, String text, String type, boolean starts) {
    var model =
        """
        {"id": "v%d", "definitionId": "order", "version": %d, %s, "tenantId": "",
         "createdAt": "2026-03-01T10:00:00+00:00", "description": null,
         "root": {"type": "Elsa.Sequence", "id": "seq", "nodeId": "Workflow1:seq", "activities": [
           {"type": "%s", "id": "a", "customProperties": {"canStartWorkflow": %s}, "text": "%s"}]}}
        """
            .formatted(version, version, marks, type, starts, text);
    return new ElsaDefinition(json(model), List.of(), null);
  }

  /** As the cluster has it; {@code marks}: its own. */
  static ClusterVersion there(ElsaDefinition definition, int version, String marks) {
    var document = Json.copy(definition.document());
    json("{\"id\": \"c%d\", \"version\": %d, %s}".formatted(version, version, marks))
        .forEach(document::put);
    return new ClusterVersion(document);
  }
}
