package skein.http;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import skein.model.InstanceId;
import skein.storage.ExecutionStore;
import skein.storage.ExecutionStore.Stats;
import skein.storage.InstanceRevisions;

/** Reads the content of the hub's notices from the database. Thread-safe. */
record HubReads(InstanceRevisions revisions, ExecutionStore executions) implements HubFeed.Reads {
  @Override
  public Future<Map<InstanceId, Long>> revisions(Collection<InstanceId> ids) {
    return revisions.of(ids);
  }

  @Override
  public Future<List<Stats>> statistics(InstanceId id) {
    return executions.stats(id, List.of());
  }
}
