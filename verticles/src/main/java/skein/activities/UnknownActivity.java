package skein.activities;

import java.util.List;

/** Stands where a definition uses a type that is not known here. Executing it faults. */
public final class UnknownActivity implements Activity {
  /** The type of the incident that it leads to. */
  public static final String INCIDENT = "UnknownActivity";

  private final ActivityDescriptor descriptor;

  public UnknownActivity(String type, int version) {
    this.descriptor =
        ActivityDescriptor.of(type, "", "An activity of a type that is not known here")
            .withVersion(version);
  }

  @Override
  public ActivityDescriptor descriptor() {
    return descriptor;
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
    return new FaultException(
        INCIDENT, "The activity type " + descriptor.typeName() + " is not known here");
  }
}
