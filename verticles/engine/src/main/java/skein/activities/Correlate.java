package skein.activities;

/** Sets the correlation id of the instance. */
final class Correlate implements Activity {
  private static final Input CORRELATION_ID =
      Input.of("CorrelationId", "String").described("What the instance is found by from now on.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(
              "Elsa.Correlate", "Primitives", "Sets the correlation id of the workflow instance.")
          .with(CORRELATION_ID);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    context.scope().setCorrelationId(context.text(CORRELATION_ID));
    context.complete();
  }
}
