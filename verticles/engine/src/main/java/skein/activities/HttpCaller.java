package skein.activities;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.HttpEndpointLimits.Violation;

/**
 * The caller of a request to a workflow: {@code {name, roles, permissions}}, set by the node that
 * authenticated the caller; absent when the caller was not authenticated.
 */
public final class HttpCaller {
  /** The member of a request that has it. */
  public static final String MEMBER = "caller";

  private static final String EVERYTHING = "*";

  private HttpCaller() {}

  /** {@code permissions}: in which a policy is looked for, as in the roles. */
  public static Map<String, @Nullable Object> of(
      String name, List<String> roles, List<String> permissions) {
    return Json.members("name", name, "roles", roles, "permissions", permissions);
  }

  /** Null when the request may come in. */
  static @Nullable Violation refusal(
      boolean authorize, @Nullable String policy, Map<String, @Nullable Object> request) {
    if (!authorize) {
      return null;
    }
    var caller = Json.object(request.get(MEMBER));
    if (caller == null) {
      return new Violation("Unauthorized", false, 401, "The endpoint is for known callers");
    }
    return policy == null || policy.isBlank() || meets(caller, policy.strip())
        ? null
        : new Violation("Forbidden", false, 403, "The caller does not meet the policy " + policy);
  }

  private static boolean meets(Map<String, @Nullable Object> caller, String policy) {
    var permissions = Json.list(caller.get("permissions"));
    return Json.list(caller.get("roles")).contains(policy)
        || permissions.contains(policy)
        || permissions.contains(EVERYTHING);
  }

  /** Leaves what a workflow may see of the caller. */
  static void show(Map<String, @Nullable Object> request) {
    var caller = Json.object(request.get(MEMBER));
    if (caller != null) {
      var shown = new LinkedHashMap<String, @Nullable Object>();
      shown.put("name", caller.get("name"));
      shown.put("roles", caller.get("roles"));
      request.put(MEMBER, shown);
    }
  }
}
