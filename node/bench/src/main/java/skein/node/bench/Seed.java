package skein.node.bench;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import skein.codecs.InstanceCodec;
import skein.model.Bookmark;
import skein.model.WorkflowInstance;

/**
 * Writes instances that wait into the tables, many rows at a time, as copies of one that the
 * cluster has started itself. They have no history in the journal; nothing reads that to resume.
 */
final class Seed {
  private static final int ROWS = 5_000;
  private static final int CONNECTIONS = 2;

  private final Sql sql;
  private final String instances;
  private final String bookmarks;
  private final String timers;
  private final String templateId;

  /** The template has one bookmark, and may have a timer. */
  Seed(Sql sql, String templateId) {
    this.sql = sql;
    this.templateId = templateId;
    this.instances =
        insert(
            "workflow_instances",
            "id",
            List.of(
                "id text",
                "created_at timestamptz",
                "correlation_id text",
                "name text",
                "state bytea"));
    this.bookmarks =
        insert(
            "bookmarks",
            "workflow_instance_id",
            List.of(
                "id text",
                "workflow_instance_id text",
                "hash text",
                "correlation_id text",
                "token_hash text",
                "created_at timestamptz"));
    this.timers =
        insert(
            "timers",
            "workflow_instance_id",
            List.of("id text", "workflow_instance_id text", "due_at timestamptz"));
  }

  /** The other columns, whatever they are in this version of the schema, are the template's. */
  private String insert(String table, String key, List<String> given) {
    var names = given.stream().map(column -> column.substring(0, column.indexOf(' '))).toList();
    var columns = new ArrayList<String>();
    var values = new ArrayList<String>();
    var known =
        sql.rows(
            "select column_name from information_schema.columns"
                + " where table_schema = $1 and table_name = $2 and is_generated = 'NEVER'",
            sql.schema(),
            table);
    for (var row : known) {
      var name = row.getString(0);
      columns.add(name);
      values.add((names.contains(name) ? "n." : "t.") + name);
    }
    var arrays =
        IntStream.range(0, given.size())
            .mapToObj(i ->
                "$" + (i + 2) + "::" + given.get(i).substring(given.get(i).indexOf(' ') + 1) + "[]")
            .toList();
    return "insert into %s (%s) select %s from unnest(%s) as n (%s), %s t where t.%s = $1"
        .formatted(
            table,
            String.join(", ", columns),
            String.join(", ", values),
            String.join(", ", arrays),
            String.join(", ", names),
            table,
            key);
  }

  /** The instance that the copies are made of. */
  WorkflowInstance template() {
    var row = sql.row("select state, revision from workflow_instances where id = $1", templateId);
    return InstanceCodec.decode(row.getBuffer("state").getBytes(), row.getLong("revision"));
  }

  /**
   * Writes the copies {@code from} (included) to {@code to} (excluded), each made by {@code copy};
   * {@code written} gets the number so far.
   */
  void write(int from, int to, IntFunction<WorkflowInstance> copy, Consumer<Integer> written) {
    var connections = new ArrayList<PgConnection>();
    var running = new ArrayList<Future<?>>();
    for (int i = 0; i < CONNECTIONS; i++) {
      connections.add(Sql.await(sql.connect(), "The database did not let us in"));
      running.add(Future.succeededFuture());
    }
    try {
      int turn = 0;
      for (int at = from; at < to; at += ROWS) {
        var rows = IntStream.range(at, Math.min(to, at + ROWS)).mapToObj(copy).toList();
        Sql.await(running.get(turn), "Instances could not be written");
        running.set(turn, write(connections.get(turn), rows));
        written.accept(at - from);
        turn = (turn + 1) % CONNECTIONS;
      }
      running.forEach(each -> Sql.await(each, "Instances could not be written"));
    } finally {
      connections.forEach(each -> Sql.await(each.close(), "A connection stays open"));
    }
  }

  private Future<?> write(PgConnection connection, List<WorkflowInstance> rows) {
    var waits = rows.stream().map(row -> row.bookmarks().getFirst()).toList();
    var timed = waits.stream().filter(bookmark -> bookmark.dueAt() != null).toList();
    var written =
        connection
            .preparedQuery(instances)
            .execute(instances(rows))
            .compose(_ -> connection.preparedQuery(bookmarks).execute(bookmarks(rows, waits)));
    return timed.isEmpty()
        ? written
        : written.compose(_ -> connection.preparedQuery(timers).execute(timers(timed)));
  }

  private Tuple instances(List<WorkflowInstance> rows) {
    return Tuple.of(
        templateId,
        texts(rows.stream().map(row -> row.id().value()).toList()),
        rows.stream()
            .map(row -> row.timing().createdAt().atOffset(ZoneOffset.UTC))
            .toArray(OffsetDateTime[]::new),
        correlations(rows),
        names(rows),
        rows.stream().map(row -> Buffer.buffer(InstanceCodec.encode(row))).toArray(Buffer[]::new));
  }

  private Tuple bookmarks(List<WorkflowInstance> rows, List<Bookmark> waits) {
    return Tuple.from(
        List.of(
            templateId,
            texts(waits.stream().map(bookmark -> bookmark.id().toString()).toList()),
            texts(rows.stream().map(row -> row.id().value()).toList()),
            texts(waits.stream().map(Bookmark::hash).toList()),
            correlations(rows),
            tokens(waits),
            waits.stream()
                .map(bookmark -> bookmark.createdAt().atOffset(ZoneOffset.UTC))
                .toArray(OffsetDateTime[]::new)));
  }

  private Tuple timers(List<Bookmark> timed) {
    var due = new ArrayList<OffsetDateTime>();
    for (var bookmark : timed) {
      if (bookmark.dueAt() != null) {
        due.add(bookmark.dueAt().atOffset(ZoneOffset.UTC));
      }
    }
    return Tuple.of(
        templateId,
        texts(timed.stream().map(bookmark -> bookmark.id().toString()).toList()),
        texts(timed.stream().map(bookmark -> bookmark.id().instanceId().value()).toList()),
        due.toArray(OffsetDateTime[]::new));
  }

  private static String[] texts(List<String> texts) {
    return texts.toArray(String[]::new);
  }

  private static @Nullable String[] correlations(List<WorkflowInstance> rows) {
    var texts = new @Nullable String[rows.size()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = rows.get(i).labels().correlationId();
    }
    return texts;
  }

  private static @Nullable String[] names(List<WorkflowInstance> rows) {
    var texts = new @Nullable String[rows.size()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = rows.get(i).labels().name();
    }
    return texts;
  }

  private static @Nullable String[] tokens(List<Bookmark> waits) {
    var texts = new @Nullable String[waits.size()];
    for (int i = 0; i < texts.length; i++) {
      var token = waits.get(i).token();
      texts[i] = token == null ? null : token.hash();
    }
    return texts;
  }

  /** As after a while of ordinary use: statistics are there, pages are known to be visible. */
  void vacuum() {
    for (var table : List.of("workflow_instances", "bookmarks", "timers")) {
      sql.run("vacuum (analyze) " + table);
    }
  }
}
