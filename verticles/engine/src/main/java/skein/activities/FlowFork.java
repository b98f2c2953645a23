package skein.activities;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Goes several ways in a flowchart at once, one for each name. */
final class FlowFork implements Activity {
  private static final Input BRANCHES =
      Input.of("Branches", "String[]")
          .outcomes()
          .described("Names of the branches; each is an outcome.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.FlowFork", "Branching", "Continues with several named branches.")
          .with(BRANCHES)
          .titled("Fork (flow)");

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public @Nullable Collection<String> outcomes(ActivityNode node) {
    return node.literalTexts(BRANCHES);
  }

  @Override
  public void execute(ActivityContext context) {
    context.complete(context.texts(BRANCHES).toArray(String[]::new));
  }
}
