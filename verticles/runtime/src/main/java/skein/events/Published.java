package skein.events;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import skein.messages.Reply;
import skein.model.InstanceId;
import skein.model.Timer;

/**
 * The outcome of an event for its publisher.
 *
 * @param reply counts what is committed; its instances are those and the ones that are pending
 * @param pending deliveries that are durable, and of which it is not known what came of them
 */
public record Published(Reply.Delivered reply, int pending) {
  private static final int SHOWN_MAX = 1_000;

  /** The outcome of one delivery. */
  public enum Outcome {
    /** The event has resumed or started the instance. */
    COMMITTED,
    /** Another caller has resumed the bookmark, or nothing was to be started any more. */
    GONE,
    /** It will be tried again until one of the others is known. */
    PENDING;

    /**
     * The outcome by the answer to {@code Command.Fire}, which names what is still to be reached.
     */
    public static Outcome of(Reply answer) {
      return switch (answer) {
        case Reply.Done _ -> COMMITTED;
        case Reply.Delivered delivered when !delivered.instances().isEmpty() -> PENDING;
        default -> GONE;
      };
    }
  }

  /** The outcomes are in the order of the deliveries. */
  public static Published of(List<Timer> deliveries, List<Outcome> outcomes) {
    int resumed = 0;
    int started = 0;
    int pending = 0;
    var instances = new ArrayList<InstanceId>();
    for (int i = 0; i < deliveries.size(); i++) {
      var delivery = deliveries.get(i);
      var outcome = outcomes.get(i);
      switch (outcome) {
        case COMMITTED -> {
          if (delivery.kind() == Timer.Kind.Trigger) {
            started++;
          } else {
            resumed++;
          }
        }
        case PENDING -> pending++;
        case GONE -> {}
      }
      if (outcome != Outcome.GONE && instances.size() < SHOWN_MAX) {
        instances.add(delivery.instanceId());
      }
    }
    return new Published(new Reply.Delivered(resumed, started, instances), pending);
  }

  /** All that is known when the deliveries were made durable and none was waited for. */
  public static Published accepted(List<Timer> deliveries) {
    return of(deliveries, Collections.nCopies(deliveries.size(), Outcome.PENDING));
  }
}
