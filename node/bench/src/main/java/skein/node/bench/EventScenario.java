package skein.node.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import skein.node.bench.BenchOptions.By;

/** Publishes events, each for the one of many instances that has its correlation id. */
final class EventScenario implements ClosedScenario {
  private @Nullable Waiting waiting;

  @Override
  public ScenarioName name() {
    return ScenarioName.EVENT;
  }

  @Override
  public void prepare(Stage stage) {
    stage.api().publish(Definitions.waiting());
    waiting = new Waiting(stage, By.API);
  }

  @Override
  public Work round(Stage stage) {
    if (waiting == null) {
      throw new IllegalStateException("Nothing was prepared");
    }
    waiting.fillUp();
    return new Events(waiting);
  }

  @Override
  public @Nullable Integer waiting(BenchOptions options) {
    return options.population().waiting();
  }

  private static final class Events implements Work {
    private static final String SOME_ID = "0".repeat(Ids.LENGTH);
    private static final byte[] REQUEST =
        Requests.post(
            "/elsa/api/events/" + Definitions.EVENT + "/trigger",
            "{\"correlationId\":\"" + SOME_ID + "\"}");
    private static final int ID_AT = REQUEST.length - "\"}".length() - Ids.LENGTH;
    private static final ByteBuf ONE = Unpooled.wrappedBuffer(Requests.bytes("\"resumed\":1,"));

    private final Waiting waiting;

    Events(Waiting waiting) {
      this.waiting = waiting;
    }

    @Override
    public boolean next(int caller, ByteBuf out) {
      int number = waiting.take();
      if (number < 0) {
        return false;
      }
      out.writeBytes(REQUEST, 0, ID_AT);
      Requests.write(out, waiting.id(number));
      out.writeBytes(REQUEST, ID_AT + Ids.LENGTH, REQUEST.length - ID_AT - Ids.LENGTH);
      return true;
    }

    @Override
    public @Nullable String wrong(int caller, int status, ByteBuf body) {
      if (status != 200) {
        return "An event answered " + status;
      }
      return ByteBufUtil.indexOf(ONE, body) < 0 ? "An event did not resume one instance" : null;
    }
  }
}
