package skein.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.Finding;

/** Findings about a definition, for clients. */
final class FindingJson {
  private FindingJson() {}

  static List<Map<String, @Nullable Object>> all(List<Finding> findings) {
    return findings.stream().map(FindingJson::of).toList();
  }

  /** Elsa's clients read the message and the id of the activity. */
  private static Map<String, @Nullable Object> of(Finding finding) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    var nodeId = finding.nodeId();
    json.put("message", finding.message());
    json.put("severity", finding.isError() ? "error" : "warning");
    json.put("code", finding.code().name());
    json.put("activityId", nodeId == null ? null : nodeId.substring(nodeId.lastIndexOf(':') + 1));
    json.put("nodeId", nodeId);
    json.put("path", finding.path());
    json.put("suggestion", finding.suggestion());
    return json;
  }
}
