package skein.faults;

import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import skein.node.Sql;
import skein.node.TestCluster;
import skein.node.TimerLog;

/**
 * Lets the database itself write down what its tables forget: bookmarks that were made, timers that
 * went, leases that changed hands. Reads that, and the tables, when all is quiet.
 *
 * @param definitions prefix of the ids of the definitions that are looked at
 */
record Witness(Sql sql, String definitions) {
  private static final List<String> SETUP =
      List.of(
          "create table if not exists bookmarks_made (id text, instance text, name text)",
          "create or replace function bookmark_made() returns trigger language plpgsql as $$"
              + " begin insert into bookmarks_made values (new.id, new.workflow_instance_id,"
              + " new.name); return null; end $$",
          "create or replace trigger bookmark_made after insert on bookmarks for each row"
              + " execute function bookmark_made()",
          "create table if not exists leases_taken"
              + " (number bigserial, name text, epoch bigint, holder text)",
          "create or replace function lease_taken() returns trigger language plpgsql as $$"
              + " begin if tg_op = 'INSERT' or (new.epoch, new.holder) is distinct from"
              + " (old.epoch, old.holder) then insert into leases_taken (name, epoch, holder)"
              + " values (new.name, new.epoch, new.holder); end if; return null; end $$",
          "create or replace trigger lease_taken after insert or update on leases for each row"
              + " execute function lease_taken()");

  private static final String WAITS =
      Stream.of(Waiting.WaitKind.values())
          .map(type -> "'" + type.activity() + "'")
          .collect(Collectors.joining(", ", "(", ")"));

  private static final String OURS =
      "(select id from workflow_instances where definition_id like $1 || '%')";

  /** Also what belongs to no instance at all, which must not be. */
  private static final String SEEN =
      "(workflow_instance_id in {ours}"
          + " or workflow_instance_id not in (select id from workflow_instances))";

  static Witness of(TestCluster cluster, String definitions) {
    SETUP.forEach(statement -> cluster.sql().rows(statement));
    TimerLog.of(cluster).forget();
    cluster.sql().rows("truncate leases_taken");
    return new Witness(cluster.sql(), definitions);
  }

  /** Pending work: timers of any kind, and waits for anything but an external caller. */
  long unfinished() {
    return sql.number("select count(*) from timers")
        + sql.number("select count(*) from bookmarks where name not in " + WAITS)
        + sql.number(
            "select count(*) from workflow_instances i where finished_at is null"
                + " and not exists (select from bookmarks b where b.workflow_instance_id = i.id)");
  }

  Rows rows() {
    return new Rows(
        instances(), commits(), entries(), bookmarksMade(), open(), timersGone(), leasesTaken());
  }

  private List<Row> ours(String text) {
    return sql.rows(text.replace("{seen}", SEEN).replace("{ours}", OURS), definitions);
  }

  private List<Rows.Instance> instances() {
    return ours("select * from workflow_instances where id in {ours}").stream()
        .map(row ->
            new Rows.Instance(
                row.getString("id"),
                row.getString("definition_id"),
                row.getInteger("version"),
                row.getString("status"),
                row.getString("correlation_id"),
                row.getString("parent_id"),
                row.getLong("revision")))
        .toList();
  }

  private List<Rows.Commit> commits() {
    return ours(
            """
            select workflow_instance_id, j.revision, i.state_id is not distinct from j.state_id
              from journal j left join workflow_instances i on i.id = workflow_instance_id
             where {seen}
            """)
        .stream()
        .map(row -> new Rows.Commit(row.getString(0), row.getLong(1), row.getBoolean(2)))
        .toList();
  }

  private List<Rows.Entry> entries() {
    return ours(
            """
            select workflow_instance_id, revision, sequence, execution, activity_id, activity_type,
                   event, data #>> '{outputs,Result,by}' as by
              from journal_entries where workflow_instance_id in {ours}
            """)
        .stream()
        .map(row ->
            new Rows.Entry(
                row.getString(0),
                row.getLong(1),
                row.getLong(2),
                row.getInteger(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7)))
        .toList();
  }

  private List<Rows.Made> bookmarksMade() {
    return ours("select id, instance, name from bookmarks_made where instance in {ours}").stream()
        .map(row -> new Rows.Made(row.getString(0), row.getString(1), row.getString(2)))
        .toList();
  }

  private List<Rows.Open> open() {
    return ours(
            """
            select id, workflow_instance_id, name from bookmarks
             where {seen}
             union all
            select id, workflow_instance_id, 'timer ' || kind from timers
             where {seen}
            """)
        .stream()
        .map(row -> new Rows.Open(row.getString(0), row.getString(1), row.getString(2)))
        .toList();
  }

  /** Instances that others have started, and that have ended. */
  List<Rows.Lived> children() {
    return ours(
            """
            select created_at, finished_at from workflow_instances
             where id in {ours} and parent_id is not null and finished_at is not null
            """)
        .stream()
        .map(row ->
            new Rows.Lived(
                row.getOffsetDateTime(0).toInstant(), row.getOffsetDateTime(1).toInstant()))
        .toList();
  }

  /** Instances that others have started, and that have not ended. */
  long openChildren() {
    return sql.number(
        "select count(*) from workflow_instances where parent_id is not null"
            + " and finished_at is null and definition_id like '"
            + definitions
            + "%'");
  }

  /** What the clock of the database says now. */
  Coverage.Clock clock() {
    var now = sql.rows("select clock_timestamp()").getFirst().getOffsetDateTime(0).toInstant();
    return new Coverage.Clock(now, System.nanoTime());
  }

  private List<Rows.Gone> timersGone() {
    return sql.rows("select id, due_at, gone_at from timers_gone").stream()
        .map(row ->
            new Rows.Gone(
                row.getString(0),
                row.getOffsetDateTime(1).toInstant(),
                row.getOffsetDateTime(2).toInstant()))
        .toList();
  }

  private List<Rows.Taken> leasesTaken() {
    return sql.rows("select number, name, epoch, holder from leases_taken").stream()
        .map(row ->
            new Rows.Taken(row.getLong(0), row.getString(1), row.getLong(2), row.getString(3)))
        .toList();
  }
}
