package skein.graph;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.Json;
import skein.model.Finding.Severity;
import skein.model.FindingCode;

/** Looks for custom properties that are meant to say what a failure does, and are not read. */
final class PolicyReview {
  private static final Set<String> PROPERTIES =
      Set.of(
          "retry", "resilienceStrategy", "timeout", "onFault", "compensatedBy", "canStartWorkflow");

  private static final Set<String> RETRY =
      Set.of("attempts", "delay", "maxDelay", "backoff", "backoffType", "jitter", "useJitter");

  private final ActivityNode node;
  private final Findings findings;
  private final Findings.About about;

  PolicyReview(ActivityNode node, Findings findings, Findings.About about) {
    this.node = node;
    this.findings = findings;
    this.about = about;
  }

  void run() {
    var custom = Json.object(node.json().get("customProperties"));
    if (custom == null) {
      return;
    }
    for (var name : custom.keySet()) {
      var meant = known(name, PROPERTIES) ? null : findings.nearest(name, PROPERTIES);
      if (meant != null) {
        warn(name, "the custom property \"" + name + "\" is ignored", meant);
      }
    }
    for (var name : List.of("onFault", "compensatedBy")) {
      var value = custom.get(name);
      if (value != null && !(value instanceof String)) {
        warn(name, "\"" + name + "\" must be the id of an activity beside it", null);
      }
    }
    reviewRetry(custom);
    number(custom, "resilienceStrategy", "maxRetryAttempts");
  }

  private void reviewRetry(Map<String, @Nullable Object> custom) {
    var retry = custom.get("retry");
    if (retry == null) {
      return;
    }
    var members = Json.object(retry);
    if (members == null) {
      warn(
          "retry",
          "\"retry\" must be an object such as {\"attempts\": 3}, so it is not read",
          null);
      return;
    }
    for (var name : members.keySet()) {
      if (!RETRY.contains(name)) {
        warn(
            "retry/" + name.replace("~", "~0").replace("/", "~1"),
            "\"" + name + "\" of \"retry\" is ignored",
            findings.nearest(name, RETRY));
      }
    }
    number(custom, "retry", "attempts");
  }

  private void number(Map<String, @Nullable Object> custom, String holder, String member) {
    var members = Json.object(custom.get(holder));
    var value = members == null ? null : members.get(member);
    if (value != null && !(value instanceof Number)) {
      warn(
          holder + "/" + member,
          "\"" + member + "\" of \"" + holder + "\" must be a number, so it is not read",
          null);
    }
  }

  /** Elsa's designer writes some with a capital letter. */
  private static boolean known(String name, Set<String> names) {
    return names.stream().anyMatch(known -> known.equalsIgnoreCase(name));
  }

  private void warn(String path, String finding, @Nullable String suggestion) {
    findings.add(
        Severity.WARNING,
        FindingCode.INVALID_POLICY,
        about,
        "/customProperties/" + path,
        finding,
        suggestion);
  }
}
