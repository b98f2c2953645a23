package skein.http;

import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;

/**
 * Work of other rooms that some routes hand on.
 *
 * @param definitionActivities the published definitions that can be used as activities, described
 *     as one each; asked anew by every call
 * @param references null: the route is not there
 */
public record HttpHandlers(
    Supplier<Future<List<ActivityDescriptor>>> definitionActivities,
    @Nullable ReferenceUpdates references) {
  /** No definition is an activity, and nothing is handed on. */
  public static final HttpHandlers NONE =
      new HttpHandlers(() -> Future.succeededFuture(List.of()), null);
}
