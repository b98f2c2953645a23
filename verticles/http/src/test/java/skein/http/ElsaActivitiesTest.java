package skein.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.activities.Json;
import skein.codecs.JsonText;

/** Compares the descriptors of activities with Elsa's, member by member. */
class ElsaActivitiesTest {
  private static final int SHOWN_MAX = 60;
  private static final ActivityDescriptorJson JSON = new ActivityDescriptorJson("");
  private static final String THERE = "there";
  private static final String NOT_THERE = "not there";

  @Test
  void every_difference_from_elsa_is_on_record() throws IOException {
    var known = new TreeSet<String>();
    for (var line : ElsaActivities.known()) {
      assertThat(line.reason()).as(line.difference()).isNotBlank();
      assertThat(known.add(line.difference())).as(line.difference()).isTrue();
    }

    assertThat(new TreeSet<>(differences())).isEqualTo(known);
  }

  /** Designers show them by the member order, and those with the same one as they are listed. */
  @Test
  void inputs_outputs_and_ports_have_elsas_order() throws IOException {
    for (Map<String, @Nullable Object> elsas : ElsaActivities.all()) {
      var ours = ours(elsas);
      for (var list : ElsaActivities.LISTS.keySet()) {
        var theirs = shown(elsas, list);
        var both = new ArrayList<>(shown(ours, list));
        both.retainAll(theirs);
        theirs.retainAll(both);

        assertThat(both).as("%s of %s", list, elsas.get("typeName")).isEqualTo(theirs);
      }
    }
  }

  @Test
  void all_activities_of_elsas_that_are_here_are_compared() throws IOException {
    var known = new TreeSet<String>();
    for (Map<String, @Nullable Object> elsas : ElsaActivities.all()) {
      known.add(String.valueOf(elsas.get("typeName")));
    }
    var others = new TreeSet<>(Activities.builtIn().types());
    others.removeAll(known);

    assertThat(others)
        .filteredOn(type -> type.startsWith("Elsa."))
        .as("They are abstract classes in Elsa, and no activities")
        .containsExactly("Elsa.Composite", "Elsa.Container");
    assertThat(known).hasSize(49).isSubsetOf(Activities.builtIn().types());
  }

  private static List<String> differences() throws IOException {
    var all = new ArrayList<String>();
    for (Map<String, @Nullable Object> elsas : ElsaActivities.all()) {
      var ours = ours(elsas);
      var type = String.valueOf(elsas.get("typeName"));
      elsas.forEach((member, value) -> {
        if (!ElsaActivities.LISTS.containsKey(member)) {
          compare(all, type + " | " + member, value, ours.get(member));
        }
      });
      for (var list : ElsaActivities.LISTS.keySet()) {
        compareLists(all, type + " | " + list, named(elsas, list), named(ours, list));
      }
    }
    return all;
  }

  private static void compareLists(
      List<String> all,
      String at,
      Map<String, Map<String, @Nullable Object>> elsas,
      Map<String, Map<String, @Nullable Object>> ours) {
    elsas.forEach((name, theirs) -> {
      var item = ours.get(name);
      if (item == null) {
        all.add(line(at + "." + name, THERE, NOT_THERE));
        return;
      }
      theirs.forEach((member, value) -> {
        var place = at + "." + name + "." + member;
        if (!member.equals("described")) {
          compare(all, place, value, item.get(member));
        } else if (Boolean.TRUE.equals(value)) { // More may be described here.
          compare(all, place, true, item.get("description") != null);
        }
      });
    });
    ours.keySet().stream()
        .filter(name -> !elsas.containsKey(name))
        .forEach(name -> all.add(line(at + "." + name, NOT_THERE, THERE)));
  }

  private static void compare(
      List<String> all, String at, @Nullable Object theirs, @Nullable Object ours) {
    var expected = JsonText.canonical(theirs);
    var actual = JsonText.canonical(ours);
    if (!expected.equals(actual)) {
      all.add(line(at, brief(expected), brief(actual)));
    }
  }

  private static String line(String at, String theirs, String ours) {
    return at + " | " + theirs + " | " + ours;
  }

  private static String brief(String json) {
    return json.length() <= SHOWN_MAX ? json : json.substring(0, SHOWN_MAX - 3) + "...";
  }

  private static Map<String, @Nullable Object> ours(Map<String, @Nullable Object> elsas) {
    var type = String.valueOf(elsas.get("typeName"));
    var activity = requireNonNull(Activities.builtIn().find(type, 1), type);
    return JSON.of(activity.descriptor());
  }

  private static Map<String, Map<String, @Nullable Object>> named(
      Map<String, @Nullable Object> descriptor, String list) {
    var named = new LinkedHashMap<String, Map<String, @Nullable Object>>();
    for (var item : items(descriptor, list)) {
      named.put(String.valueOf(item.get("name")), item);
    }
    return named;
  }

  /** Names in the order in which designers show them. */
  private static List<String> shown(Map<String, @Nullable Object> descriptor, String list) {
    var byOrder = new TreeMap<Double, List<String>>();
    for (var item : items(descriptor, list)) {
      var order = item.get("order") instanceof Number number ? number.doubleValue() : 0;
      var name = String.valueOf(item.get("name"));
      byOrder.computeIfAbsent(order, _ -> new ArrayList<>()).add(name);
    }
    var names = new ArrayList<String>();
    byOrder.values().forEach(names::addAll);
    return names;
  }

  private static List<Map<String, @Nullable Object>> items(
      Map<String, @Nullable Object> descriptor, String list) {
    var items = new ArrayList<Map<String, @Nullable Object>>();
    for (var item : Json.list(descriptor.get(list))) {
      items.add(requireNonNull(Json.object(item)));
    }
    return items;
  }
}
