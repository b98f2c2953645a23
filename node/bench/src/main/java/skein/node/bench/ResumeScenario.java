package skein.node.bench;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import skein.node.bench.BenchOptions.By;

/** Resumes instances that wait, each once, after which it has ended. */
final class ResumeScenario implements ClosedScenario {
  private @Nullable Waiting waiting;

  @Override
  public ScenarioName name() {
    return ScenarioName.RESUME;
  }

  @Override
  public void prepare(Stage stage) {
    stage.api().publish(Definitions.waiting());
    waiting = new Waiting(stage, stage.options().population().by());
  }

  @Override
  public Work round(Stage stage) {
    if (waiting == null) {
      throw new IllegalStateException("Nothing was prepared");
    }
    waiting.fillUp();
    return stage.options().population().by() == By.TOKEN ? new ByToken(waiting) : new ById(waiting);
  }

  @Override
  public @Nullable Integer waiting(BenchOptions options) {
    return options.population().waiting();
  }

  /** The guide's resume, by the id of the instance. */
  static final class ById implements Work {
    private static final byte[] BEFORE = Requests.post("/elsa/api/workflow-instances/");
    private static final byte[] AFTER = Requests.rest("/resume");

    private final Waiting waiting;

    ById(Waiting waiting) {
      this.waiting = waiting;
    }

    @Override
    public boolean next(int caller, ByteBuf out) {
      int number = waiting.take();
      if (number < 0) {
        return false;
      }
      out.writeBytes(BEFORE);
      Requests.write(out, waiting.id(number));
      out.writeBytes(AFTER);
      return true;
    }

    @Override
    public @Nullable String wrong(int caller, int status, ByteBuf body) {
      return status == 200 ? null : "A resume answered " + status;
    }
  }

  private static final class ByToken implements Work {
    private static final byte[] BEFORE = Requests.post("/workflows/resume/");
    private static final byte[] AFTER = Requests.rest("");

    private final Waiting waiting;

    ByToken(Waiting waiting) {
      this.waiting = waiting;
    }

    @Override
    public boolean next(int caller, ByteBuf out) {
      int number = waiting.take();
      if (number < 0) {
        return false;
      }
      out.writeBytes(BEFORE);
      Requests.write(out, waiting.token(number));
      out.writeBytes(AFTER);
      return true;
    }

    @Override
    public @Nullable String wrong(int caller, int status, ByteBuf body) {
      return status == 200 ? null : "A token answered " + status;
    }
  }
}
