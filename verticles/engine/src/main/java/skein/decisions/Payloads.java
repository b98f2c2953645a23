package skein.decisions;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.AlterationJson;
import skein.messages.Command;
import skein.model.Alteration;
import skein.model.Effect;
import skein.model.Timer;

/** Reads and makes the payloads of timers, whose shapes {@link Timer.Kind} gives. */
public final class Payloads {
  /** How many instances started one another before this start; absent: not counted. */
  private static final String CAUSES = "causes";

  /** Whose what is started is, and whom an event reaches; absent: the default tenant's. */
  private static final String TENANT = "tenant";

  private Payloads() {}

  /** Whether the timer starts an instance because another instance wants it. */
  public static boolean startsFromInside(Timer timer) {
    return timer.kind() == Timer.Kind.Child
        || (timer.kind() == Timer.Kind.Trigger && causes(timer) > 0);
  }

  /** Whether it starts an instance, where there is none with its id. */
  public static boolean starts(Command command) {
    return switch (command) {
      case Command.Start _, Command.Fork _ -> true;
      case Command.Fire(var timer) ->
          timer.kind() == Timer.Kind.Child
              || timer.kind() == Timer.Kind.Trigger
              || timer.kind() == Timer.Kind.ScheduleStart;
      default -> false;
    };
  }

  /** Whether an instance that has faulted goes on by it, unless it ends again in the same burst. */
  public static boolean revives(Command command) {
    return switch (command) {
      case Command.Alter alter -> revives(alter.alterations());
      case Command.Fire(var timer) when timer.kind() == Timer.Kind.Alter ->
          revives(alterations(timer));
      default -> false;
    };
  }

  private static boolean revives(List<Alteration> alterations) {
    return alterations.stream().anyMatch(Alteration::executes)
        && alterations.stream().noneMatch(Alteration.Cancel.class::isInstance);
  }

  static List<Alteration> alterations(Timer timer) {
    return AlterationJson.stored(value(timer, "alterations"));
  }

  /** The tenant whose instances the timer may reach; empty: the default tenant. */
  public static String tenant(Timer timer) {
    return value(timer, TENANT) instanceof String text ? text : "";
  }

  /**
   * The length of the chain of instances that started each other before the effect of the timer.
   */
  public static int causes(Timer timer) {
    return value(timer, CAUSES) instanceof Number number ? number.intValue() : 0;
  }

  public static String text(Timer timer, String key) {
    if (timer.payload() instanceof Map<?, ?> payload && payload.get(key) instanceof String text) {
      return text;
    }
    throw new IllegalStateException("Timer " + timer.id() + " lacks " + key);
  }

  /** Null when it is absent. */
  public static @Nullable String optional(Timer timer, String key) {
    return value(timer, key) instanceof String text ? text : null;
  }

  static int number(Timer timer, String key) {
    if (timer.payload() instanceof Map<?, ?> payload && payload.get(key) instanceof Number number) {
      return number.intValue();
    }
    throw new IllegalStateException("Timer " + timer.id() + " lacks " + key);
  }

  public static @Nullable Object value(Timer timer, String key) {
    return timer.payload() instanceof Map<?, ?> payload ? payload.get(key) : null;
  }

  static boolean has(Timer timer, String key) {
    return timer.payload() instanceof Map<?, ?> payload && payload.containsKey(key);
  }

  /** All members; of a timer without a payload none. */
  @SuppressWarnings("unchecked")
  static Map<String, @Nullable Object> members(Timer timer) {
    return timer.payload() instanceof Map<?, ?> payload
        ? (Map<String, @Nullable Object>) payload
        : Map.of();
  }

  @SuppressWarnings("unchecked")
  static Map<String, @Nullable Object> object(Timer timer, String key) {
    return value(timer, key) instanceof Map<?, ?> map
        ? (Map<String, @Nullable Object>) map
        : Map.of();
  }

  /** {@code tenant}: whose the instance is that has published it. */
  static Map<String, @Nullable Object> event(Effect.EventPublished event, String tenant) {
    var payload = new LinkedHashMap<String, @Nullable Object>();
    payload.put("eventName", event.eventName());
    payload.put("correlationId", event.correlationId());
    payload.put("payload", event.payload());
    putCauses(payload, event.causes());
    putTenant(payload, tenant);
    return payload;
  }

  /** {@code tenant}: empty is the default tenant. */
  static void putTenant(Map<String, @Nullable Object> payload, String tenant) {
    if (!tenant.isEmpty()) {
      payload.put(TENANT, tenant);
    }
  }

  /** {@code causes}: of the event that starts something; 0 when it came from outside. */
  static void putCauses(Map<String, @Nullable Object> payload, int causes) {
    if (causes > 0) {
      payload.put(CAUSES, (long) causes);
    }
  }
}
