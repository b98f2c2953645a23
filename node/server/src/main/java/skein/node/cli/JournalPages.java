package skein.node.cli;

import io.vertx.core.json.JsonArray;

/**
 * Reads the journal of an instance, page by page. Pages become smaller where a node says that one
 * is more than a request may read.
 */
final class JournalPages {
  private static final int TAKE = 500;

  private final RemoteOptions remote;
  private final String instanceId;
  private long last;
  private int take = TAKE;
  private boolean atEnd;

  /** {@code after}: begins with the entry after this number. */
  JournalPages(RemoteOptions remote, String instanceId, long after) {
    this.remote = remote;
    this.instanceId = instanceId;
    this.last = after;
  }

  /** The next entries. */
  JsonArray next() {
    while (true) {
      var query =
          new Query(InstancePath.of(instanceId, "/journal")).with("after", last).with("take", take);
      var answer = remote.answer("GET", query.toString(), null);
      if (take > 1 && answer.isRefused() && "TOO_LARGE".equals(answer.json().getString("code"))) {
        take /= 2;
        continue;
      }
      var items = answer.orThrow().getJsonArray("items", new JsonArray());
      atEnd = items.size() < take;
      if (!items.isEmpty()) {
        last = items.getJsonObject(items.size() - 1).getLong("sequence", last);
      }
      return items;
    }
  }

  /** Whether there were no more entries behind those that were read last. */
  boolean atEnd() {
    return atEnd;
  }
}
