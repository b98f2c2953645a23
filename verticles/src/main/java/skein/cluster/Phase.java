package skein.cluster;

import java.util.concurrent.atomic.AtomicReference;

/** Where this node stands between its start and its end. Thread-safe. */
public final class Phase {

  /** In order; a node never goes back. */
  public enum Name {
    /** Not everything is running yet. */
    STARTING,
    READY,
    /** Finishes what it has and takes nothing new; health says so, so that balancers look away. */
    DRAINING
  }

  private final AtomicReference<Name> name = new AtomicReference<>(Name.STARTING);

  public Name name() {
    return name.get();
  }

  public boolean isReady() {
    return name() == Name.READY;
  }

  /**
   * Goes on to a later phase; a step back is ignored, so that a drain cannot be undone by a start.
   */
  public void become(Name next) {
    name.updateAndGet(now -> next.compareTo(now) > 0 ? next : now);
  }
}
