package skein.conformance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Compares what a client sees in the end with what a case expects. */
final class Expectations {
  private static final Set<String> OF_THE_START = Set.of("http", "error");

  private final Looking looking;

  /** The instances of a definition that the case made. */
  private final Function<String, List<String>> made;

  Expectations(Looking looking, Function<String, List<String>> made) {
    this.looking = looking;
    this.made = made;
  }

  List<String> differences(Map<?, ?> want, String instanceId) {
    var found = new ArrayList<String>();
    if (!OF_THE_START.containsAll(want.keySet())) {
      found.addAll(compare(want, looking.facts(instanceId), ""));
      found.addAll(lines(want, "", () -> looking.lines(instanceId)));
    }
    if (want.containsKey("variables")) {
      found.addAll(
          Pattern.differences(want.get("variables"), looking.variables(instanceId), "variables"));
    }
    if (want.containsKey("journal")) {
      found.addAll(journal(list(want, "journal"), looking.journal(instanceId)));
    }
    if (want.containsKey("records")) {
      found.addAll(records(list(want, "records"), looking.records(instanceId)));
    }
    list(want, "children").forEach(child -> found.addAll(children((Map<?, ?>) child)));
    return found;
  }

  /** The differences of an HTTP answer. */
  static List<String> differences(Map<?, ?> want, Server.Answer answer) {
    var facts = new LinkedHashMap<String, @Nullable Object>();
    facts.put("status", (long) answer.status());
    facts.put("headers", answer.headers());
    facts.put("body", answer.body());
    facts.put("json", answer.json());
    return compare(want, facts, "HTTP ");
  }

  /** Of those facts that something is expected of. */
  static List<String> compare(Map<?, ?> want, Map<String, @Nullable Object> facts, String where) {
    var found = new ArrayList<String>();
    facts.forEach((name, value) -> {
      if (want.containsKey(name)) {
        found.addAll(Pattern.differences(want.get(name), value, where + name));
      }
    });
    return found;
  }

  private interface Lines {
    List<String> read();
  }

  private static List<String> lines(Map<?, ?> want, String where, Lines written) {
    if (!want.containsKey("lines") && !want.containsKey("linesAnyOrder")) {
      return List.of();
    }
    var lines = written.read();
    var found = new ArrayList<>(compare(want, Map.of("lines", lines), where));
    if (want.containsKey("linesAnyOrder")) {
      found.addAll(
          Pattern.differences(
              list(want, "linesAnyOrder").stream().map(String::valueOf).sorted().toList(),
              lines.stream().sorted().toList(),
              where + "linesAnyOrder"));
    }
    return found;
  }

  private static List<String> journal(List<?> wanted, List<Object> entries) {
    var found = new ArrayList<String>();
    for (var item : wanted) {
      var want = (Map<?, ?>) item;
      var count =
          entries.stream()
              .filter(entry ->
                  want.entrySet().stream()
                      .filter(e -> !e.getKey().equals("count"))
                      .allMatch(e ->
                          Objects.equals(
                              e.getValue(), Pattern.dig(entry, String.valueOf(e.getKey())))))
              .count();
      found.addAll(Pattern.differences(want.get("count"), count, "journal entries " + want));
    }
    return found;
  }

  private static List<String> records(List<?> wanted, List<?> records) {
    var found = new ArrayList<String>();
    for (var item : wanted) {
      var want = (Map<?, ?>) item;
      var chosen = records.stream().filter(record -> isMeant(want, record)).toList();
      found.addAll(Pattern.differences(want.get("count"), (long) chosen.size(), "records " + want));
      for (var record : chosen) {
        var facts = new LinkedHashMap<String, @Nullable Object>();
        facts.put("status", Pattern.dig(record, "status"));
        facts.put("state", orEmpty(Pattern.dig(record, "activityState")));
        facts.put("outputs", orEmpty(Pattern.dig(record, "outputs")));
        facts.put("outcomes", Pattern.dig(record, "payload.outcomes"));
        found.addAll(compare(want, facts, "record " + Pattern.dig(record, "activityId") + " "));
      }
    }
    return found;
  }

  private static Object orEmpty(@Nullable Object value) {
    return value == null ? Map.of() : value;
  }

  private static boolean isMeant(Map<?, ?> want, @Nullable Object record) {
    for (var key : List.of("activityId", "activityName", "activityType")) {
      if (want.containsKey(key) && !Objects.equals(want.get(key), Pattern.dig(record, key))) {
        return false;
      }
    }
    return true;
  }

  private List<String> children(Map<?, ?> want) {
    var ids = made.apply(String.valueOf(want.get("definitionId")));
    var where = "child " + want.get("definitionId") + " ";
    var facts = ids.stream().map(looking::facts).toList();
    var all = new LinkedHashMap<String, @Nullable Object>();
    all.put("count", (long) ids.size());
    all.put(
        "correlationIds",
        facts.stream().map(fact -> String.valueOf(fact.get("correlationId"))).sorted().toList());
    var found = new ArrayList<>(compare(want, all, where));
    facts.forEach(fact -> found.addAll(compare(want, fact, where)));
    found.addAll(
        lines(want, where, () -> ids.stream().flatMap(id -> looking.lines(id).stream()).toList()));
    return found;
  }

  private static List<?> list(Map<?, ?> value, String name) {
    return value.get(name) instanceof List<?> list ? list : List.of();
  }
}
