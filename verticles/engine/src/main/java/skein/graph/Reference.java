package skein.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.model.DefinitionRef;

/**
 * How an activity names the workflow that it is a use of.
 *
 * @param type the type name that the workflow has as an activity
 * @param version of the definition; 1 where the activity does not say
 * @param versionId the one version that is meant; null where the activity does not say
 */
public record Reference(
    String type, int version, @Nullable String versionId, @Nullable String definitionId) {

  /** {@code json}: an activity of a type that is none of the known ones. */
  public static Reference of(Map<String, @Nullable Object> json) {
    var type = Json.text(json, "type");
    return new Reference(
        type == null ? "" : type,
        json.get("version") instanceof Number number ? number.intValue() : 1,
        Json.text(json, "workflowDefinitionVersionId"),
        Json.text(json, "workflowDefinitionId"));
  }

  /** Whether the reference means this version and can never mean another one. */
  boolean pins(DefinitionRef found) {
    return versionId != null
        ? versionId.equals(found.versionId())
        : found.definitionId().equals(definitionId) && found.version() == version;
  }

  /**
   * What the definitions of those who use a workflow are found by: {@code v:} and a version's id,
   * {@code d:} and a definition's id, {@code t:} and a type name.
   */
  public List<String> keys() {
    var keys = new ArrayList<String>();
    keys.add("t:" + type);
    if (versionId != null) {
      keys.add("v:" + versionId);
    }
    if (definitionId != null) {
      keys.add("d:" + definitionId);
    }
    return keys;
  }
}
