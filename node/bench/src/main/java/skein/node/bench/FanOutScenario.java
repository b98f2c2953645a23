package skein.node.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import skein.node.dev.CannotStartException;

/** Publishes events, each for a thousand instances that share its correlation id, and waits. */
final class FanOutScenario implements ClosedScenario {
  private static final int RECEIVERS = 1_000;
  private static final int EVENTS = 4;
  private static final int FILLERS = 32;
  private static final Duration FILL_MAX = Duration.ofMinutes(5);
  private static final int CREATED = 201;

  private @Nullable Ids ids;
  private int nextEvent;

  @Override
  public ScenarioName name() {
    return ScenarioName.FAN_OUT;
  }

  @Override
  public void prepare(Stage stage) {
    stage.api().publish(Definitions.waiting());
    ids = stage.ids();
  }

  @Override
  public Work round(Stage stage) {
    if (ids == null) {
      throw new IllegalStateException("Nothing was prepared");
    }
    int from = nextEvent;
    nextEvent += EVENTS;
    stage.say("starting " + EVENTS * RECEIVERS + " instances that wait");
    var filled = stage.generator().run(new Starts(ids, from), FILLERS, FILL_MAX);
    if (filled.failures() > 0) {
      throw new CannotStartException("Instances could not be started: " + filled.errors());
    }
    return new Events(ids, from);
  }

  @Override
  public @Nullable Integer waiting(BenchOptions options) {
    return EVENTS * RECEIVERS;
  }

  private static final class Starts implements Work {
    private final Ids ids;
    private final int from;
    private int started;

    Starts(Ids ids, int from) {
      this.ids = ids;
      this.from = from;
    }

    @Override
    public boolean next(int caller, ByteBuf out) {
      if (started == EVENTS * RECEIVERS) {
        return false;
      }
      int event = from + started++ / RECEIVERS;
      var body =
          "{\"definitionId\":\"%s\",\"correlationId\":\"%s\"}"
              .formatted(Definitions.WAIT, ids.id(event));
      out.writeBytes(Requests.post("/elsa/api/workflow-instances", body));
      return true;
    }

    @Override
    public @Nullable String wrong(int caller, int status, ByteBuf body) {
      return status == CREATED ? null : "A start answered " + status;
    }
  }

  private static final class Events implements Work {
    private static final String PATH = "/elsa/api/events/" + Definitions.EVENT + "/trigger";
    private static final ByteBuf ALL =
        Unpooled.wrappedBuffer(Requests.bytes("\"resumed\":" + RECEIVERS + ","));

    private final Ids ids;
    private final int end;
    private int next;

    Events(Ids ids, int from) {
      this.ids = ids;
      this.next = from;
      this.end = from + EVENTS;
    }

    @Override
    public boolean next(int caller, ByteBuf out) {
      if (next == end) {
        return false;
      }
      var body =
          "{\"correlationId\":\"%s\",\"workflowExecutionMode\":\"Synchronous\"}"
              .formatted(ids.id(next++));
      out.writeBytes(Requests.post(PATH, body));
      return true;
    }

    @Override
    public @Nullable String wrong(int caller, int status, ByteBuf body) {
      if (status != 200) {
        return "An event answered " + status;
      }
      return ByteBufUtil.indexOf(ALL, body) < 0
          ? "An event did not resume " + RECEIVERS + " instances"
          : null;
    }
  }
}
