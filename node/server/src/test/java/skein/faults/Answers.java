package skein.faults;

import skein.faults.Operation.Kind;
import skein.faults.Operation.Target;
import skein.node.Http.Answer;

/** What a success says beside that it is one. */
final class Answers {
  private Answers() {}

  /** The target of a request, with what its answer told. */
  static Target told(Kind kind, Target target, Answer answer) {
    return switch (kind) {
      case START, PROBE -> target.withInstance(answer.json().getString("id"));
      case EVENT ->
          target.withCounted(
              answer.json().getInteger("resumed"), answer.json().getInteger("pending"));
      case PUBLISH -> {
        var json = answer.json();
        yield target.withNumber(
            json.getJsonObject("workflowDefinition", json).getInteger("version"));
      }
      case RESUME, TOKEN, MINT, TASK, CLAIM, COMPLETE, CANCEL -> target;
    };
  }
}
