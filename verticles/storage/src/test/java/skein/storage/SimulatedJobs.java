package skein.storage;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.model.BookmarkId;
import skein.model.Timer;

/** Jobs by the rules of {@link JobStore}. */
final class SimulatedJobs implements JobRows {
  private final SimulatedDatabase database;
  private final SimulatedTables tables;

  SimulatedJobs(SimulatedDatabase database, SimulatedTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public Future<List<Leased>> lease(Order order) {
    return database.run("lease jobs", List.of(), () -> leaseNow(order));
  }

  private List<Leased> leaseNow(Order order) {
    var leased = new ArrayList<Leased>();
    for (var job : tables.jobs().values()) {
      if (leased.size() < order.max() && job.lease == null) {
        var bookmark = job.bookmark;
        var until = database.now().plus(order.leaseFor());
        var timer =
            new Timer(
                bookmark.id().toString(),
                until,
                bookmark.id().instanceId(),
                Timer.Kind.Bookmark,
                null);
        tables.addTimer(timer);
        tables.extendDeadline(timer.id(), until);
        leased.add(
            new Leased(
                bookmark.id(),
                tables.leased(job),
                payload(bookmark.payload()),
                "",
                null,
                bookmark.execution(),
                until));
      }
    }
    return leased;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, @Nullable Object> payload(@Nullable Object payload) {
    return payload == null ? Map.of() : (Map<String, @Nullable Object>) payload;
  }

  @Override
  public Future<@Nullable Instant> extend(BookmarkId id, UUID lease, Duration leaseFor) {
    return database.run("extend a lease", List.of(), () -> extendNow(id, lease, leaseFor));
  }

  private @Nullable Instant extendNow(BookmarkId id, UUID lease, Duration leaseFor) {
    if (holderNow(id, lease) != Holder.THIS || !tables.timers().containsKey(id.toString())) {
      return null;
    }
    var until = database.now().plus(leaseFor);
    tables.extendDeadline(id.toString(), until);
    return until;
  }

  @Override
  public Future<Holder> holder(BookmarkId id, UUID lease) {
    return database.run("look at a lease", List.of(), () -> holderNow(id, lease));
  }

  private Holder holderNow(BookmarkId id, UUID lease) {
    var job = tables.jobs().get(id.toString());
    if (job == null) {
      return Holder.NOBODY;
    }
    return lease.equals(job.lease) ? Holder.THIS : Holder.ANOTHER;
  }

  @Override
  public Future<Void> giveUp(List<BookmarkId> ids) {
    return database
        .run(
            "give up leases",
            List.of(),
            () -> {
              ids.forEach(id -> tables.extendDeadline(id.toString(), database.now()));
              return true;
            })
        .mapEmpty();
  }
}
