package skein.activities;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Stands in a definition that Elsa exported for an activity it did not know. Executing it faults.
 */
final class NotFoundActivity implements Activity {
  private static final Input TYPE_NAME = Input.raw("MissingTypeName", "String");
  private static final Input TYPE_VERSION = Input.raw("MissingTypeVersion", "Int32");
  private static final Input ORIGINAL = Input.raw("OriginalActivityJson", "String");
  static final String TYPE = "Elsa.NotFoundActivity";
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(TYPE, "System", "Stands for an unknown activity.")
          .with(TYPE_NAME, TYPE_VERSION, ORIGINAL)
          .hidden();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  /** Whatever the type had where it was known. */
  @Override
  public @Nullable Collection<String> outcomes(ActivityNode node) {
    return null;
  }

  @Override
  public void execute(ActivityContext context) {
    throw UnknownActivity.fault(context.get(TYPE_NAME), context.get(TYPE_VERSION));
  }
}
