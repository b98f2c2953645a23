package skein.faults;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import skein.faults.Operation.Outcome;

/** Decides whether a run kept every promise. Pure: the same evidence has the same verdict. */
final class Checker {
  /**
   * @param lateMax from the instant a timer is due, or the last fault is over, until it has fired
   * @param inUseMax for which a key may be in use when no caller waits for an answer to it any more
   * @param okMin operations that must have succeeded for a run to prove anything
   */
  record Limits(Duration lateMax, Duration inUseMax, int okMin) {}

  private Checker() {}

  static Verdict check(Evidence given, Limits limits) {
    var anomalies = new Anomalies();
    KeyRules.check(given, limits.inUseMax(), anomalies);
    var evidence = KeyRules.settled(given);
    InstanceRules.check(evidence, anomalies);
    ResumeRules.check(evidence, anomalies);
    EventRules.check(evidence, anomalies);
    TaskRules.check(evidence, anomalies);
    StateRules.check(evidence, anomalies);
    EffectRules.check(evidence, anomalies);
    TimerRules.check(evidence, limits.lateMax(), anomalies);
    LeaseRules.check(evidence, anomalies);
    DefinitionRules.check(evidence, anomalies);
    for (var operation : evidence.operations()) {
      anomalies.addIf(
          operation.kind() == Operation.Kind.PROBE && !operation.isOk(),
          "A1 not-recovered",
          operation.id(),
          operation.span());
    }
    var counts = counts(evidence);
    boolean vacuous =
        counts.getOrDefault("ok", 0L) < limits.okMin()
            || counts.getOrDefault("faultsThatHit", 0L) < evidence.faults().size();
    return new Verdict(anomalies.all(), counts, vacuous);
  }

  private static Map<String, Long> counts(Evidence evidence) {
    var counts = new LinkedHashMap<String, Long>();
    var operations = evidence.operations();
    counts.put("operations", (long) operations.size());
    for (var outcome : Outcome.values()) {
      counts.put(
          outcome.name().toLowerCase(Locale.ROOT),
          operations.stream().filter(operation -> operation.outcome() == outcome).count());
    }
    counts.put("keyedAnswers", (long) evidence.keyed().size());
    counts.put("states", (long) evidence.kept().size());
    counts.put("instances", (long) evidence.rows().instances().size());
    counts.put("commits", (long) evidence.rows().commits().size());
    counts.put("timers", (long) evidence.rows().timers().size());
    counts.put("effects", (long) evidence.effects().size());
    counts.put(
        "repeatedEffects",
        evidence.effects().size()
            - evidence.effects().stream().map(Effect::key).distinct().count());
    counts.put("leasesTaken", (long) evidence.rows().leases().size());
    counts.put("faults", (long) evidence.faults().size());
    counts.put(
        "faultsThatHit",
        evidence.faults().stream()
            .filter(fault ->
                operations.stream()
                    .anyMatch(each -> each.overlaps(fault.fromNanos(), fault.untilNanos())))
            .count());
    return counts;
  }
}
