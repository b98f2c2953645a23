package skein.passes;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Cluster;
import skein.storage.PassStore;
import skein.storage.PassStore.Claim;
import skein.storage.PassStore.Terms;

/**
 * Asks the database again and again whether it is time for a pass, and has it made when this node
 * gets it. Of all nodes one gets it, the one that made the last pass before others. All of that is
 * done on a virtual thread of its own.
 */
public final class PassLoop {
  private static final Logger log = LoggerFactory.getLogger(PassLoop.class);

  /** Between two questions whether it is time: how soon a pass that is asked for begins. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** The work of passes; called on the thread of the loop alone. */
  public interface Work {
    /** The node looked: whether it made the last pass, or makes the next one. */
    void looked(boolean isHolder);

    /**
     * Makes a pass, and records it in the store; false when it was interrupted.
     *
     * @param mayGoOn false as soon as the node stops
     */
    boolean make(Claim claim, BooleanSupplier mayGoOn);
  }

  private final String name;
  private final PassStore store;
  private final Cluster cluster;
  private final Terms terms;
  private final Work work;
  private final Promise<Void> ended = Promise.promise();
  private final CountDownLatch stopping = new CountDownLatch(1);

  /** {@code name}: of the thread; events of the log begin with it. */
  public PassLoop(String name, PassStore store, Cluster cluster, Terms terms, Work work) {
    this.name = name;
    this.store = store;
    this.cluster = cluster;
    this.terms = terms;
    this.work = work;
  }

  public void start() {
    Thread.ofVirtual().name(name).start(this::run);
  }

  private void run() {
    try {
      do {
        try {
          lookForPass();
        } catch (RuntimeException e) {
          // The next look continues: the database may be unavailable for a while.
          log.atWarn().addKeyValue("cause", String.valueOf(e.getMessage())).log(name + ".failed");
        }
      } while (!stopping.await(LOOK.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      work.looked(false);
      ended.complete();
    }
  }

  private void lookForPass() {
    var found = store.look(cluster.nodeId(), cluster.nodeName(), terms).await();
    work.looked(found.isHolder());
    var claim = found.claim();
    if (claim != null) {
      make(claim);
    }
  }

  private void make(Claim claim) {
    boolean over = false;
    try {
      over = work.make(claim, () -> stopping.getCount() > 0);
    } finally {
      if (!over) {
        store.giveUp(claim.number()).await();
      }
    }
  }

  /** Done when a pass that is being made was given up; at once when there is none. */
  public Future<Void> stop() {
    stopping.countDown();
    return ended.future();
  }
}
