package skein.node;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import skein.cluster.Inquiries;
import skein.node.logging.Logging;

/** Tells the last lines of this node's log, as they were written to standard output. */
final class RecentLogView implements Inquiries.Answerer {
  /** The size of one answer, so that it is a small message between nodes. */
  private static final int BYTES_MAX = 128 * 1024;

  private static final long NEWEST = -1;

  @Override
  public Future<JsonObject> answer(JsonObject question) {
    var recent = Logging.recent(question.getLong("after", NEWEST), BYTES_MAX);
    return Future.succeededFuture(
        new JsonObject()
            .put("lines", new JsonArray(recent.lines()))
            .put("next", recent.next())
            .put("skippedBytes", recent.skipped()));
  }
}
