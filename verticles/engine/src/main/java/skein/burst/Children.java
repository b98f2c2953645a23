package skein.burst;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import skein.activities.ChildOrder;
import skein.activities.FaultException;
import skein.activities.Json;
import skein.model.DerivedIds;
import skein.model.Effect;
import skein.model.InstanceId;
import skein.model.Parent;
import skein.model.StimulusHash;
import skein.model.Timer;

/**
 * The instances that an instance has started. Each start is a row of the parent's commit, and each
 * end is a row of the child's, which the parent's burst consumes: none is lost, none counted twice.
 */
final class Children {
  /** The tag of a resumption with news of a child. */
  static final String TAG = "$child";

  /** In the root's memory: how many instances it has started. */
  static final String STARTED = "$children";

  /** In the root's memory: its number among the instances that its parent has started, from 1. */
  static final String NUMBER = "$childNumber";

  /** In the root's memory: how many instances wait for this one, one above the other. */
  static final String ABOVE = "$above";

  /** In the root's memory: how many instances before this one started one another. */
  static final String CAUSES = "$causes";

  /** An instance that starts others after so long begins a new chain: no flood is that slow. */
  static final Duration REST = Duration.ofMinutes(1);

  /** The same of a child, in the payload of its timer; earlier versions wrote none. */
  private static final String WAITING_PARENTS = "waitingParents";

  private static final String CAUSES_OF_CHILD = "causes";
  private static final String NUMBER_OF_CHILD = "number";

  /** The tenant of the parent; a child of the default tenant's has none. */
  private static final String TENANT = "tenant";

  /** Characters of inputs and of what events carry, as in memory; all are in one commit. */
  static final long SENT_CHARS_MAX = 1L << 25;

  private final InstanceId id;
  private final Instant createdAt;
  private final String tenant;
  private final Executions executions;
  private final ChildLimits limits;
  private final Instant now;
  private final List<Timer> timers = new ArrayList<>();
  private long sentChars;

  /**
   * @param id of the instance that starts them
   * @param createdAt when it was; another one may have had its id, and children, and was deleted
   * @param tenant whose it is, and its children are
   */
  Children(
      InstanceId id,
      Instant createdAt,
      String tenant,
      Executions executions,
      ChildLimits limits,
      Instant now) {
    this.id = id;
    this.createdAt = createdAt;
    this.tenant = tenant;
    this.executions = executions;
    this.limits = limits;
    this.now = now;
  }

  /** Orders one after another, each when those before it have room; starts all of them or none. */
  List<InstanceId> start(Execution execution, int number, IntFunction<ChildOrder> orderOf) {
    var root = executions.root();
    if (root == null) {
      throw new IllegalStateException("An instance without a root starts nothing");
    }
    if (number > limits.perBurstMax() - timers.size()) {
      throw new FaultException(
          "ChildLimit", "One burst starts at most " + limits.perBurstMax() + " other instances");
    }
    int causes = causesOfNext(root);
    long started = count(root, STARTED);
    long first = started + 1;
    long awaited = 0;
    var made = new ArrayList<Timer>();
    long sentBefore = sentChars;
    try {
      for (int i = 0; i < number; i++) {
        var order = orderOf.apply(i);
        requireDepth(root, order);
        send(order.input());
        made.add(timer(root, ++started, execution, order, causes));
        awaited += order.notice() == Parent.Notice.Never ? 0 : 1;
      }
    } catch (RuntimeException e) {
      sentChars = sentBefore; // none of them is started
      throw e;
    }
    if (!made.isEmpty()) {
      root.memory.put(STARTED, started);
    }
    if (awaited > 0) {
      AwaitedChildren.add(execution, awaited, first);
    }
    timers.addAll(made);
    return made.stream().map(Timer::instanceId).toList();
  }

  private void requireDepth(Execution root, ChildOrder order) {
    if (awaitsEnd(order) && count(root, ABOVE) >= limits.waitingMax()) {
      throw new FaultException(
          "ChildDepth",
          "Above this instance wait "
              + limits.waitingMax()
              + " others, each for the next (execution.waiting-parents-max): does a workflow wait"
              + " for itself?");
    }
  }

  private Timer timer(
      Execution root, long number, Execution execution, ChildOrder order, int causes) {
    // Follows from the parent, so that a burst that is decided again starts the same instance.
    var cause = id + "@" + createdAt + ":" + number;
    var child =
        tenant.isEmpty()
            ? new InstanceId(StimulusHash.sha256(cause).substring(0, 26))
            : DerivedIds.of(tenant, cause);
    var payload =
        Json.members(
            "definitionId",
            order.definitionId(),
            "input",
            order.input(),
            "correlationId",
            order.correlationId(),
            "parentId",
            id.value(),
            "execution",
            (long) execution.number,
            "notice",
            order.notice().name(),
            WAITING_PARENTS,
            awaitsEnd(order) ? count(root, ABOVE) + 1 : 0L,
            CAUSES_OF_CHILD,
            (long) causes,
            NUMBER_OF_CHILD,
            number);
    if (!tenant.isEmpty()) {
      payload.put(TENANT, tenant);
    }
    return new Timer("child-" + child, now, child, Timer.Kind.Child, payload);
  }

  /**
   * The number for an instance that this one starts, by a dispatch or an event; a fault when the
   * chain is long.
   */
  private int causesOfNext(Execution root) {
    if (Duration.between(root.startedAt, now).compareTo(REST) >= 0) {
      return 1;
    }
    long causes = count(root, CAUSES) + 1;
    int max = limits.causesMax();
    if (causes > max) {
      throw new FaultException(
          "CauseDepth",
          "Before this instance "
              + max
              + " others started one another, none of which took a minute (execution.causes-max):"
              + " does a workflow start itself without end?");
    }
    return (int) causes;
  }

  /** The event, with what its receivers must know of those before them. */
  Effect.EventPublished published(Effect.EventPublished event) {
    var root = executions.root();
    send(event.payload());
    return root == null ? event : event.withCauses(causesOfNext(root));
  }

  private void send(@Nullable Object value) {
    long size = JsonSize.held(value, SENT_CHARS_MAX - sentChars);
    if (size > SENT_CHARS_MAX - sentChars) {
      throw new FaultException(
          "SentLimit",
          "One burst sends other instances at most "
              + SENT_CHARS_MAX
              + " characters of inputs and events: start them in several steps, or let them fetch"
              + " what they need");
    }
    sentChars += size;
  }

  private static boolean awaitsEnd(ChildOrder order) {
    return order.notice() == Parent.Notice.AtEnd;
  }

  List<Timer> timers() {
    return timers;
  }

  private static long count(@Nullable Execution execution, String key) {
    return execution != null && execution.memory.get(key) instanceof Number number
        ? number.longValue()
        : 0;
  }
}
