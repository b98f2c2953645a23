package skein.faults;

import static java.util.stream.Collectors.groupingBy;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import skein.faults.Operation.Outcome;
import skein.faults.Operation.Span;

/** K1, K2, K3: a key has one answer, all callers get it, and none waits long for it. */
final class KeyRules {
  private KeyRules() {}

  /**
   * @param inUseMax for so long a key may be in use when no caller waits for an answer to it any
   *     more
   */
  static void check(Evidence evidence, Duration inUseMax, Anomalies anomalies) {
    byKey(evidence)
        .forEach((key, answers) -> {
          checkAlike(key, answers, anomalies);
          checkInUse(answers, inUseMax, anomalies);
          boolean ended = answers.stream().anyMatch(KeyedAnswer::isEnd);
          anomalies.addIf(!ended, "K3 key-never-ended", key, answers.getLast());
        });
  }

  private static Map<String, List<KeyedAnswer>> byKey(Evidence evidence) {
    return evidence.keyed().stream()
        .sorted(Comparator.comparingLong(KeyedAnswer::startNanos))
        .collect(groupingBy(KeyedAnswer::key));
  }

  private static void checkAlike(String key, List<KeyedAnswer> answers, Anomalies anomalies) {
    var said =
        answers.stream().filter(KeyedAnswer::isFinal).map(KeyedAnswer::said).distinct().toList();
    anomalies.addIf(said.size() > 1, "K1 keyed-answers-differ", key, said);
  }

  /** After the last one of those that may have executed it was answered, or was lost. */
  private static void checkInUse(
      List<KeyedAnswer> answers, Duration inUseMax, Anomalies anomalies) {
    long worked = Long.MIN_VALUE;
    for (var answer : answers) {
      if (!answer.isInUse()) {
        worked = Math.max(worked, answer.endNanos());
      } else if (worked != Long.MIN_VALUE) {
        long since = answer.startNanos() - worked;
        anomalies.addIf(
            since > inUseMax.toNanos(),
            "K2 key-in-use-for-too-long",
            answer.key(),
            Duration.ofNanos(since));
      }
    }
  }

  /**
   * The same run, where a request with a key has the outcome that all answers to its key tell
   * together: also those that came after its caller had given up.
   */
  static Evidence settled(Evidence evidence) {
    var byKey = byKey(evidence);
    return evidence.with(
        evidence.operations().stream()
            .map(operation ->
                byKey.containsKey(operation.id())
                    ? settled(operation, byKey.get(operation.id()))
                    : operation)
            .toList());
  }

  private static Operation settled(Operation operation, List<KeyedAnswer> answers) {
    var success = answers.stream().filter(KeyedAnswer::isSuccess).findFirst();
    if (success.isPresent()) {
      return operation.isOk() ? operation : succeeded(operation, success.get());
    }
    boolean refused = answers.stream().anyMatch(KeyedAnswer::isFinal);
    boolean unknown =
        answers.stream().anyMatch(answer -> answer.attempt().outcome() == Outcome.UNKNOWN);
    var outcome = refused || !unknown ? Outcome.FAIL : Outcome.UNKNOWN;
    return new Operation(
        operation.id(), operation.kind(), operation.target(), operation.span(), outcome);
  }

  private static Operation succeeded(Operation operation, KeyedAnswer success) {
    var span = operation.span();
    var later =
        new Span(
            span.client(),
            span.node(),
            span.startNanos(),
            Math.max(span.endNanos(), success.endNanos()),
            success.attempt().words());
    var target = Answers.told(operation.kind(), operation.target(), success.attempt().answer());
    return new Operation(operation.id(), operation.kind(), target, later, Outcome.OK);
  }
}
