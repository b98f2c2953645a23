package skein.forms;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One schema of a form: its keywords in the order in which they are applied. */
final class Schema {
  private final String place;
  private final Resource resource;
  private final List<Keyword> keywords = new ArrayList<>();
  private final List<Schema> inPlace = new ArrayList<>();
  private boolean asksWhatIsEvaluated;

  /** One keyword, or several that are applied together. */
  @FunctionalInterface
  interface Keyword {
    /**
     * @param seen what has been evaluated of the value so far; null when it is not needed
     */
    boolean check(Check check, @Nullable Object value, FormLocation at, @Nullable Evaluated seen);
  }

  /** {@code place}: in the form, as a JSON pointer. */
  Schema(String place, Resource resource) {
    this.place = place;
    this.resource = resource;
  }

  String place() {
    return place.isEmpty() ? "/" : place;
  }

  Resource resource() {
    return resource;
  }

  List<Keyword> keywords() {
    return keywords;
  }

  void add(Keyword keyword) {
    keywords.add(keyword);
  }

  /** A keyword of this very schema asks what the others have evaluated. */
  void askWhatIsEvaluated() {
    asksWhatIsEvaluated = true;
  }

  /** {@code into}: takes what was evaluated of the value, if the value fits. */
  boolean check(Check check, @Nullable Object value, FormLocation at, @Nullable Evaluated into) {
    var entered = check.begin(resource);
    var seen = into != null || asksWhatIsEvaluated ? new Evaluated() : null;
    var fits = true;
    for (var keyword : keywords) {
      check.spend(1);
      if (!keyword.check(check, value, at, seen)) {
        fits = false;
        if (check.isQuiet()) {
          break;
        }
      }
    }
    check.end(entered);
    if (fits && into != null && seen != null) {
      check.spend(seen.size());
      into.addAll(seen);
    }
    return fits;
  }

  /** The same, without a word about what is wrong. */
  boolean fits(Check check, @Nullable Object value, FormLocation at, @Nullable Evaluated into) {
    return check.quietly(() -> check(check, value, at, into));
  }

  /** Is applied to the same value as this one. */
  void addInPlace(Schema schema) {
    inPlace.add(schema);
  }

  List<Schema> inPlace() {
    return inPlace;
  }

  /** Numbers are integers when they have no fraction. */
  static final Set<String> TYPES =
      Set.of("null", "boolean", "object", "array", "number", "string", "integer");
}
