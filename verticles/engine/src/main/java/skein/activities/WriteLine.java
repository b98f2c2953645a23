package skein.activities;

import skein.model.Effect;

/** Writes a line of text. */
final class WriteLine implements Activity {
  private static final Input TEXT = Input.of("Text", "String").described("The line.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.WriteLine", "Console", "Writes a line of text.").with(TEXT);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var text = context.text(TEXT);
    context.effect(new Effect.Line(text == null ? "" : text));
    context.complete();
  }
}
