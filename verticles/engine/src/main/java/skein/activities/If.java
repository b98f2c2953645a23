package skein.activities;

/** Runs one of two activities. */
final class If implements Activity {
  private static final Input CONDITION =
      Input.of("Condition", "Boolean")
          .edited(Editor.SINGLE_LINE)
          .described("Whether to run the first of the two.");
  private static final Output RESULT = new Output("Result", "Boolean");
  private static final Port THEN = Port.of("then");
  private static final Port ELSE = Port.of("else");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.If", "Branching", "Runs one of two activities.")
          .with(CONDITION)
          .with(RESULT)
          .with(THEN, ELSE);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var condition = context.flag(CONDITION);
    context.output(RESULT, condition);
    var branch = context.node().child(condition ? THEN : ELSE);
    if (branch == null) {
      context.complete();
      return;
    }
    context.schedule(branch);
  }
}
