package skein.cluster;

import java.util.concurrent.atomic.AtomicReference;

/** How far this node is in its life. It only goes forward. Thread-safe. */
public final class Readiness {
  public enum Phase {
    /** Joining, migrating, deploying: takes no work. */
    STARTING,
    /** Takes work. */
    READY,
    /** Finishes what it has and takes nothing new; there is no way back. */
    DRAINING
  }

  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.STARTING);

  public Phase phase() {
    return phase.get();
  }

  public boolean isReady() {
    return phase.get() == Phase.READY;
  }

  /** Without effect on a node that is further already. */
  public void advanceTo(Phase next) {
    phase.updateAndGet(current -> current.compareTo(next) < 0 ? next : current);
  }
}
