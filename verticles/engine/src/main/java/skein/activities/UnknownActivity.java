package skein.activities;

import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands where a definition uses a type that is not known here. Executing it faults, unless other
 * nodes know the type: then it is theirs.
 */
public final class UnknownActivity implements Activity {
  /** The type of the incident that it leads to. */
  public static final String INCIDENT = "UnknownActivity";

  private final ActivityDescriptor descriptor;
  private final BooleanSupplier elsewhere;

  public UnknownActivity(String type, int version) {
    this(type, version, () -> false);
  }

  /** {@code elsewhere}: whether another node knows the type now. */
  public UnknownActivity(String type, int version, BooleanSupplier elsewhere) {
    this.elsewhere = elsewhere;
    this.descriptor =
        ActivityDescriptor.of(type, "", "An activity of a type that is not known here")
            .withVersion(version);
  }

  public boolean isKnownElsewhere() {
    return elsewhere.getAsBoolean();
  }

  @Override
  public ActivityDescriptor descriptor() {
    return descriptor;
  }

  /** Whatever the type has where it is known. */
  @Override
  public @Nullable Collection<String> outcomes(ActivityNode node) {
    return null;
  }

  @Override
  public void execute(ActivityContext context) {
    throw fault();
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    throw fault();
  }

  @Override
  public void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    throw fault();
  }

  private FaultException fault() {
    return fault(descriptor.typeName(), descriptor.version());
  }

  /** {@code version}: of the type, as the definition has it; null when it has none. */
  static FaultException fault(@Nullable Object type, @Nullable Object version) {
    var which = version == null ? "" : ", version " + version + ",";
    return new FaultException(INCIDENT, "The activity type " + type + which + " is not known here");
  }
}
