package skein.storage;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.BadBytesException;
import skein.codecs.InstanceCodec;
import skein.model.InstanceId;
import skein.model.SkeinException;

/**
 * Reads instances, those that are asked for while a statement is under way with the next one. An
 * answer is never older than its question. Thread-safe; callers are answered on their own context.
 *
 * <p>Of what one statement reads each instance has an equal share; larger states are left out and
 * read one by one, in turn with the statements for the others.
 */
final class InstanceReads {
  static final String FIND =
      """
      select id, revision, state_id, case when octet_length(state) <= $2 then state end as state
        from workflow_instances where id = any($1::text[])
      """;

  /** The size of all states that one statement reads, except for one that is read alone. */
  static final int BYTES_MAX = 8 << 20;

  private final Database database;
  private final int batchMax;
  private final Object lock = new Object();
  private Map<String, List<Asker>> waiting = new LinkedHashMap<>();

  /** States to be read alone. */
  private final ArrayDeque<Map.Entry<String, List<Asker>>> large = new ArrayDeque<>();

  private boolean largeLast;
  private boolean flying;

  private record Asker(@Nullable Context context, Promise<@Nullable NamedState> promise) {
    void answer(Runnable settle) {
      if (context == null) {
        settle.run();
      } else {
        context.runOnContext(_ -> settle.run());
      }
    }
  }

  InstanceReads(Database database) {
    this.database = database;
    this.batchMax = database.options().reads().batchMax();
  }

  /** Null when there is no such instance. */
  Future<@Nullable NamedState> find(InstanceId id) {
    Promise<@Nullable NamedState> promise = Promise.promise();
    @Nullable Context context = Vertx.currentContext();
    boolean first;
    synchronized (lock) {
      first = waiting.isEmpty();
      waiting.computeIfAbsent(id.value(), _ -> new ArrayList<>(1)).add(new Asker(context, promise));
    }
    if (context == null) {
      fly();
    } else if (first) {
      // those that the same turn of the event loop asks for come along
      context.runOnContext(_ -> fly());
    }
    return promise.future();
  }

  private void fly() {
    Map<String, List<Asker>> batch;
    synchronized (lock) {
      if (flying || (waiting.isEmpty() && large.isEmpty())) {
        return;
      }
      flying = true;
      largeLast = !large.isEmpty() && (waiting.isEmpty() || !largeLast);
      batch = largeLast ? takeLarge() : takeBatch();
    }
    var ids = batch.keySet().toArray(String[]::new);
    var what = ids.length == 1 ? "read instance " + ids[0] : "read " + ids.length + " instances";
    database
        .runKept(what, FIND, Tuple.of(ids, bytesMax(ids.length)))
        .onComplete(result -> {
          synchronized (lock) {
            flying = false;
          }
          if (result.succeeded()) {
            answer(batch, result.result());
          } else {
            batch.values().forEach(askers -> fail(askers, result.cause()));
          }
          fly();
        });
  }

  /** The most that one of so many may take. */
  static int bytesMax(int count) {
    return count == 1 ? Integer.MAX_VALUE : BYTES_MAX / count;
  }

  private Map<String, List<Asker>> takeLarge() {
    var next = large.remove();
    var alone = new HashMap<String, List<Asker>>();
    alone.put(next.getKey(), next.getValue());
    return alone;
  }

  private Map<String, List<Asker>> takeBatch() {
    if (waiting.size() <= batchMax) {
      var all = waiting;
      waiting = new LinkedHashMap<>();
      return all;
    }
    var batch = new HashMap<String, List<Asker>>();
    var entries = waiting.entrySet().iterator();
    while (batch.size() < batchMax) {
      var entry = entries.next();
      batch.put(entry.getKey(), entry.getValue());
      entries.remove();
    }
    return batch;
  }

  private void answer(Map<String, List<Asker>> batch, Iterable<Row> rows) {
    for (var row : rows) {
      var id = row.getString("id");
      var askers = batch.remove(id);
      if (askers != null && row.getValue("state") == null) {
        synchronized (lock) {
          large.add(Map.entry(id, askers));
        }
      } else if (askers != null) {
        found(askers, row);
      }
    }
    for (var askers : batch.values()) {
      askers.forEach(asker -> asker.answer(() -> asker.promise().complete(null)));
    }
  }

  private void found(List<Asker> askers, Row row) {
    try {
      var state = state(row, database.values());
      askers.forEach(asker -> asker.answer(() -> asker.promise().complete(state)));
    } catch (RuntimeException e) {
      fail(askers, e);
    }
  }

  /** The state in a row with {@code id}, {@code revision}, {@code state_id} and {@code state}. */
  static NamedState state(Row row, StoredValues values) {
    try {
      long revision = row.getLong("revision");
      var place = StoredValues.Place.state(new InstanceId(row.getString("id")), revision);
      var bytes = values.open(place, row.getBuffer("state").getBytes());
      return new NamedState(InstanceCodec.decode(bytes, revision), row.getUUID("state_id"));
    } catch (BadBytesException e) {
      throw e.isNewer() ? SkeinException.newerFormat("Instance " + row.getString("id"), e) : e;
    }
  }

  private static void fail(List<Asker> askers, Throwable e) {
    askers.forEach(asker -> asker.answer(() -> asker.promise().fail(e)));
  }
}
