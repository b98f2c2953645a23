package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/**
 * What Elsa 3.8 says of the activities that are here, too, and where what is said here differs.
 *
 * <p>{@code elsa-activities.json} has facts of Elsa's classes and of its descriptions of them:
 * names, types, values. Members that are as in {@code defaults} are left out. Instead of the
 * description {@code described} says whether there is one. Of several names of one status code
 * there is one. What is of SQL and mail is of release 3.7 of Elsa's extensions.
 *
 * <p>{@code elsa-activities-differences.txt} has a line for each difference, below its reason in
 * brackets:
 *
 * <pre>
 * [PATCH can be chosen, too]
 * Elsa.HttpEndpoint | inputs.SupportedMethods.uiSpecifications | theirs | ours
 * </pre>
 */
final class ElsaActivities {
  /** The lists of a descriptor, with the name of their defaults. */
  static final Map<String, String> LISTS =
      Map.of("ports", "port", "inputs", "input", "outputs", "output");

  private static final String TABLE = "/skein/http/elsa-activities.json";
  private static final String RECORD = "/skein/http/elsa-activities-differences.txt";

  private ElsaActivities() {}

  /** A line of the record. */
  record Known(String reason, String difference) {}

  /** Descriptors with all members. */
  static List<Map<String, @Nullable Object>> all() throws IOException {
    var table = JsonText.parseObject(text(TABLE), JsonLimits.STORED);
    var defaults = requireNonNull(Json.object(table.get("defaults")));
    return Json.list(table.get("activities")).stream()
        .map(activity -> {
          var all = filled(activity, defaults, "activity");
          LISTS.forEach((list, kind) ->
              all.put(
                  list,
                  Json.list(all.get(list)).stream()
                      .map(item -> filled(item, defaults, kind))
                      .toList()));
          return all;
        })
        .toList();
  }

  private static Map<String, @Nullable Object> filled(
      @Nullable Object given, Map<String, @Nullable Object> defaults, String kind) {
    var all =
        new LinkedHashMap<String, @Nullable Object>(
            requireNonNull(Json.object(defaults.get(kind))));
    all.putAll(requireNonNull(Json.object(given)));
    return all;
  }

  /** The differences that are known. */
  static List<Known> known() throws IOException {
    var known = new ArrayList<Known>();
    var reason = "";
    for (var line : text(RECORD).lines().toList()) {
      if (line.startsWith("[")) {
        reason = line.substring(1, line.length() - 1);
      } else if (!line.isEmpty()) {
        known.add(new Known(reason, line));
      }
    }
    return known;
  }

  private static String text(String file) throws IOException {
    try (var in = requireNonNull(ElsaActivities.class.getResourceAsStream(file))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
