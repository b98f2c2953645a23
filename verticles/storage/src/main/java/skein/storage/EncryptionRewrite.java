package skein.storage;

import static java.util.Objects.requireNonNull;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Timer;

/**
 * Rewrites the existing rows in the form in which values are stored now: encrypted by the newest
 * data key, or not encrypted. Nodes may run during it: a row is written only where it is still what
 * was read, one row in each transaction, and nothing of it that a commit compares is changed.
 * Answers to idempotency keys are left alone, since they expire.
 */
public final class EncryptionRewrite {
  private final Database database;
  private final StoredValues values;
  private final int batchMax;

  /** {@code batchMax}: rows that are read, and written, at a time. */
  public EncryptionRewrite(Database database, int batchMax) {
    this.database = database;
    this.values = database.values();
    this.batchMax = batchMax;
  }

  /**
   * @param read rows
   * @param written those that had another form
   */
  public record Count(long read, long written) {
    private static final Count NONE = new Count(0, 0);

    private Count plus(Count other) {
      return new Count(read + other.read, written + other.written);
    }
  }

  /**
   * A table that values are in.
   *
   * @param page reads rows behind the place that the parameters before the last one name
   * @param place of a row
   * @param first the place before all rows
   * @param change what writes a row in its new form; null: it has it
   */
  private record Table(
      String name,
      String page,
      Function<Row, List<Object>> place,
      List<Object> first,
      Function<Row, @Nullable Change> change) {}

  private record Change(String sql, Tuple parameters) {}

  /** One pass over all tables; the counts by table. */
  public Future<Map<String, Count>> run() {
    var counts = new LinkedHashMap<String, Count>();
    var done = Future.<Void>succeededFuture();
    for (var table : tables()) {
      done =
          done.compose(_ -> pages(table, table.first(), Count.NONE))
              .map(count -> {
                counts.put(table.name(), count);
                return null;
              });
    }
    return done.map(_ -> counts);
  }

  private Future<Count> pages(Table table, List<Object> after, Count before) {
    var parameters = Tuple.from(after).addInteger(batchMax);
    return database
        .run("read " + table.name() + " to rewrite them", table.page(), parameters)
        .compose(rows ->
            written(table, rows)
                .map(before::plus)
                .compose(count -> {
                  if (rows.size() < batchMax) {
                    return Future.succeededFuture(count);
                  }
                  Row last = null;
                  for (var row : rows) {
                    last = row;
                  }
                  return pages(table, table.place().apply(requireNonNull(last)), count);
                }));
  }

  private Future<Count> written(Table table, RowSet<Row> rows) {
    var writes = new ArrayList<Future<Integer>>();
    for (var row : rows) {
      var change = table.change().apply(row);
      if (change != null) {
        writes.add(
            database
                .run("rewrite a row of " + table.name(), change.sql(), change.parameters())
                .map(RowSet::rowCount));
      }
    }
    return Future.join(writes)
        .map(_ -> new Count(rows.size(), writes.stream().mapToInt(write -> write.result()).sum()));
  }

  private List<Table> tables() {
    return List.of(
        new Table(
            "workflow_instances",
            "select id, revision, state_id, state from workflow_instances where id > $1"
                + " order by id limit $2",
            row -> List.of(row.getString("id")),
            List.of(""),
            this::state),
        new Table(
            "journal",
            "select workflow_instance_id, revision, commit_id, entries::text as entries, reply"
                + " from journal where (workflow_instance_id, revision) > ($1, $2)"
                + " order by workflow_instance_id, revision limit $3",
            row -> List.of(row.getString("workflow_instance_id"), row.getLong("revision")),
            List.of("", 0L),
            this::journal),
        new Table(
            "bookmarks",
            "select id, task::text as task, job::text as job from bookmarks"
                + " where id > $1 and (task is not null or job is not null) order by id limit $2",
            row -> List.of(row.getString("id")),
            List.of(""),
            this::bookmark),
        new Table(
            "timers",
            "select id, due_at, workflow_instance_id, kind, payload::text as payload from timers"
                + " where id > $1 and payload is not null and "
                + TimerStore.IS_KNOWN
                + " order by id limit $2",
            row -> List.of(row.getString("id")),
            List.of(""),
            this::timer),
        new Table(
            "alteration_plans",
            "select id, alterations::text as alterations from alteration_plans where id > $1"
                + " order by id limit $2",
            row -> List.of(row.getString("id")),
            List.of(""),
            this::plan));
  }

  private @Nullable Change state(Row row) {
    var stored = row.getBuffer("state").getBytes();
    if (values.isCurrent(stored)) {
      return null;
    }
    var id = row.getString("id");
    long revision = row.getLong("revision");
    UUID stateId = row.getUUID("state_id");
    var place = StoredValues.Place.state(new InstanceId(id), revision);
    return new Change(
        "update workflow_instances set state = $4"
            + " where id = $1 and revision = $2 and state_id is not distinct from $3",
        Tuple.of(
            id, revision, stateId, Buffer.buffer(values.seal(place, values.open(place, stored)))));
  }

  private @Nullable Change journal(Row row) {
    var entries = requireNonNull(JsonText.parse(row.getString("entries"), JsonLimits.STORED));
    var reply = row.getBuffer("reply");
    if (JournalJson.sealed(entries).stream().allMatch(values::isCurrent)
        && (reply == null || values.isCurrent(reply.getBytes()))) {
      return null;
    }
    var id = new InstanceId(row.getString("workflow_instance_id"));
    var ofInstance = values.entries(id);
    var commit = row.getUUID("commit_id");
    var place = StoredValues.Place.reply(id, commit);
    return new Change(
        "update journal set entries = $4::text::json, reply = $5"
            + " where workflow_instance_id = $1 and revision = $2 and commit_id = $3",
        Tuple.of(
            id.value(),
            row.getLong("revision"),
            commit,
            JournalJson.print(JournalJson.parse(entries, ofInstance), ofInstance),
            values.seal(place, values.open(place, reply))));
  }

  private @Nullable Change bookmark(Row row) {
    var id = BookmarkId.parse(row.getString("id"));
    var task = row.getString("task");
    var job = row.getString("job");
    if ((task == null || isCurrent(task)) && (job == null || isCurrent(job))) {
      return null;
    }
    return new Change(
        "update bookmarks set task = $3::text::json, job = $5::text::json where id = $1"
            + " and task::text is not distinct from $2 and job::text is not distinct from $4",
        Tuple.of(
            id.toString(),
            task,
            task == null
                ? null
                : UserTaskRow.stored(id, opened(StoredValues.Place.task(id), task), values),
            job,
            job == null
                ? null
                : JobRow.stored(id, opened(StoredValues.Place.job(id), job), values)));
  }

  private @Nullable Change timer(Row row) {
    var before = row.getString("payload");
    var timer = TimerStore.timer(row);
    boolean mayHold =
        timer.kind() == Timer.Kind.Alter
            || !(timer.payload() instanceof Map<?, ?> payload)
            || TimerStore.hasSecrets(payload);
    if (!mayHold || isCurrent(before)) {
      return null;
    }
    var after = TimerStore.payload(TimerStore.opened(timer, values), values);
    return new Change(
        "update timers set payload = $3::text::json"
            + " where id = $1 and payload::text is not distinct from $2",
        Tuple.of(timer.id(), before, after));
  }

  private @Nullable Change plan(Row row) {
    var before = row.getString("alterations");
    if (isCurrent(before)) {
      return null;
    }
    var id = row.getString("id");
    var place = StoredValues.Place.plan(id);
    var opened = values.open(place, JsonText.parse(before, JsonLimits.STORED));
    return new Change(
        "update alteration_plans set alterations = $3::text::json"
            + " where id = $1 and alterations::text = $2",
        Tuple.of(id, before, JsonText.print(values.seal(place, requireNonNull(opened)))));
  }

  private boolean isCurrent(String json) {
    return values.isCurrent(
        JsonText.parse(json, JsonLimits.STORED) instanceof Map<?, ?> stored
            ? stored.get(StoredValues.SEALED)
            : null);
  }

  private Map<String, @Nullable Object> opened(StoredValues.Place place, String stored) {
    return values.openObject(place, stored);
  }
}
