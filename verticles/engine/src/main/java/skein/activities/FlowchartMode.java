package skein.activities;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How flowcharts decide when an activity runs that several connections lead to. */
public enum FlowchartMode {
  /** Connections are counted, and those that can no longer be followed do not block. */
  COUNTER,
  /** Tokens travel along connections; each activity says how it merges them. */
  TOKEN;

  /** Elsa's name for it among the custom properties of a workflow. */
  private static final String PROPERTY = "Flowchart:ExecutionMode";

  /** The mode that a definition asks for; null when it leaves it to the engine. */
  static @Nullable FlowchartMode of(Map<String, @Nullable Object> definition) {
    var custom = Json.object(Json.member(definition, "customProperties"));
    var mode = custom == null ? null : Json.text(custom, PROPERTY);
    return switch (mode == null ? "" : mode.toLowerCase(Locale.ROOT)) {
      case "tokenbased", "1" -> TOKEN;
      case "counterbased", "2" -> COUNTER;
      default -> null;
    };
  }
}
