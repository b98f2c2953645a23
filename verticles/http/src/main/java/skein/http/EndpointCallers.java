package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.HttpCaller;
import skein.definitions.EndpointTable.Guard;
import skein.identity.Caller;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Callers of workflows' endpoints that ask for them. */
final class EndpointCallers {
  private EndpointCallers() {}

  /** Fails for unauthenticated callers, and for those that do not meet the endpoint's policy. */
  static Future<Caller> admitted(Gate gate, Call call, Guard guard) {
    return signedIn(gate, call)
        .map(caller -> {
          var policy = guard.policy();
          if (policy != null && !caller.meets(policy)) {
            throw Gate.forbidden(policy);
          }
          return caller;
        });
  }

  /** Fails for unauthenticated callers, and for those of another tenant than the endpoint's. */
  static Future<Caller> signedIn(Gate gate, Call call) {
    return gate.signedIn(call.context())
        .map(caller -> {
          if (!call.siteScope().sees(caller.tenant())) {
            throw new SkeinException(
                ErrorCode.UNAUTHENTICATED, "The endpoint is not one of the caller's tenant");
          }
          return caller;
        });
  }

  /** The request and its caller, by the name that they have in user tasks; null: unknown. */
  static Map<String, @Nullable Object> with(
      @Nullable Caller caller, Map<String, @Nullable Object> request) {
    if (caller == null) {
      return request;
    }
    var known = new LinkedHashMap<String, @Nullable Object>(request);
    known.put(
        HttpCaller.MEMBER,
        HttpCaller.of(
            caller.taskUser(), caller.roles(), List.copyOf(caller.permissions().names())));
    return known;
  }
}
