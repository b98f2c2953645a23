package skein.codecs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.Alteration;
import skein.model.Alteration.Target;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Alterations as Elsa's API writes them: an object each, distinguished by {@code type}.
 *
 * <ul>
 *   <li>{@code ModifyVariable {variableId, value}}
 *   <li>{@code ScheduleActivity {activityId | activityInstanceId}}
 *   <li>{@code CancelActivity {activityId | activityInstanceId}}
 *   <li>{@code Migrate {targetVersion, activities}}; {@code activities} maps old to new ids
 *   <li>{@code Retry {activityIds}}; none: all that are faulted
 *   <li>{@code Cancel}
 *   <li>{@code Skip {activityId | activityInstanceId, output, outcomes, reason}}; not one of Elsa's
 * </ul>
 */
public final class AlterationJson {
  private static final int ALTERATIONS_MAX = 1_000;

  private AlterationJson() {}

  /** Refuses with {@code INVALID_REQUEST} and the place of what is wrong. */
  public static List<Alteration> read(@Nullable Object json) {
    return read(json, false);
  }

  /**
   * The same of what a plan has stored: a type that is not known is one of a newer version, which
   * has checked it.
   *
   * @throws SkeinException {@code NEWER_FORMAT} for such a type
   */
  public static List<Alteration> stored(@Nullable Object json) {
    return read(json, true);
  }

  private static List<Alteration> read(@Nullable Object json, boolean stored) {
    if (!(json instanceof List<?> items) || items.isEmpty() || items.size() > ALTERATIONS_MAX) {
      throw invalid("\"alterations\" must be a list of 1 to " + ALTERATIONS_MAX + " alterations");
    }
    var alterations = new ArrayList<Alteration>();
    for (var item : items) {
      if (!(item instanceof Map<?, ?> members)) {
        throw invalid("alteration " + (alterations.size() + 1) + " is not an object");
      }
      alterations.add(read(members, alterations.size() + 1, stored));
    }
    return alterations;
  }

  private static Alteration read(Map<?, ?> json, int number, boolean stored) {
    var type = String.valueOf(json.get("type"));
    return switch (type) {
      case "ModifyVariable" ->
          new Alteration.ModifyVariable(text(json, "variableId", number), json.get("value"));
      case "ScheduleActivity" -> new Alteration.ScheduleActivity(target(json, number));
      case "CancelActivity" -> new Alteration.CancelActivity(target(json, number));
      case "Migrate" -> {
        if (!(json.get("targetVersion") instanceof Long version)
            || version < 1
            || version > Integer.MAX_VALUE) {
          throw invalid("alteration " + number + ": \"targetVersion\" is not a version");
        }
        yield new Alteration.Migrate(version.intValue(), ids(json.get("activities"), number));
      }
      case "Retry" -> new Alteration.Retry(texts(json, "activityIds", number));
      case "Cancel" -> new Alteration.Cancel();
      case "Skip" ->
          new Alteration.Skip(
              target(json, number),
              output(json.get("output"), number),
              texts(json, "outcomes", number),
              reason(json.get("reason"), number));
      default ->
          throw stored
              ? SkeinException.newerFormat("The alteration " + type, null)
              : invalid(
                  "alteration "
                      + number
                      + ": the type \""
                      + type
                      + "\" is none of ModifyVariable, ScheduleActivity, CancelActivity, Migrate,"
                      + " Retry, Cancel, Skip");
    };
  }

  private static Target target(Map<?, ?> json, int number) {
    if (json.get("activityInstanceId") instanceof String id) {
      try {
        return Target.execution(Integer.parseInt(id.substring(id.lastIndexOf("-a") + 2)));
      } catch (NumberFormatException e) {
        throw invalid(
            "alteration " + number + ": \"" + id + "\" is not the id of an activity execution");
      }
    }
    return Target.activity(text(json, "activityId", number));
  }

  private static String text(Map<?, ?> json, String member, int number) {
    if (json.get(member) instanceof String text && !text.isBlank()) {
      return text;
    }
    throw invalid("alteration " + number + ": \"" + member + "\" is missing");
  }

  private static List<String> texts(Map<?, ?> json, String member, int number) {
    var texts = new ArrayList<String>();
    if (json.get(member) instanceof List<?> items) {
      for (var item : items) {
        if (!(item instanceof String text)) {
          throw invalid("alteration " + number + ": \"" + member + "\" must hold text");
        }
        texts.add(text);
      }
    }
    return texts;
  }

  private static Map<String, @Nullable Object> output(@Nullable Object json, int number) {
    var output = new LinkedHashMap<String, @Nullable Object>();
    if (json instanceof Map<?, ?> members) {
      members.forEach((name, value) -> output.put(String.valueOf(name), value));
    } else if (json != null) {
      throw invalid("alteration " + number + ": \"output\" must map names to values");
    }
    return output;
  }

  private static @Nullable String reason(@Nullable Object json, int number) {
    if (json == null || json instanceof String) {
      return (String) json;
    }
    throw invalid("alteration " + number + ": \"reason\" must be text");
  }

  private static Map<String, String> ids(@Nullable Object json, int number) {
    var ids = new LinkedHashMap<String, String>();
    if (json instanceof Map<?, ?> members) {
      members.forEach((from, to) -> {
        if (!(to instanceof String id)) {
          throw invalid("alteration " + number + ": \"activities\" must map ids to ids");
        }
        ids.put(String.valueOf(from), id);
      });
    }
    return ids;
  }

  private static SkeinException invalid(String what) {
    return new SkeinException(ErrorCode.INVALID_REQUEST, what);
  }
}
