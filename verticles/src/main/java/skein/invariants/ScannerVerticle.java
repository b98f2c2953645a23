package skein.invariants;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.storage.ScannerStore;
import skein.storage.ScannerStore.Claim;
import skein.storage.ViolationStore;

/**
 * Asks the database every second whether it is time for a pass, and makes it when this node gets
 * it. Of all nodes one gets it, the one that made the last pass before others. Deploy on an event
 * loop; asking and passes have a virtual thread of their own.
 */
public final class ScannerVerticle extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(ScannerVerticle.class);

  /** How soon a pass that is asked for begins. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final ScannerParts parts;
  private final ScannerStore store;
  private final ViolationStore violations;
  private final Promise<Void> ended = Promise.promise();
  private volatile boolean stopped;

  public ScannerVerticle(ScannerParts parts) {
    this.parts = parts;
    this.store = new ScannerStore(parts.database());
    this.violations = new ViolationStore(parts.database());
  }

  @Override
  public Future<?> start() {
    for (var invariant : Invariant.values()) {
      parts.figures().knows(invariant.wireName());
    }
    Thread.ofVirtual().name("scanner").start(this::scan);
    return Future.succeededFuture();
  }

  private void scan() {
    try {
      while (!stopped) {
        try {
          look();
        } catch (RuntimeException e) {
          // The next look goes on: the database may be away for a while.
          log.atWarn().addKeyValue("cause", String.valueOf(e.getMessage())).log("scanner.failed");
        }
        Thread.sleep(LOOK);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      parts.figures().active(false);
      ended.complete();
    }
  }

  private void look() {
    var cluster = parts.cluster();
    var found = store.look(cluster.nodeId(), cluster.nodeName(), parts.options().terms()).await();
    var claim = found.claim();
    if (claim == null) {
      parts.figures().active(found.isHolder());
    } else {
      parts.figures().opens(violations.open().await());
      parts.figures().active(true);
      make(claim);
    }
  }

  private void make(Claim claim) {
    boolean over = false;
    try {
      over = new Pass(parts, claim, () -> !stopped).run();
    } finally {
      if (!over) {
        store.giveUp(claim.number()).await();
      }
    }
  }

  /** Done when a pass that is being made was given up. */
  @Override
  public Future<?> stop() {
    stopped = true;
    return ended.future();
  }
}
