package skein.node.elsa;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A version of a definition.
 *
 * @param model as Elsa exports it
 * @param labels the names of its labels, sorted
 * @param refusal why it cannot be taken, whatever the cluster has; null: nothing is known against
 *     it
 */
record ElsaDefinition(
    Map<String, @Nullable Object> model, List<String> labels, @Nullable Refusal refusal) {
  private static final String LABELS = "labels";

  String definitionId() {
    return Json.textOr(model, "definitionId");
  }

  /** The id of this version. */
  String versionId() {
    return Json.textOr(model, "id");
  }

  int version() {
    return Json.number(model, "version");
  }

  @Nullable String name() {
    return Json.text(model, "name");
  }

  boolean isPublished() {
    return Json.flag(model, "isPublished");
  }

  boolean isLatest() {
    return Json.flag(model, "isLatest");
  }

  ElsaDefinition refused(Refusal why) {
    return new ElsaDefinition(model, labels, why);
  }

  /**
   * What the cluster is given. Labels, which it does not have, are a custom property; marks of
   * Elsa's own are left out, since a definition that is read-only could not be saved again.
   */
  Map<String, @Nullable Object> document() {
    var document = Json.copy(model);
    for (var name : List.of("links", "$schema", "tenantId", "isReadonly", "isSystem")) {
      document.remove(name);
    }
    if (!labels.isEmpty()) {
      var properties = Json.copy(Json.object(model, "customProperties"));
      properties.put(LABELS, labels);
      document.put("customProperties", properties);
    }
    return document;
  }
}
