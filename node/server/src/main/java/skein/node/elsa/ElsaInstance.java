package skein.node.elsa;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An instance that has not ended.
 *
 * @param summary as Elsa lists it, without its state
 * @param refusal why it cannot be taken, whatever its state is; null: nothing is known against it
 */
record ElsaInstance(Map<String, @Nullable Object> summary, @Nullable Refusal refusal) {
  String id() {
    return Json.textOr(summary, "id");
  }

  String definitionId() {
    return Json.textOr(summary, "definitionId");
  }

  /** The id of the version of its definition. */
  String versionId() {
    return Json.textOr(summary, "definitionVersionId");
  }

  int version() {
    return Json.number(summary, "version");
  }

  @Nullable String name() {
    return Json.text(summary, "name");
  }
}
