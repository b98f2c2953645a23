package skein.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * A lock that a node holds now.
 *
 * @param key {@code workflow:} and the id of an instance, or {@code shard:} and a number
 * @param heldFor since it was taken
 * @param freeAfter when it is free for others if its node is silent; renewed until then while it is
 *     used
 * @param token distinguishes this holder from earlier and later ones on the same node
 */
public record HeldLock(Kind kind, String key, Duration heldFor, Duration freeAfter, long token) {
  /** The kind of the locked object. */
  public enum Kind {
    /** One instance, while commands for it are executed. */
    INSTANCE,
    /** All instances of a part of the cluster: the lease that locks of instances rest on. */
    SHARD;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What a node holds, and how it gets it.
   *
   * @param provider as {@code cluster.locks} names it
   * @param locks shards first, then instances, those held longest first
   * @param instances how many instances are locked; not all of them need be listed
   */
  public record Holdings(String provider, List<HeldLock> locks, long instances) {
    public static final Holdings NONE = new Holdings("none", List.of(), 0);

    public Holdings {
      locks = List.copyOf(locks);
    }
  }
}
