package skein.faults;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;

import skein.faults.Rows.Entry;

/** E1, E2: what was called outside was committed before, once by key, and nothing was forgotten. */
final class EffectRules {
  private static final String TYPE = "Elsa.SendHttpRequest";

  private EffectRules() {}

  static void check(Evidence evidence, Anomalies anomalies) {
    var calls = evidence.rows().entries().stream().filter(e -> e.type().equals(TYPE)).toList();
    var called = evidence.effects().stream().map(EffectRules::of).collect(toSet());
    calls.stream()
        .filter(entry -> entry.completes(TYPE) && !called.contains(of(entry)))
        .forEach(entry -> anomalies.add("E1 outbox-undelivered", entry));

    var begun = calls.stream().map(EffectRules::of).collect(toSet());
    evidence.effects().stream()
        .filter(effect -> !begun.contains(of(effect)))
        .forEach(effect -> anomalies.add("E1 outbox-of-uncommitted", effect));

    evidence.effects().stream()
        .collect(groupingBy(EffectRules::of, mapping(Effect::key, toSet())))
        .forEach((step, keys) ->
            anomalies.addIf(keys.size() > 1, "E2 effect-with-two-keys", step, keys));
    evidence.effects().stream()
        .collect(groupingBy(Effect::key, mapping(EffectRules::of, toSet())))
        .forEach(
            (key, steps) -> anomalies.addIf(steps.size() > 1, "E2 key-of-two-effects", key, steps));
  }

  private static String of(Entry entry) {
    return entry.instance() + " " + entry.activity();
  }

  private static String of(Effect effect) {
    return effect.instance() + " " + effect.step();
  }
}
