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
  private final ScannerDependencies dependencies;
  private final PassLoop loop;

  public ScannerVerticle(ScannerDependencies dependencies) {
    this.dependencies = dependencies;
    this.loop =
        new PassLoop(
            "scanner",
            new PassStore(dependencies.database(), PassStore.Kind.SCANNER),
            dependencies.cluster(),
            dependencies.options().terms(),
            new Scan(dependencies));
  }

  private record Scan(ScannerDependencies dependencies) implements PassLoop.Work {
    @Override
    public void looked(boolean isHolder) {
      dependencies.metrics().active(isHolder);
    }

    @Override
    public boolean make(Claim claim, BooleanSupplier mayGoOn) {
      dependencies.metrics().opens(new ViolationStore(dependencies.database()).open().await());
      return new Pass(dependencies, claim, mayGoOn).run();
    }
  }

  @Override
  public Future<?> start() {
    for (var invariant : Invariant.values()) {
      dependencies.metrics().knows(invariant.wireName());
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
