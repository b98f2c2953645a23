package skein.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static skein.burst.Workflows.BURST;
import static skein.burst.Workflows.NOW;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.burst.BurstInputs;
import skein.burst.Past;
import skein.codecs.ResumeToken;
import skein.forms.FormLimits;
import skein.graph.Graph;
import skein.messages.Command;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;

/** Decisions about instances of the workflows of other tests, a minute after those began. */
final class Decisions {
  static final Duration GRACE = Duration.ofSeconds(2);
  static final Instant LATER = NOW.plusSeconds(60).plusNanos(123_456_789);
  private static final Decide DECIDE = new Decide(BURST, GRACE, FormLimits.DEFAULT);

  private Decisions() {}

  static DecisionContext context() {
    var inputs =
        new BurstInputs(
            LATER,
            7,
            new UUID(1, 3),
            () -> ByteBuffer.allocate(ResumeToken.SECRET_BYTES).putLong(5).array());
    return new DecisionContext(inputs, false, Map.of());
  }

  static Decision decide(
      Command command, @Nullable WorkflowInstance current, @Nullable Graph graph) {
    return DECIDE.decide(command, current, graph, context());
  }

  /** Of a fork. */
  static Decision decide(
      Command.Fork fork, @Nullable WorkflowInstance current, Graph graph, Past past) {
    var context = new DecisionContext(context().inputs(), false, Map.of(), past);
    return DECIDE.decide(fork, current, graph, context);
  }

  static Decision fire(Timer timer, @Nullable WorkflowInstance current, @Nullable Graph graph) {
    return decide(new Command.Fire(timer), current, graph);
  }

  static Transition committed(Decision decision) {
    assertThat(decision).isInstanceOf(Decision.Commit.class);
    return ((Decision.Commit) decision).transition();
  }

  static void assertObsolete(Decision decision, Timer timer, @Nullable Timer replacement) {
    assertThat(decision).isEqualTo(new Decision.Obsolete(timer, replacement));
  }

  static void assertRefused(ErrorCode code, Supplier<?> call) {
    assertThatThrownBy(call::get)
        .isInstanceOfSatisfying(SkeinException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
