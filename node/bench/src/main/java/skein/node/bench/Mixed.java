package skein.node.bench;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Starts of instances that wait and resumes of some that do, in turn, so that about as many wait
 * all the time.
 */
final class Mixed implements Work {
  private static final byte[] RESUME = Requests.post("/elsa/api/workflow-instances/");
  private static final byte[] REST = Requests.rest("/resume");
  private static final int CREATED = 201;

  private final Ids ids;
  private final int size;
  private final List<Integer> waiting = new ArrayList<>();
  private final Map<Integer, Integer> started = new HashMap<>();
  private final Random random = new Random();
  private int nextNumber;
  private boolean filling = true;
  private boolean resumeNext;

  /** {@code size}: how many wait before the first is resumed. */
  Mixed(Ids ids, int size) {
    this.ids = ids;
    this.size = size;
  }

  @Override
  public boolean next(int caller, ByteBuf out) {
    if (filling && nextNumber == size) {
      filling = false;
      return false; // the end of the filling, not of the work
    }
    resumeNext = !filling && !resumeNext && !waiting.isEmpty();
    if (resumeNext) {
      resume(out);
    } else {
      start(caller, out);
    }
    return true;
  }

  private void start(int caller, ByteBuf out) {
    int number = nextNumber++;
    started.put(caller, number);
    var body =
        "{\"definitionId\":\"%s\",\"instanceId\":\"%s\"}"
            .formatted(Definitions.WAIT, ids.id(number));
    out.writeBytes(Requests.post("/elsa/api/workflow-instances", body));
  }

  /** A random one, whose place the last one takes. */
  private void resume(ByteBuf out) {
    int last = waiting.removeLast();
    int place = random.nextInt(waiting.size() + 1);
    int number = place == waiting.size() ? last : waiting.set(place, last);
    out.writeBytes(RESUME);
    Requests.write(out, ids.id(number));
    out.writeBytes(REST);
  }

  @Override
  public @Nullable String wrong(int caller, int status, ByteBuf body) {
    var number = started.remove(caller);
    if (number == null) {
      return status == 200 ? null : "A resume answered " + status;
    }
    if (status != CREATED) {
      return "A start answered " + status;
    }
    waiting.add(number);
    return null;
  }
}
