package skein.execution;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.cluster.WaitingCommands;
import skein.loop.EventLoop;
import skein.model.InstanceId;

/**
 * The commands of one instance, from the first until there is none left. A command begins when
 * there is none before it, or when the one before it has proposed a state that it may be decided
 * on. Confined to one event loop.
 */
final class InstanceQueue {
  private final EventLoop loop;
  private final InstanceId id;
  private final int followersMax;
  private final ArrayDeque<Work> waiting = new ArrayDeque<>();
  private boolean open;
  private int running;
  private @Nullable CommandProgress last;
  private Runnable whenEmpty = () -> {};

  /** Set while commands are being begun: beginning one may end another. */
  boolean isBeginning;

  /** {@code followersMax}: commands that may be under way at one time. */
  InstanceQueue(EventLoop loop, InstanceId id, int followersMax) {
    this.loop = loop;
    this.id = id;
    this.followersMax = followersMax;
  }

  InstanceId id() {
    return id;
  }

  void add(Work work) {
    loop.check();
    waiting.add(work);
  }

  /** Lets commands begin. {@code atTheEnd}: called when none is left. */
  void open(Runnable atTheEnd) {
    loop.check();
    open = true;
    whenEmpty = atTheEnd;
  }

  boolean isOpen() {
    loop.check();
    return open;
  }

  int size() {
    loop.check();
    return running + waiting.size();
  }

  /** The commands that have not begun; null: there are none. */
  @Nullable WaitingCommands waiting() {
    loop.check();
    var oldest = waiting.peek();
    return oldest == null
        ? null
        : new WaitingCommands(
            id,
            waiting.size(),
            Duration.ofNanos(Math.max(0, loop.nanoTime() - oldest.arrivedAt())),
            open ? WaitingCommands.Reason.COMMANDS : WaitingCommands.Reason.LOCK);
  }

  /** The next command that may begin now, begun; null when none may. */
  @Nullable Work beginNext(Runnable whenProposed) {
    loop.check();
    var next = waiting.peek();
    if (next == null || (last != null && !mayFollow(last, next))) {
      return null;
    }
    waiting.poll();
    next.progress().begin(last, whenProposed);
    last = next.progress();
    running++;
    return next;
  }

  private boolean mayFollow(CommandProgress previous, Work next) {
    return running < followersMax && previous.proposed() != null && next.mayFollow();
  }

  void ended() {
    loop.check();
    running--;
    if (running == 0) {
      last = null;
    }
  }

  void close() {
    loop.check();
    whenEmpty.run();
  }

  /** All that have not begun; they never will. */
  List<Work> takeWaiting() {
    loop.check();
    var taken = List.copyOf(waiting);
    waiting.clear();
    return taken;
  }
}
