package skein.invariants;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.function.BooleanSupplier;
import skein.passes.PassLoop;
import skein.storage.PassStore;
import skein.storage.PassStore.Claim;
import skein.storage.ViolationStore;

/** Makes the scanner's passes that this node gets. Deploy on an event loop. */
public final class ScannerVerticle extends VerticleBase {
  private final ScannerParts parts;
  private final PassLoop loop;

  public ScannerVerticle(ScannerParts parts) {
    this.parts = parts;
    this.loop =
        new PassLoop(
            "scanner",
            new PassStore(parts.database(), PassStore.Kind.SCANNER),
            parts.cluster(),
            parts.options().terms(),
            new Scan(parts));
  }

  private record Scan(ScannerParts parts) implements PassLoop.Work {
    @Override
    public void looked(boolean isHolder) {
      parts.figures().active(isHolder);
    }

    @Override
    public boolean make(Claim claim, BooleanSupplier mayGoOn) {
      parts.figures().opens(new ViolationStore(parts.database()).open().await());
      return new Pass(parts, claim, mayGoOn).run();
    }
  }

  @Override
  public Future<?> start() {
    for (var invariant : Invariant.values()) {
      parts.figures().knows(invariant.wireName());
    }
    loop.start();
    return Future.succeededFuture();
  }

  /** Done when a pass that is being made was given up. */
  @Override
  public Future<?> stop() {
    return loop.stop();
  }
}
