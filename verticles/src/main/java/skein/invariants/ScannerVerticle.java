package skein.invariants;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.storage.LeaseStore;
import skein.storage.ViolationStore;
import skein.storage.ViolationStore.Progress;
import skein.timers.Leadership;

/**
 * Takes part in the election of the node that scans and, while it is the one, makes a pass at every
 * interval and whenever one is asked for. Deploy on an event loop; passes have a virtual thread of
 * their own.
 */
public final class ScannerVerticle extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(ScannerVerticle.class);

  /** The name of the lease. */
  static final String LEASE = "scanner";

  /** How soon a pass that is asked for begins. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final ScannerParts parts;
  private final ViolationStore violations;

  /** Tells one reign from the next: the thread of an earlier one must not go on. */
  private final AtomicInteger reign = new AtomicInteger();

  private @Nullable Leadership leadership;

  public ScannerVerticle(ScannerParts parts) {
    this.parts = parts;
    this.violations = new ViolationStore(parts.database());
  }

  @Override
  public Future<?> start() {
    for (var invariant : Invariant.values()) {
      parts.figures().knows(invariant.wireName());
    }
    var elected =
        new Leadership(
            vertx,
            LEASE,
            new LeaseStore(parts.database()),
            parts.cluster(),
            parts.options().lease(),
            System::nanoTime,
            this::lead);
    leadership = elected;
    parts.cluster().onChange(() -> context.runOnContext(_ -> elected.membersChanged()));
    elected.start();
    return Future.succeededFuture();
  }

  private void lead(boolean leads) {
    int mine = reign.incrementAndGet();
    parts.figures().active(leads);
    if (leads) {
      Thread.ofVirtual().name("scanner-" + mine).start(() -> scan(mine));
    }
  }

  private void scan(int mine) {
    while (mine == reign.get()) {
      try {
        var progress = violations.progress().await();
        if (isTime(progress)) {
          new Pass(parts, violations, () -> mine == reign.get(), progress.isRequested()).run();
        }
        Thread.sleep(LOOK);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException e) {
        failed(mine, e);
      }
    }
  }

  /** The next look goes on: the database may be away for a while. */
  private void failed(int mine, RuntimeException e) {
    if (mine != reign.get()) {
      return;
    }
    log.atWarn().addKeyValue("cause", String.valueOf(e.getMessage())).log("scanner.failed");
    try {
      Thread.sleep(LOOK);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      reign.incrementAndGet();
    }
  }

  /** Also when the node before did not bring its pass to an end. */
  private boolean isTime(Progress progress) {
    var started = progress.startedAt();
    return progress.isPending()
        || started == null
        || !started.plus(parts.options().interval()).isAfter(progress.now());
  }

  @Override
  public Future<?> stop() {
    var elected = leadership;
    reign.incrementAndGet();
    return elected == null ? Future.succeededFuture() : elected.stop();
  }
}
