package skein.openapi;

import skein.model.FindingCode;

/** Advice about each finding on a definition. */
final class FindingHelp {
  private FindingHelp() {}

  /** A sentence or two in Markdown, without a full stop. */
  static String of(FindingCode code) {
    return switch (code) {
      case INVALID_DOCUMENT -> "correct the member that the message names";
      case NO_ROOT -> "give the definition a `root`: the activity that it begins with";
      case MISSING_TYPE -> "give the activity a `type`";
      case UNKNOWN_TYPE ->
          "correct the type, or give the jar with it to the nodes; an error with"
              + " `definitions.unknown-activities: refuse`";
      case UNSUPPORTED_TYPE -> "use what the message names instead";
      case TYPE_ELSEWHERE -> "give the jar with the type to all nodes that execute";
      case UNKNOWN_WORKFLOW -> "publish the workflow that is used or started";
      case RECURSIVE_WORKFLOW -> "start one of the workflows with `Elsa.DispatchWorkflow` instead";
      case LIMIT_EXCEEDED -> "split the workflow; the message names the limit";
      case INVALID_ACTIVITY_ID -> "give each activity an `id` of its own, 255 characters at most";
      case INVALID_DECLARATION -> "correct the variable or input that the message names";
      case INVALID_EXPRESSION -> "correct the expression; the message says where";
      case INVALID_FORM -> "correct the JSON Schema of the user task";
      case INVALID_ACTIVITY -> "correct what the message names";
      case INVALID_POLICY ->
          "write `retry`, `timeout`, `onFault` and `compensatedBy` as"
              + " [described](../README.md#failure)";
      case INVALID_TRIGGER -> "correct what the activity that starts the workflow waits for";
      case UNKNOWN_ACTIVITY -> "name an activity of the same container by its `id`";
      case UNKNOWN_INPUT ->
          "correct the name; [ACTIVITIES.md](../engine/ACTIVITIES.md) lists what there is";
      case UNKNOWN_PORT -> "let the connection leave by an outcome that the message lists";
      case WRONG_TYPE -> "write the literal as the message says, or compute it";
      case UNKNOWN_VARIABLE ->
          "declare the variable in the workflow or a container around, or correct its name";
      case UNKNOWN_SECRET ->
          "put a file of that name into `secrets.folder` of each node that does work outside, or correct"
              + " the name";
      case UNREACHABLE -> "connect the activity, or delete it";
      case UNHANDLED_FAILURE ->
          "connect the outcomes that the message names, or give activities for them";
    };
  }
}
