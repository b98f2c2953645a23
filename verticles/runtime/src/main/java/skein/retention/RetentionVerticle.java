package skein.retention;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.function.BooleanSupplier;
import skein.passes.PassLoop;
import skein.storage.PassStore;
import skein.storage.PassStore.Claim;

/** Makes the passes of retention that this node gets. Deploy on an event loop. */
public final class RetentionVerticle extends VerticleBase {
  private final PassLoop loop;

  public RetentionVerticle(RetentionDependencies dependencies) {
    this.loop =
        new PassLoop(
            "retention",
            new PassStore(dependencies.database(), PassStore.Kind.RETENTION),
            dependencies.cluster(),
            dependencies.options().terms(),
            new Work(dependencies));
  }

  private record Work(RetentionDependencies dependencies) implements PassLoop.Work {
    @Override
    public void looked(boolean isHolder) {
      dependencies.metrics().active(isHolder);
    }

    @Override
    public boolean make(Claim claim, BooleanSupplier mayGoOn) {
      return new RetentionPass(dependencies, claim, mayGoOn).run();
    }
  }

  @Override
  public Future<?> start() {
    loop.start();
    return Future.succeededFuture();
  }

  /** Done when a pass that is being made was given up. */
  @Override
  public Future<?> stop() {
    return loop.stop();
  }
}
