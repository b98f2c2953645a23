package skein.faults;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the checker says of a run.
 *
 * @param anomalies by invariant and name; none: every promise was kept
 * @param counts what the run consisted of
 * @param vacuous true when it proves nothing: too little succeeded, or a fault hit no request
 */
record Verdict(Map<String, List<String>> anomalies, Map<String, Long> counts, boolean vacuous) {
  private static final int SHOWN_MAX = 5;

  boolean isValid() {
    return anomalies.isEmpty() && !vacuous;
  }

  @Override
  public String toString() {
    var word = anomalies.isEmpty() ? (vacuous ? "unknown, it was vacuous" : "valid") : "NOT VALID";
    var wrong =
        anomalies.entrySet().stream()
            .map(e ->
                "\n  %s x %d, as %s"
                    .formatted(
                        e.getKey(),
                        e.getValue().size(),
                        e.getValue().stream().limit(SHOWN_MAX).toList()))
            .collect(Collectors.joining());
    return word + " " + counts + wrong;
  }
}
