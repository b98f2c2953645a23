package skein.simulation;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.SplittableRandom;
import skein.activities.WorkResult;
import skein.codecs.ResumeLinks;
import skein.loop.Simulator;
import skein.model.Effect;

/** Work outside: on no loop, at once or after a while, and sometimes it throws. */
final class OutsideWork {
  private static final long MILLI = 1_000_000;

  private final Simulator simulator;
  private final SplittableRandom random;
  private final Client client;

  /** {@code client}: gets the links that are sent. */
  OutsideWork(Simulator simulator, SplittableRandom random, Client client) {
    this.simulator = simulator;
    this.random = random;
    this.client = client;
  }

  Future<WorkResult> perform(Effect.Work order) {
    var url = String.valueOf(order.request().get("url"));
    int link = url.indexOf(ResumeLinks.RESUME_PATH);
    if (link >= 0) {
      client.sent(url.substring(link + ResumeLinks.RESUME_PATH.length()));
    }
    int kind = random.nextInt(20);
    if (kind == 0) {
      throw new IllegalStateException("The work was refused");
    }
    WorkResult done =
        new WorkResult.Done(
            Map.of("statusCode", 200L, "url", "http://localhost/", "headers", Map.of()), false);
    if (kind < 3) {
      return Future.succeededFuture(done);
    }
    Promise<WorkResult> promise = Promise.promise();
    long takes = random.nextLong(kind < 12 ? 2_000 * MILLI : 20 * MILLI);
    simulator.after(takes, () -> promise.complete(done));
    return promise.future();
  }
}
