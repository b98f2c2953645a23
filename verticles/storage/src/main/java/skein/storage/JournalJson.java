package skein.storage;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonOutline;
import skein.codecs.JsonText;
import skein.model.JournalEntry;

/**
 * The journal lines of one burst as the JSON that is stored.
 *
 * <p>What the lines have in common is written once: {@code {"at": …, "seq": the first line's
 * sequence, "of": [[activityId, nodeId, activityType, its version, name?]…], "is": [[execution,
 * parent, number in "of", event, message?, data?]…]}}. Each line as an object of its own in an
 * array is the older form; lines that are not of one instant, or not numbered one after the other,
 * still have it. The function {@code journal_lines} of the schema gives both to SQL as such
 * objects.
 */
final class JournalJson {
  private JournalJson() {}

  static String print(List<JournalEntry> entries) {
    return JsonText.print(
        isOfOnePiece(entries)
            ? compact(entries)
            : entries.stream().map(JournalJson::toJson).toList());
  }

  private static boolean isOfOnePiece(List<JournalEntry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      var first = entries.getFirst();
      var entry = entries.get(i);
      if (entry.sequence() != first.sequence() + i || !entry.at().equals(first.at())) {
        return false;
      }
    }
    return !entries.isEmpty();
  }

  private record Activity(
      String activityId, String nodeId, String type, int version, @Nullable String name) {
    List<@Nullable Object> toJson() {
      var json = new ArrayList<@Nullable Object>(List.of(activityId, nodeId, type, (long) version));
      if (name != null) {
        json.add(name);
      }
      return json;
    }
  }

  private static Map<String, @Nullable Object> compact(List<JournalEntry> entries) {
    var numbers = new LinkedHashMap<Activity, Integer>();
    var lines = new ArrayList<@Nullable Object>(entries.size());
    for (var entry : entries) {
      var activity =
          new Activity(
              entry.activityId(),
              entry.nodeId(),
              entry.activityType(),
              entry.activityTypeVersion(),
              entry.activityName());
      var known = numbers.putIfAbsent(activity, numbers.size());
      lines.add(line(entry, known == null ? numbers.size() - 1 : known));
    }
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("at", entries.getFirst().at().toString());
    json.put("seq", entries.getFirst().sequence());
    json.put("of", numbers.keySet().stream().map(Activity::toJson).toList());
    json.put("is", lines);
    return json;
  }

  private static List<@Nullable Object> line(JournalEntry entry, long activity) {
    var line = new ArrayList<@Nullable Object>(6);
    line.add((long) entry.execution());
    line.add((long) entry.parent());
    line.add(activity);
    line.add(entry.event());
    boolean hasData = !entry.data().isEmpty();
    if (entry.message() != null || hasData) {
      line.add(entry.message());
    }
    if (hasData) {
      line.add(entry.data());
    }
    return line;
  }

  private static Map<String, @Nullable Object> toJson(JournalEntry entry) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("sequence", entry.sequence());
    json.put("at", entry.at().toString());
    json.put("execution", (long) entry.execution());
    json.put("parent", (long) entry.parent());
    json.put("activityId", entry.activityId());
    json.put("nodeId", entry.nodeId());
    json.put("activityType", entry.activityType());
    json.put("activityTypeVersion", (long) entry.activityTypeVersion());
    if (entry.activityName() != null) {
      json.put("activityName", entry.activityName());
    }
    json.put("event", entry.event());
    if (entry.message() != null) {
      json.put("message", entry.message());
    }
    if (!entry.data().isEmpty()) {
      json.put("data", entry.data());
    }
    return json;
  }

  /** Reads both forms. */
  static List<JournalEntry> parse(Object json) {
    var entries = new ArrayList<JournalEntry>();
    switch (json) {
      case Map<?, ?> compact -> expand(compact, entries);
      case List<?> lines -> lines.forEach(line -> entries.add(fromJson((Map<?, ?>) line)));
      default -> throw new IllegalArgumentException("A journal is an object or an array");
    }
    return entries;
  }

  private static void expand(Map<?, ?> json, List<JournalEntry> entries) {
    var activities = list(json.get("of"));
    var at = Instant.parse(text(json, "at"));
    long sequence = number(json, "seq");
    for (var line : list(json.get("is"))) {
      entries.add(entry(sequence++, at, list(line), number -> list(activities.get(number))));
    }
  }

  @SuppressWarnings("unchecked")
  private static JournalEntry entry(
      long sequence, Instant at, List<?> line, IntFunction<List<?>> activities) {
    var activity = activities.apply((int) number(line, 2));
    var data = at(line, 5);
    return new JournalEntry(
        sequence,
        at,
        (int) number(line, 0),
        (int) number(line, 1),
        text(activity, 0),
        text(activity, 1),
        text(activity, 2),
        (int) number(activity, 3),
        (String) at(activity, 4),
        text(line, 3),
        (String) at(line, 4),
        data == null ? Map.of() : (Map<String, @Nullable Object>) data);
  }

  /** How many lines there are in what is stored, of which a few are to be read. */
  static Lines lines(String stored) {
    return JsonOutline.of(stored)
        .<Lines>map(CompactLines::new)
        .orElseGet(() -> new ParsedLines(parse(parsed(stored))));
  }

  /** The lines of one row, in order. */
  sealed interface Lines {
    int size();

    /** The index of the first line that is newer than the one with this sequence; else the size. */
    int after(long sequence);

    /** From one index, inclusive, to another one, exclusive. */
    List<JournalEntry> entries(int from, int to);
  }

  private record ParsedLines(List<JournalEntry> entries) implements Lines {
    @Override
    public int size() {
      return entries.size();
    }

    @Override
    public int after(long sequence) {
      int index = 0;
      while (index < entries.size() && entries.get(index).sequence() <= sequence) {
        index++;
      }
      return index;
    }

    @Override
    public List<JournalEntry> entries(int from, int to) {
      return entries.subList(from, to);
    }
  }

  /**
   * Makes entries of those lines alone that are asked for, and of the activities that they name.
   */
  private record CompactLines(JsonOutline outline) implements Lines {
    @Override
    public int size() {
      return outline.size("is");
    }

    private long first() {
      return Long.parseLong(outline.scalar("seq").orElse("0"));
    }

    @Override
    public int after(long sequence) {
      return Math.clamp(sequence + 1 - first(), 0, size());
    }

    @Override
    public List<JournalEntry> entries(int from, int to) {
      var at = Instant.parse(outline.scalar("at").orElse(""));
      long sequence = first() + from;
      var activities = new HashMap<Integer, List<?>>();
      var entries = new ArrayList<JournalEntry>(to - from);
      for (var line : list(parsed(outline.elements("is", from, to)))) {
        entries.add(
            entry(
                sequence++,
                at,
                list(line),
                number ->
                    activities.computeIfAbsent(
                        number, n -> list(parsed(outline.element("of", n))))));
      }
      return entries;
    }
  }

  private static Object parsed(String stored) {
    return requireNonNull(JsonText.parse(stored, JsonLimits.STORED), "journal");
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  private static @Nullable Object at(List<?> list, int index) {
    return index < list.size() ? list.get(index) : null;
  }

  private static long number(List<?> list, int index) {
    return at(list, index) instanceof Long value ? value : 0;
  }

  private static String text(List<?> list, int index) {
    return at(list, index) instanceof String value ? value : "";
  }

  @SuppressWarnings("unchecked")
  private static JournalEntry fromJson(Map<?, ?> json) {
    var data = json.get("data");
    return new JournalEntry(
        number(json, "sequence"),
        Instant.parse(text(json, "at")),
        (int) number(json, "execution"),
        (int) number(json, "parent"),
        text(json, "activityId"),
        text(json, "nodeId"),
        text(json, "activityType"),
        (int) number(json, "activityTypeVersion"),
        (String) json.get("activityName"),
        text(json, "event"),
        (String) json.get("message"),
        data == null ? Map.of() : (Map<String, @Nullable Object>) data);
  }

  private static long number(Map<?, ?> json, String key) {
    return json.get(key) instanceof Long value ? value : 0;
  }

  private static String text(Map<?, ?> json, String key) {
    return json.get(key) instanceof String value ? value : "";
  }
}
