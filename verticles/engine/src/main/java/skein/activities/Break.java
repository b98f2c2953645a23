package skein.activities;

/**
 * Leaves the nearest {@link While}, {@link For} or {@link ForEach}.
 *
 * <p>Sequences and forks on the way end too; other containers on the way finish what they have
 * begun. A {@link ParallelForEach} is not such a loop: its other items continue.
 */
final class Break implements Activity {
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.Break", "Looping", "Leaves the nearest loop.").asTerminal();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    context.signal(Signals.BREAK, null);
    context.complete();
  }
}
