package skein.activities;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sets the nearest variable of that id or name. */
final class SetVariable implements Activity {
  private static final Input VARIABLE =
      Input.raw("Variable", "Variable").described("The variable, by its id and name.");
  private static final Input VALUE = Input.of("Value", "Object").described("Its new value.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.SetVariable", "Primitives", "Assigns a value to a variable.")
          .with(VARIABLE, VALUE);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var reference = context.get(VARIABLE);
    var value = context.get(VALUE);
    var set =
        switch (reference) {
          case String idOrName -> context.scope().setVariable(idOrName, value);
          case Map<?, ?> map ->
              set(context, map.get("id"), value) || set(context, map.get("name"), value);
          case null, default -> false;
        };
    if (!set) {
      throw new FaultException("UnknownVariable", "There is no variable " + shown(reference));
    }
    context.complete();
  }

  private static boolean set(
      ActivityContext context, @Nullable Object idOrName, @Nullable Object value) {
    return idOrName instanceof String text && context.scope().setVariable(text, value);
  }

  private static String shown(@Nullable Object reference) {
    if (reference instanceof Map<?, ?> map) {
      return map.get("name") + " (" + map.get("id") + ")";
    }
    return String.valueOf(reference);
  }
}
