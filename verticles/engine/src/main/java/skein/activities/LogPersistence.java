package skein.activities;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which inputs and outputs of an activity its journal entries may show. Made once, when a
 * definition is compiled; immutable.
 *
 * <p>Elsa's {@code customProperties} say it, the newer {@code logPersistenceConfig} before the
 * older {@code logPersistenceMode}: of the input or output itself, else of the activity, else of
 * the workflow; where none is set, all is shown. A mode that an expression computes cannot be known
 * here, so its value is always hidden; a literal is read.
 */
public final class LogPersistence {
  /** Shows everything. */
  public static final LogPersistence ALL =
      new LogPersistence(Mode.INCLUDE, Mode.INCLUDE, Map.of(), Map.of());

  /** The setting of a definition for one thing. */
  enum Mode {
    /** As what is around it. */
    INHERIT,
    INCLUDE,
    EXCLUDE
  }

  private final Mode fallback;
  private final Mode internal;
  private final Map<String, Mode> inputs;
  private final Map<String, Mode> outputs;

  private LogPersistence(
      Mode fallback, Mode internal, Map<String, Mode> inputs, Map<String, Mode> outputs) {
    this.fallback = fallback;
    this.internal = internal;
    this.inputs = Map.copyOf(inputs);
    this.outputs = Map.copyOf(outputs);
  }

  /**
   * @param workflow the JSON of the workflow around it
   * @param activity the activity's own JSON
   */
  public static LogPersistence of(
      Map<String, @Nullable Object> workflow, Map<String, @Nullable Object> activity) {
    var fallback = or(mode(activity, "default"), or(mode(workflow, "default"), Mode.INCLUDE));
    var internal = or(mode(activity, "internalState"), Mode.INCLUDE);
    var inputs = modes(activity, "inputs");
    var outputs = modes(activity, "outputs");
    return fallback == Mode.INCLUDE
            && internal == Mode.INCLUDE
            && inputs.isEmpty()
            && outputs.isEmpty()
        ? ALL
        : new LogPersistence(fallback, internal, inputs, outputs);
  }

  /** {@code name}: as {@link Input#name}, in either case. */
  public boolean showsInput(String name) {
    return shows(inputs, name);
  }

  /** {@code name}: as {@link Output#name}, in either case. */
  public boolean showsOutput(String name) {
    return shows(outputs, name);
  }

  /** Whether any other data of an activity may be shown. */
  public boolean showsInternalState() {
    return internal != Mode.EXCLUDE;
  }

  private boolean shows(Map<String, Mode> modes, String name) {
    var mode = modes.isEmpty() ? null : modes.get(Output.camel(name));
    return or(mode == null ? Mode.INHERIT : mode, fallback) != Mode.EXCLUDE;
  }

  /** The inputs that are shown, by name. */
  public Map<String, @Nullable Object> inputs(Map<String, @Nullable Object> values) {
    return shown(inputs, values);
  }

  /** The outputs that are shown, by name. */
  public Map<String, @Nullable Object> outputs(Map<String, @Nullable Object> values) {
    return shown(outputs, values);
  }

  private Map<String, @Nullable Object> shown(
      Map<String, Mode> modes, Map<String, @Nullable Object> values) {
    if (fallback != Mode.EXCLUDE && modes.isEmpty()) {
      return values;
    }
    var shown = new LinkedHashMap<String, @Nullable Object>();
    values.forEach((name, value) -> {
      if (shows(modes, name)) {
        shown.put(name, value);
      }
    });
    return Collections.unmodifiableMap(shown);
  }

  private static Mode or(Mode said, Mode around) {
    return said == Mode.INHERIT ? around : said;
  }

  private static Mode mode(Map<String, @Nullable Object> json, String member) {
    var config = section(json, "logPersistenceConfig");
    var said = config == null ? Mode.INHERIT : configured(config.get(member));
    if (said != Mode.INHERIT) {
      return said;
    }
    var custom = Json.object(json.get("customProperties"));
    var older = custom == null ? null : custom.get("logPersistenceMode");
    var all = Json.object(older);
    if (all != null) {
      return named(all.get(member));
    }
    return member.equals("default") ? named(older) : Mode.INHERIT;
  }

  private static Map<String, Mode> modes(Map<String, @Nullable Object> json, String member) {
    var modes = new LinkedHashMap<String, Mode>();
    var older = section(json, "logPersistenceMode");
    var olderModes = older == null ? null : Json.object(older.get(member));
    if (olderModes != null) {
      olderModes.forEach((name, value) -> put(modes, name, named(value)));
    }
    var config = section(json, "logPersistenceConfig");
    var configured = config == null ? null : Json.object(config.get(member));
    if (configured != null) {
      configured.forEach((name, value) -> put(modes, name, configured(value)));
    }
    return modes;
  }

  private static void put(Map<String, Mode> modes, String name, Mode mode) {
    if (mode != Mode.INHERIT) {
      modes.put(Output.camel(name), mode);
    }
  }

  private static @Nullable Map<String, @Nullable Object> section(
      Map<String, @Nullable Object> json, String member) {
    var custom = Json.object(json.get("customProperties"));
    return custom == null ? null : Json.object(custom.get(member));
  }

  /** A strategy or an expression; {@code evaluationMode} says which, where both are there. */
  private static Mode configured(@Nullable Object value) {
    var config = Json.object(value);
    if (config == null) {
      return named(value);
    }
    if (!"Expression".equalsIgnoreCase(Json.text(config, "evaluationMode"))) {
      return named(config.get("strategyType"));
    }
    var expression = Json.object(config.get("expression"));
    if (expression == null) {
      return Mode.INHERIT;
    }
    return "Literal".equalsIgnoreCase(Json.text(expression, "type"))
        ? named(expression.get("value"))
        : Mode.EXCLUDE;
  }

  /** A mode by name or number, or a strategy by the name of its class. */
  private static Mode named(@Nullable Object value) {
    if (value == null) {
      return Mode.INHERIT;
    }
    var text = String.valueOf(value);
    int comma = text.indexOf(',');
    var type = (comma < 0 ? text : text.substring(0, comma)).strip();
    return switch (type.substring(type.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT)) {
      case "include", "1" -> Mode.INCLUDE;
      case "exclude", "2" -> Mode.EXCLUDE;
      default -> Mode.INHERIT;
    };
  }
}
