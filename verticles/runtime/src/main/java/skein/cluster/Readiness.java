package skein.cluster;

import java.util.concurrent.atomic.AtomicReference;

/** The phase of this node's life cycle. Thread-safe. */
public final class Readiness {
  public enum Phase {
    /** Joining, migrating, deploying: takes no work. */
    STARTING,
    /** Takes work. */
    READY,
    /**
     * Owns no instances and fires no timers until it is resumed; a member that answers all else.
     */
    PAUSED,
    /** Hands over what it can, finishes the rest, and asks clients to go elsewhere. */
    DRAINING,
    /** Has nothing under way any more, and may be stopped. */
    DRAINED
  }

  private volatile boolean aside;
  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.STARTING);

  public Phase phase() {
    return phase.get();
  }

  public boolean isReady() {
    return phase.get() == Phase.READY && !aside;
  }

  /** Whether this node has stepped aside because of a broken link, whatever its phase. */
  public boolean isAside() {
    return aside;
  }

  public void setAside(boolean aside) {
    this.aside = aside;
  }

  /** Whether clients had better send their next request to another node. */
  public boolean isLeaving() {
    return phase.get().compareTo(Phase.DRAINING) >= 0;
  }

  /** Without effect on a node that is further already. */
  public void advanceTo(Phase next) {
    phase.updateAndGet(current -> current.compareTo(next) < 0 ? next : current);
  }

  /** The one way back, from wherever a started node is. */
  public void resume() {
    phase.updateAndGet(current -> current == Phase.STARTING ? current : Phase.READY);
  }
}
