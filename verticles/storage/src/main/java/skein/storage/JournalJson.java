package skein.storage;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * objects. In place of a message, a list has message and data encrypted.
 */
final class JournalJson {
  /** About how many characters an entry takes, where it has little data. */
  private static final int ENTRY_CHARS = 96;

  /** Of what a line has: it is in the object, a list and the line. */
  private static final int DEPTH = 3;

  private JournalJson() {}

  static String print(List<JournalEntry> entries, StoredValues.Entries values) {
    return isOfOnePiece(entries)
        ? compact(entries, values)
        : JsonText.print(entries.stream().map(entry -> toJson(entry, values)).toList());
  }

  /**
   * What an entry says, as it is stored.
   *
   * @param message a text, or a list of one text: message and data, encrypted
   * @param data what is not encrypted of them
   */
  private record Said(@Nullable Object message, Map<String, @Nullable Object> data) {
    static Said of(JournalEntry entry, StoredValues.Entries values) {
      if (!values.isEncrypting()) {
        return new Said(entry.message(), entry.data());
      }
      var secret = new LinkedHashMap<String, @Nullable Object>(entry.data());
      var outcomes = secret.remove(OUTCOMES);
      if (entry.message() == null && secret.isEmpty()) {
        return new Said(null, entry.data());
      }
      var both = new ArrayList<@Nullable Object>(2);
      both.add(entry.message());
      both.add(secret);
      var sealed = values.seal(entry.sequence(), both);
      if (sealed == null) {
        return new Said(entry.message(), entry.data());
      }
      return new Said(List.of(sealed), outcomes == null ? Map.of() : Map.of(OUTCOMES, outcomes));
    }

    /** The message that was stored, and the data. */
    @SuppressWarnings("unchecked")
    static Said read(
        long sequence,
        @Nullable Object message,
        @Nullable Object data,
        StoredValues.Entries values) {
      var clear =
          data == null ? Map.<String, @Nullable Object>of() : (Map<String, @Nullable Object>) data;
      if (!(message instanceof List<?> sealed)) {
        return new Said(message, clear);
      }
      var both = values.open(sequence, at(sealed, 0));
      var whole = new LinkedHashMap<String, @Nullable Object>(clear);
      if (at(both, 1) instanceof Map<?, ?> secret) {
        whole.putAll((Map<String, @Nullable Object>) secret);
      }
      return new Said(at(both, 0), whole);
    }

    @Nullable String text() {
      return (String) message;
    }
  }

  /** Statements count them. They are names in definitions. */
  private static final String OUTCOMES = "outcomes";

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
    static Activity of(JournalEntry entry) {
      return new Activity(
          entry.activityId(),
          entry.nodeId(),
          entry.activityType(),
          entry.activityTypeVersion(),
          entry.activityName());
    }

    void appendTo(StringBuilder text) {
      text.append('[');
      JsonText.append(text, activityId, DEPTH);
      text.append(',');
      JsonText.append(text, nodeId, DEPTH);
      text.append(',');
      JsonText.append(text, type, DEPTH);
      text.append(',').append(version);
      if (name != null) {
        text.append(',');
        JsonText.append(text, name, DEPTH);
      }
      text.append(']');
    }
  }

  private static String compact(List<JournalEntry> entries, StoredValues.Entries values) {
    var first = entries.getFirst();
    var text = new StringBuilder(ENTRY_CHARS * (entries.size() + 1));
    text.append("{\"at\":\"").append(first.at()).append("\",\"seq\":").append(first.sequence());
    text.append(",\"of\":[");
    var numbers = new HashMap<Activity, Integer>();
    var activities = new int[entries.size()];
    for (int i = 0; i < activities.length; i++) {
      var activity = Activity.of(entries.get(i));
      var known = numbers.putIfAbsent(activity, numbers.size());
      activities[i] = known == null ? numbers.size() - 1 : known;
      if (known == null) {
        text.append(numbers.size() == 1 ? "" : ",");
        activity.appendTo(text);
      }
    }
    text.append("],\"is\":[");
    for (int i = 0; i < activities.length; i++) {
      text.append(i == 0 ? "" : ",");
      line(text, entries.get(i), activities[i], values);
    }
    return text.append("]}").toString();
  }

  private static void line(
      StringBuilder text, JournalEntry entry, int activity, StoredValues.Entries values) {
    text.append('[').append(entry.execution());
    text.append(',').append(entry.parent());
    text.append(',').append(activity).append(',');
    JsonText.append(text, entry.event(), DEPTH);
    var said = Said.of(entry, values);
    boolean hasData = !said.data().isEmpty();
    if (said.message() != null || hasData) {
      text.append(',');
      JsonText.append(text, said.message(), DEPTH);
    }
    if (hasData) {
      text.append(',');
      JsonText.append(text, said.data(), DEPTH);
    }
    text.append(']');
  }

  private static Map<String, @Nullable Object> toJson(
      JournalEntry entry, StoredValues.Entries values) {
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
    var said = Said.of(entry, values);
    if (said.message() != null) {
      json.put("message", said.message());
    }
    if (!said.data().isEmpty()) {
      json.put("data", said.data());
    }
    return json;
  }

  /** The encrypted part of each entry that has data; null: it is stored as it is. */
  static List<@Nullable Object> sealed(Object json) {
    var sealed = new ArrayList<@Nullable Object>();
    if (json instanceof Map<?, ?> compact) {
      for (var line : list(compact.get("is"))) {
        addSealed(at(list(line), 4), at(list(line), 5), sealed);
      }
    } else {
      for (var line : list(json)) {
        if (line instanceof Map<?, ?> entry) {
          addSealed(entry.get("message"), entry.get("data"), sealed);
        }
      }
    }
    return sealed;
  }

  private static void addSealed(
      @Nullable Object message, @Nullable Object data, List<@Nullable Object> sealed) {
    if (message instanceof List<?> list) {
      sealed.add(at(list, 0));
    } else if (message != null
        || (data instanceof Map<?, ?> said && !Set.of(OUTCOMES).containsAll(said.keySet()))) {
      sealed.add(null);
    }
  }

  /** Reads both forms. */
  static List<JournalEntry> parse(Object json, StoredValues.Entries values) {
    var entries = new ArrayList<JournalEntry>();
    switch (json) {
      case Map<?, ?> compact -> expand(compact, entries, values);
      case List<?> lines -> lines.forEach(line -> entries.add(fromJson((Map<?, ?>) line, values)));
      default -> throw new IllegalArgumentException("A journal is an object or an array");
    }
    return entries;
  }

  private static void expand(
      Map<?, ?> json, List<JournalEntry> entries, StoredValues.Entries values) {
    var activities = list(json.get("of"));
    var at = Instant.parse(text(json, "at"));
    long sequence = number(json, "seq");
    for (var line : list(json.get("is"))) {
      entries.add(
          entry(sequence++, at, list(line), number -> list(activities.get(number)), values));
    }
  }

  private static JournalEntry entry(
      long sequence,
      Instant at,
      List<?> line,
      IntFunction<List<?>> activities,
      StoredValues.Entries values) {
    var activity = activities.apply((int) number(line, 2));
    var said = Said.read(sequence, at(line, 4), at(line, 5), values);
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
        said.text(),
        said.data());
  }

  /** How many lines there are in what is stored, of which a few are to be read. */
  static Lines lines(String stored, StoredValues.Entries values) {
    return JsonOutline.of(stored)
        .<Lines>map(outline -> new CompactLines(outline, values))
        .orElseGet(() -> new ParsedLines(parse(parsed(stored), values)));
  }

  /** The lines of one row, in order. */
  sealed interface Lines {
    int size();

    /** The index of the first line that is newer than the one with this sequence; else the size. */
    int after(long sequence);

    /** The entries from one index, inclusive, to another one, exclusive. */
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
  private record CompactLines(JsonOutline outline, StoredValues.Entries values) implements Lines {
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
                    activities.computeIfAbsent(number, n -> list(parsed(outline.element("of", n)))),
                values));
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

  private static JournalEntry fromJson(Map<?, ?> json, StoredValues.Entries values) {
    var said = Said.read(number(json, "sequence"), json.get("message"), json.get("data"), values);
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
        said.text(),
        said.data());
  }

  private static long number(Map<?, ?> json, String key) {
    return json.get(key) instanceof Long value ? value : 0;
  }

  private static String text(Map<?, ?> json, String key) {
    return json.get(key) instanceof String value ? value : "";
  }
}
