package skein.activities;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The outcome of a {@link WorkOrder}; travels as JSON under {@link #KEY} of the input. */
public sealed interface WorkResult {
  String KEY = "work";

  /** {@code passing}: the answer says that it may succeed on retry. */
  record Done(Map<String, @Nullable Object> value, boolean passing) implements WorkResult {}

  /**
   * It could not be done.
   *
   * @param type a stable name of the kind of failure, such as {@code Timeout}
   * @param passing it may succeed on retry
   */
  record Failed(String type, String message, boolean passing) implements WorkResult {}

  boolean passing();

  /** The value, or the failure as a fault of the activity. */
  default Map<String, @Nullable Object> orFault() {
    return switch (this) {
      case Done(var value, _) -> value;
      case Failed(var type, var message, _) -> throw new FaultException(type, message);
    };
  }

  /** Null where the input is not that of a result. */
  static @Nullable WorkResult read(Map<String, @Nullable Object> input) {
    var json = Json.object(input.get(KEY));
    if (json == null) {
      return null;
    }
    var passing = Boolean.TRUE.equals(json.get("passing"));
    var value = Json.object(json.get("value"));
    if (value != null) {
      return new Done(value, passing);
    }
    var type = Json.text(json, "type");
    var message = Json.text(json, "message");
    return new Failed(
        type == null ? "WorkFailed" : type, message == null ? "no message" : message, passing);
  }

  default Map<String, @Nullable Object> toInput() {
    var json = new LinkedHashMap<String, @Nullable Object>();
    switch (this) {
      case Done(var value, _) -> json.put("value", value);
      case Failed(var type, var message, _) -> {
        json.put("type", type);
        json.put("message", message);
      }
    }
    json.put("passing", passing());
    return Map.of(KEY, json);
  }
}
