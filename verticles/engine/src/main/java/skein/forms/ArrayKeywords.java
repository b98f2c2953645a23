package skein.forms;

import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keywords that look at arrays. */
final class ArrayKeywords {
  private final KeywordReader json;
  private final Schema schema;

  ArrayKeywords(KeywordReader json) {
    this.json = json;
    this.schema = json.schema();
  }

  @FunctionalInterface
  private interface ArrayTest {
    boolean check(Check check, List<?> list, FormLocation at, @Nullable Evaluated seen);
  }

  private void add(ArrayTest test) {
    schema.add((check, value, at, seen) ->
        !(value instanceof List<?> list) || test.check(check, list, at, seen));
  }

  void read() {
    var most = json.count("maxItems");
    if (most != null) {
      add((check, list, at, _) ->
          list.size() <= most || check.wrong(at, "must have at most " + most + " items"));
    }
    var least = json.count("minItems");
    if (least != null) {
      add((check, list, at, _) ->
          list.size() >= least || check.wrong(at, "must have at least " + least + " items"));
    }
    if (json.flag("uniqueItems")) {
      add((check, list, at, _) ->
          areUnique(check, list) || check.wrong(at, "must not have the same item twice"));
    }
    readItems();
    readContains();
  }

  private static boolean areUnique(Check check, List<?> list) {
    var seen = HashSet.<String>newHashSet(list.size());
    for (var item : list) {
      if (!seen.add(Values.canonical(check, item))) {
        return false;
      }
    }
    return true;
  }

  private void readItems() {
    var isList = json.get("items") instanceof List<?> list && !list.isEmpty();
    var first = isList ? json.schemas("items") : json.schemas("prefixItems");
    var rest =
        isList
            ? json.schema("additionalItems")
            : json.get("items") instanceof List<?> ? null : json.schema("items");
    if (!first.isEmpty() || rest != null) {
      add((check, list, at, seen) -> items(check, first, rest, list, at, seen));
    }
  }

  private static boolean items(
      Check check,
      List<Schema> first,
      @Nullable Schema rest,
      List<?> list,
      FormLocation at,
      @Nullable Evaluated seen) {
    var fits = true;
    for (var i = 0; i < list.size(); i++) {
      var wanted = i < first.size() ? first.get(i) : rest;
      if (wanted == null) {
        break;
      }
      if (!wanted.check(check, list.get(i), at.at(i), null)) {
        fits = false;
        if (check.isQuiet()) {
          break;
        }
      }
      if (seen != null) {
        seen.addItem(i);
      }
    }
    if (seen != null && rest != null) {
      seen.addAllItems();
    }
    return fits;
  }

  private void readContains() {
    var contained = json.schema("contains");
    var least = json.count("minContains");
    var most = json.count("maxContains");
    if (contained != null) {
      var wanted = least == null ? 1 : least;
      add((check, list, at, seen) -> {
        var found = 0;
        for (var i = 0; i < list.size(); i++) {
          if (contained.fits(check, list.get(i), at.at(i), null)) {
            found++;
            if (seen != null) {
              seen.addItem(i);
            }
          }
        }
        return (found >= wanted && (most == null || found <= most))
            || check.wrong(
                at,
                "must have %s to %s items that fit the schema at %s, and has %d"
                    .formatted(
                        wanted, most == null ? "any number of" : most, contained.place(), found));
      });
    }
  }

  void readUnevaluated() {
    var wanted = json.schema("unevaluatedItems");
    if (wanted == null) {
      return;
    }
    json.schema().askWhatIsEvaluated();
    add((check, list, at, seen) -> {
      var fits = true;
      for (var i = 0; i < list.size() && seen != null; i++) {
        if (!seen.hasItem(i) && !wanted.check(check, list.get(i), at.at(i), null)) {
          fits = false;
          if (check.isQuiet()) {
            break;
          }
        }
      }
      if (seen != null) {
        seen.addAllItems();
      }
      return fits;
    });
  }
}
