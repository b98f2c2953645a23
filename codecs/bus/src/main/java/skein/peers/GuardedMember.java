package skein.peers;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Starts members of Hazelcast that have a {@link PeerGuard} at their port. */
public final class GuardedMember {
  /** Where vertx-hazelcast looks for the id of a Vert.x. */
  private static final String NODE_ID = "__vertx.nodeId";

  private GuardedMember() {}

  /** None of the members that were to be joined has the secret of this one. */
  public static final class SecretDiffersException extends RuntimeException {
    SecretDiffersException(Refusal refusal) {
      super(refusal.sentence());
    }
  }

  /** None of the members that were to be joined has TLS as this one has it. */
  public static final class TlsDiffersException extends RuntimeException {
    private final Refusal.Code code;

    TlsDiffersException(Refusal refusal) {
      super(refusal.sentence());
      this.code = refusal.code();
    }

    /** {@code CLUSTER_TLS_DIFFERS} or {@code CLUSTER_CERTIFICATE_REFUSED}. */
    public Refusal.Code code() {
      return code;
    }
  }

  /**
   * Joins the others, for a {@code HazelcastClusterManager}; blocks until it has. The caller that
   * starts it shuts it down, after the Vert.x.
   *
   * @throws SecretDiffersException Hazelcast alone would retry for five minutes
   * @throws TlsDiffersException as well
   */
  public static HazelcastInstance start(Config config, PeerGuard guard) {
    return start(config, guard, new MemberContext(guard));
  }

  /** As the other one; {@code context} has the same guard. */
  public static HazelcastInstance start(Config config, PeerGuard guard, MemberContext context) {
    if (config.getMemberAttributeConfig().getAttribute(NODE_ID) == null) {
      config.getMemberAttributeConfig().setAttribute(NODE_ID, UUID.randomUUID().toString());
    }
    if (config.getInstanceName() == null) {
      config.setInstanceName(HazelcastInstanceFactory.createInstanceName(config));
    }
    var watching = new AtomicBoolean();
    guard.onDiffers(refusal -> {
      if (watching.compareAndSet(false, true)) {
        CompletableFuture.delayedExecutor(guard.timeMax().toMillis(), TimeUnit.MILLISECONDS)
            .execute(() -> giveUp(guard, context));
      }
    });
    try {
      var member =
          HazelcastInstanceFactory.newHazelcastInstance(config, config.getInstanceName(), context);
      if (isRefused(guard) && member.getCluster().getMembers().size() == 1) {
        member.getLifecycleService().terminate();
        throw new IllegalStateException("There is no other member");
      }
      return member;
    } catch (IllegalStateException e) {
      var refusal = guard.lastThatDiffers();
      throw refusal == null || guard.hasProvedPeer() ? e : differs(refusal);
    } finally {
      guard.onDiffers(refusal -> {});
    }
  }

  private static RuntimeException differs(Refusal refusal) {
    return refusal.code() == Refusal.Code.CLUSTER_SECRET_DIFFERS
        ? new SecretDiffersException(refusal)
        : new TlsDiffersException(refusal);
  }

  private static boolean isRefused(PeerGuard guard) {
    return guard.lastThatDiffers() != null && !guard.hasProvedPeer();
  }

  private static void giveUp(PeerGuard guard, MemberContext context) {
    if (isRefused(guard)) {
      context.endStart();
    }
  }
}
