package skein.model;

/** Why a request was refused. The names are part of the wire format: add, never rename. */
public enum ErrorCode {
  // The request itself
  INVALID_JSON,
  INVALID_REQUEST,
  INVALID_ID,
  TOO_LARGE,
  TOO_DEEP,
  UNSTORABLE_TEXT,
  METHOD_NOT_ALLOWED,
  UNSUPPORTED_MEDIA_TYPE,
  /** Its body did not come in time; nothing has happened. */
  REQUEST_INCOMPLETE,
  /** Different servers read its end, or its target, differently. */
  REQUEST_AMBIGUOUS,
  /** Its path has another spelling, which other servers may take for another path. */
  PATH_AMBIGUOUS,
  /** The host that it names is not one of this server's. */
  HOST_UNKNOWN,
  /** It came by plain HTTP, and this server takes requests by HTTPS alone. */
  HTTPS_REQUIRED,
  /** A page of another site has made a browser send it. */
  CROSS_SITE,
  /** It has no credentials, or no valid ones. */
  UNAUTHENTICATED,
  /** It does not answer a sign-in that its browser has begun, or that one has expired. */
  SIGN_IN_INVALID,
  /** The OpenID provider does not answer, or not as it must. */
  PROVIDER_UNAVAILABLE,
  /** The caller is authenticated, and lacks a permission. */
  FORBIDDEN,
  /** Too many of one address at once that would have to be checked. */
  TOO_MANY_ATTEMPTS,
  /** A caller, or an address, asks more often than it may. */
  TOO_MANY_REQUESTS,
  /** It expects something other than 100-continue. */
  EXPECTATION_FAILED,
  NOT_FOUND,
  // Definitions
  DEFINITION_NOT_FOUND,
  DEFINITION_NOT_PUBLISHED,
  DEFINITION_INVALID,
  DEFINITION_CONFLICT,
  /** It belongs to its provider, such as a folder, and is not changed through the API. */
  DEFINITION_READ_ONLY,
  /** Instances that have not ended run on the version. */
  DEFINITION_IN_USE,
  // Instances
  INSTANCE_NOT_FOUND,
  INSTANCE_FINISHED,
  INSTANCE_EXISTS,
  INSTANCE_FAULTED,
  IDEMPOTENCY_KEY_REUSED,
  /** The first request with the key has not ended yet. */
  IDEMPOTENCY_KEY_IN_USE,
  ACTIVATION_REFUSED,
  /** The definition has as many unfinished instances as it may. */
  TOO_MANY_INSTANCES,
  ALTERATION_REFUSED,
  /** The journal does not tell the state that the instance had then. */
  PAST_STATE_UNKNOWN,
  STATE_TOO_LARGE,
  // Bookmarks, tokens and tasks
  BOOKMARK_NOT_FOUND,
  /** It can no longer be resumed; its activity faults. */
  BOOKMARK_EXPIRED,
  SEVERAL_BOOKMARKS,
  ALREADY_RESUMED,
  IN_PROGRESS,
  TOKEN_INVALID,
  TOKEN_EXPIRED,
  TASK_NOT_FOUND,
  /** Another user has claimed it. */
  TASK_CLAIMED,
  /** It is neither the user's nor that of one of their groups. */
  TASK_NOT_YOURS,
  /** The result does not fit the form, or the outcome is not one of the task's. */
  TASK_INVALID,
  // Jobs
  /** The lease has expired and the job was offered again, or the job has ended. */
  JOB_LEASE_LOST,
  // Schedules
  SCHEDULE_NOT_FOUND,
  SCHEDULE_EXISTS,
  /** One or more of its values are wrong; the errors name them. */
  SCHEDULE_INVALID,
  /** It is not at the revision that the caller has seen. */
  SCHEDULE_CHANGED,
  /** It belongs to a published definition. */
  SCHEDULE_READ_ONLY,
  // Users, roles and applications
  NAME_TAKEN,
  // HTTP endpoints
  NO_ENDPOINT,
  AMBIGUOUS_ENDPOINT,
  // Nodes
  NODE_NOT_FOUND,
  /** Without it no node would execute anything. */
  LAST_NODE,
  /** It is stopping, or has not started yet: it cannot be paused or resumed. */
  NODE_BUSY,
  /** The runtime of the cluster begins nothing new; nothing has happened. */
  RUNTIME_PAUSED,
  /** Nodes were drained by force, and begin nothing before their next start. */
  RUNTIME_DRAINING,
  // The server
  OVERLOADED,
  NOT_READY,
  /** It was written by a newer version than the node's, and is left to nodes of that version. */
  NEWER_FORMAT,
  /** Nodes that have the activity's type execute it, and none of them has done so. */
  ACTIVITY_ELSEWHERE,
  /** A stored value is encrypted with a key that the node does not have. */
  ENCRYPTION_KEY_MISSING,
  /** A stored value was changed, cut or moved by something other than Skein. */
  ENCRYPTED_VALUE_DAMAGED,
  STORAGE_UNAVAILABLE,
  OUTCOME_UNKNOWN,
  TIMEOUT,
  INTERNAL;

  /** An internal failure, unrelated to the request: the same request may succeed later. */
  public boolean isTransient() {
    return switch (this) {
      case NOT_READY,
          RUNTIME_PAUSED,
          PROVIDER_UNAVAILABLE,
          NEWER_FORMAT,
          ACTIVITY_ELSEWHERE,
          OVERLOADED,
          TOO_MANY_INSTANCES,
          TOO_MANY_REQUESTS,
          ENCRYPTION_KEY_MISSING,
          STORAGE_UNAVAILABLE,
          OUTCOME_UNKNOWN,
          TIMEOUT,
          IN_PROGRESS ->
          true;
      default -> false;
    };
  }
}
