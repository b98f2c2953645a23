package skein.http;

import io.vertx.core.Future;
import java.util.List;

/** Makes definitions use the newest version of a definition that they use as an activity. */
public interface ReferenceUpdates {
  /** Gives the ids of the definitions that were changed. */
  Future<List<String>> update(String definitionId);
}
