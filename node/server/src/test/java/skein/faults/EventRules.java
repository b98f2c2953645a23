package skein.faults;

import static java.util.stream.Collectors.groupingBy;

import java.util.List;
import skein.faults.Operation.Contest;
import skein.faults.Operation.Kind;

/** B4: what several publishers of one event were told adds up to the bookmarks that waited. */
final class EventRules {
  private EventRules() {}

  static void check(Evidence evidence, Anomalies anomalies) {
    evidence.operations().stream()
        .filter(operation -> operation.kind() == Kind.EVENT)
        .filter(operation -> operation.target().contest() != null)
        .collect(groupingBy(operation -> contest(operation).id()))
        .values()
        .forEach(events -> check(events, anomalies));
  }

  private static Contest contest(Operation event) {
    var contest = event.target().contest();
    return contest == null ? new Contest("", 0) : contest;
  }

  private static void check(List<Operation> events, Anomalies anomalies) {
    int bookmarks = contest(events.getFirst()).bookmarks();
    int told =
        events.stream().filter(Operation::isOk).mapToInt(event -> event.target().number()).sum();
    anomalies.addIf(told > bookmarks, "B4 event-answers-add-up-to-more", bookmarks, events);
    boolean allKnow =
        events.stream().allMatch(event -> event.isOk() && event.target().pending() == 0);
    anomalies.addIf(
        allKnow && told < bookmarks, "B4 event-answers-add-up-to-less", bookmarks, events);
  }
}
