package skein.work;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A password of the configuration.
 *
 * @param first as it was when the node started; empty: none
 * @param now as it is now, where it may be replaced; may block, and throws {@link
 *     IllegalArgumentException} where there is none that can be used; else null
 */
public record Password(String first, @Nullable Supplier<String> now) {
  public static final Password NONE = new Password("", null);

  /** The result of {@link #now}; {@code before} where that is unusable. */
  Future<String> read(Vertx vertx, String before) {
    var current = now;
    return current == null
        ? Future.succeededFuture(first)
        : vertx
            .executeBlocking(current::get, false)
            .map(found -> Objects.requireNonNull(found))
            .otherwise(before);
  }

  /** Without it. */
  @Override
  public String toString() {
    return "Password";
  }
}
