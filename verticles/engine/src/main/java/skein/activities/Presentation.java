package skein.activities;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data that designers show of a kind of activity besides its inputs.
 *
 * @param title null: its type name in words
 * @param browsable whether it is offered for adding
 * @param start whether a flowchart begins with it
 * @param properties facts for designers, such as {@code RootType}; JSON values
 * @param construction members that a new activity's JSON begins with; JSON values
 */
public record Presentation(
    @Nullable String title,
    boolean browsable,
    boolean start,
    Map<String, @Nullable Object> properties,
    Map<String, @Nullable Object> construction) {
  static final Presentation PLAIN = new Presentation(null, true, false, Map.of(), Map.of());

  public Presentation {
    properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    construction = Collections.unmodifiableMap(new LinkedHashMap<>(construction));
  }

  Presentation withTitle(String next) {
    return new Presentation(next, browsable, start, properties, construction);
  }

  Presentation hidden() {
    return new Presentation(title, false, start, properties, construction);
  }

  Presentation asStart() {
    return new Presentation(title, browsable, true, properties, construction);
  }

  Presentation with(
      Map<String, @Nullable Object> nextProperties,
      Map<String, @Nullable Object> nextConstruction) {
    return new Presentation(title, browsable, start, nextProperties, nextConstruction);
  }
}
