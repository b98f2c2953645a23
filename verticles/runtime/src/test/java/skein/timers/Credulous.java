package skein.timers;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import skein.storage.LeaseStore;
import skein.storage.SchedulerMetrics;

/** Grants every lease to every caller, until it falls silent: then it fails all requests. */
final class Credulous implements LeaseStore {
  volatile long silentSince = Long.MAX_VALUE;

  @Override
  public Future<Seen> checkIn(Participant me, Map<Integer, Long> epochs, SchedulerMetrics metrics) {
    return answer(new Seen(epochs.keySet(), Map.of(), Set.of(), List.of(me.id())));
  }

  @Override
  public Future<Map<Integer, Long>> take(Participant me, Collection<Integer> shards) {
    return answer(shards.stream().collect(Collectors.toMap(shard -> shard, _ -> 1L)));
  }

  @Override
  public Future<Void> release(Participant me, Map<Integer, Long> epochs) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> leave(Participant me) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> remove(Collection<String> nodeIds) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }

  private <T> Future<T> answer(T answer) {
    return System.nanoTime() < silentSince
        ? Future.succeededFuture(answer)
        : Future.failedFuture("Silent");
  }
}
