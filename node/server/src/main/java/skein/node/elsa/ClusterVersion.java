package skein.node.elsa;

import java.util.Map;

/** A version of a definition that the cluster has; {@code document}: as it was saved. */
record ClusterVersion(Map<?, ?> document) {
  String versionId() {
    return Json.textOr(document, "id");
  }

  int version() {
    return Json.number(document, "version");
  }

  /** Whether saving the definition would replace it. */
  boolean isDraft() {
    return Json.flag(document, "isLatest") && !isPublished();
  }

  boolean isPublished() {
    return Json.flag(document, "isPublished");
  }
}
