package skein.openapi;

import skein.model.ErrorCode;

/** Advice to callers about each error. */
public final class ErrorHelp {
  private ErrorHelp() {}

  /** A sentence or two in Markdown, without a full stop. */
  public static String of(ErrorCode code) {
    return switch (code) {
      case INVALID_JSON -> "correct the body: `detail` says where it is not JSON";
      case INVALID_REQUEST -> "correct the parameter or member that `detail` names";
      case INVALID_ID -> "choose an id of the allowed characters that does not look like another";
      case TOO_LARGE ->
          "send or ask for less; `detail` names the setting that is the limit, or says how";
      case TOO_DEEP -> "nest objects and lists less deep; `detail` says how deep they may be";
      case UNSTORABLE_TEXT -> "leave out the characters that cannot be stored, such as U+0000";
      case METHOD_NOT_ALLOWED -> "use a method that the header `Allow` lists";
      case UNSUPPORTED_MEDIA_TYPE -> "send `Content-Type: application/json`";
      case REQUEST_INCOMPLETE ->
          "send the whole body within `http.body-timeout`; nothing has happened";
      case REQUEST_AMBIGUOUS, PATH_AMBIGUOUS ->
          "correct the client, or the proxy that passes such requests on: `detail` says what is"
              + " read in two ways";
      case HTTPS_REQUIRED ->
          "use `https`; a proxy that ends TLS must be one of `http.trusted-proxies` and send"
              + " `X-Forwarded-Proto: https`";
      case HOST_UNKNOWN -> "name the host in `http.hosts` or `http.base-url`";
      case CROSS_SITE -> "if the page may send such requests, name its origin in `http.origins`";
      case UNAUTHENTICATED -> "sign in, and send the access token or an API key in `Authorization`";
      case SIGN_IN_INVALID ->
          "begin the sign-in again, in one tab, at the address that `http.base-url` names";
      case PROVIDER_UNAVAILABLE ->
          "try again when the OpenID provider answers; `signIn.providerUnusable` in the node's log"
              + " says what is wrong";
      case FORBIDDEN -> "ask for a role or scope with the permission that `detail` names";
      case TOO_MANY_ATTEMPTS -> "wait for `Retry-After` seconds, then try fewer at once";
      case TOO_MANY_REQUESTS ->
          "wait for `Retry-After` seconds; `http.requests-per-second-max` holds for each caller,"
              + " `tenancy.starts-per-second` for each tenant";
      case EXPECTATION_FAILED -> "send no `Expect` but `100-continue`";
      case NOT_FOUND -> "correct the path or the id; the reference of the API lists the paths";
      case DEFINITION_NOT_FOUND -> "correct the id; `GET /elsa/api/workflow-definitions` lists all";
      case DEFINITION_NOT_PUBLISHED -> "publish the definition first";
      case DEFINITION_INVALID -> "correct what `errors` lists";
      case DEFINITION_CONFLICT -> "read what is stored, and repeat the change on that";
      case DEFINITION_READ_ONLY -> "change the definition where it comes from, such as its folder";
      case DEFINITION_IN_USE -> "let its instances end, or say `force=true` to delete them, too";
      case INSTANCE_NOT_FOUND -> "correct the id; the instance may have been deleted";
      case INSTANCE_FINISHED ->
          "do nothing, or start another instance: this one has ended, or has faulted";
      case INSTANCE_EXISTS -> "choose another `instanceId`, or leave it out";
      case INSTANCE_FAULTED -> "read the incidents of the instance, then retry or cancel it";
      case IDEMPOTENCY_KEY_REUSED -> "use a key of its own for each request";
      case IDEMPOTENCY_KEY_IN_USE -> "repeat the request after `Retry-After` seconds";
      case ACTIVATION_REFUSED ->
          "wait until the instance that runs has ended: the activation strategy allows one";
      case TOO_MANY_INSTANCES ->
          "let instances end or cancel them, then repeat; or raise the limit that `detail` names";
      case ALTERATION_REFUSED -> "correct the alteration as `detail` and `errors` say";
      case PAST_STATE_UNKNOWN ->
          "choose another burst, as `detail` says, or start a copy with the same input";
      case STATE_TOO_LARGE -> "keep less in variables and inputs; `detail` names the limit";
      case BOOKMARK_NOT_FOUND -> "read the bookmarks of the instance; it may wait elsewhere by now";
      case BOOKMARK_EXPIRED ->
          "retry the incident of the instance, which makes the bookmark again, or set"
              + " `execution.bookmark-expiry` or the `timeout` of the activity to more";
      case SEVERAL_BOOKMARKS -> "name one as `bookmarkId`";
      case ALREADY_RESUMED -> "do nothing: it was done, or its instance has faulted";
      case JOB_LEASE_LOST ->
          "drop the result and lease another job: this one is another worker's or has ended";
      case IN_PROGRESS -> "repeat the request: the instance is busy";
      case TOKEN_INVALID -> "make a new resume token";
      case TOKEN_EXPIRED -> "make a new resume token, with a longer `expiresIn`";
      case TASK_NOT_FOUND -> "list the open tasks; this one may be completed";
      case TASK_CLAIMED ->
          "let the user who has claimed the task release it, or assign it to another";
      case TASK_NOT_YOURS -> "act as a user or group that the task is for";
      case TASK_INVALID -> "correct the result or outcome as `errors` says; the task is still open";
      case SCHEDULE_NOT_FOUND -> "correct the id; `GET /elsa/api/schedules` lists all";
      case SCHEDULE_EXISTS -> "choose another id, or change the schedule that there is";
      case SCHEDULE_INVALID -> "correct the members that `errors` names";
      case SCHEDULE_CHANGED -> "read the schedule again, and repeat the change with its new `ETag`";
      case SCHEDULE_READ_ONLY -> "change the trigger of the definition, and publish it";
      case NAME_TAKEN -> "choose another name";
      case NO_ENDPOINT -> "publish a workflow that begins with or waits for this request";
      case AMBIGUOUS_ENDPOINT -> "name the instance with `workflowInstanceId` or `correlationId`";
      case NODE_NOT_FOUND -> "correct the name; `GET /elsa/api/cluster` lists the nodes";
      case LAST_NODE -> "start or resume another node first";
      case NODE_BUSY -> "wait until the node has started or stopped, then repeat the request";
      case RUNTIME_PAUSED ->
          "repeat it when the runtime is resumed: `GET /elsa/api/admin/workflow-runtime/status`"
              + " says who has paused it and why, `POST …/resume` ends the pause";
      case RUNTIME_DRAINING -> "restart the nodes that `errors` names";
      case OVERLOADED -> "repeat later, or add nodes; `detail` names the bound";
      case NOT_READY -> "repeat later, or ask another node";
      case NEWER_FORMAT -> "finish the upgrade: nodes of the newer version continue it";
      case ACTIVITY_ELSEWHERE -> "start a node that has the activity's jar";
      case ENCRYPTION_KEY_MISSING ->
          "give the node the master key of the others: `encryption.master-key-file`";
      case ENCRYPTED_VALUE_DAMAGED ->
          "restore the row that `detail` names from a backup: it was changed, cut or moved";
      case STORAGE_UNAVAILABLE -> "repeat when the database answers again";
      case OUTCOME_UNKNOWN, TIMEOUT ->
          "repeat the request if it had an `Idempotency-Key`; without one read the instance first,"
              + " since it may have been done";
      case INTERNAL -> "look for `request.failed` in the log of the node, and report it";
    };
  }
}
