package skein.http;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import skein.model.WorkflowStatus;

/** An instance's status in Elsa's two words. */
record ElsaStatus(String status, String subStatus) {
  private static final String RUNNING = "Running";
  private static final String FINISHED = "Finished";

  static ElsaStatus of(WorkflowStatus status) {
    return switch (status) {
      case Pending -> new ElsaStatus(RUNNING, "Pending");
      case Running -> new ElsaStatus(RUNNING, "Executing");
      case Suspended -> new ElsaStatus(RUNNING, "Suspended");
      case Completed -> new ElsaStatus(FINISHED, "Finished");
      case Faulted -> new ElsaStatus(FINISHED, "Faulted");
      case Cancelled -> new ElsaStatus(FINISHED, "Cancelled");
    };
  }

  /**
   * The statuses that fit both lists of Elsa's words, in any case; an empty list takes all. Taken
   * too are the words that SQL and metrics have, but for the status Running, which is Elsa's for
   * all that is not finished. Refuses unknown words.
   */
  static List<WorkflowStatus> matching(List<String> statuses, List<String> subStatuses) {
    return matching(statuses, true).stream()
        .filter(matching(subStatuses, false)::contains)
        .toList();
  }

  private static List<WorkflowStatus> matching(List<String> words, boolean main) {
    if (words.isEmpty()) {
      return List.of(WorkflowStatus.values());
    }
    var found = new ArrayList<WorkflowStatus>();
    for (var word : words) {
      Predicate<WorkflowStatus> fits =
          status ->
              word.equalsIgnoreCase(main ? of(status).status() : of(status).subStatus())
                  || (word.equalsIgnoreCase(status.name()) && !(main && isElsas(word)));
      var all = List.of(WorkflowStatus.values()).stream().filter(fits).toList();
      if (all.isEmpty() && !word.equalsIgnoreCase("Interrupted")) {
        throw BadRequest.of("\"" + word + "\" is not a " + (main ? "status" : "subStatus"));
      }
      found.addAll(all);
    }
    return found;
  }

  private static boolean isElsas(String word) {
    return word.equalsIgnoreCase(RUNNING);
  }
}
