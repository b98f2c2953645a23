package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks for rows that contradict each other, a page of keys at a time: whatever the tables hold, a
 * page costs the same. Subqueries stand alone, since a join might read the whole other table.
 * Thread-safe.
 */
public final class InvariantQueries {
  private final Database database;

  public InvariantQueries(Database database) {
    this.database = database;
  }

  /** A row that contradicts others; {@code revision}: of the instance, 0 where it says nothing. */
  public record Suspect(String id, long revision, String detail) {}

  /**
   * @param next where the next page begins; null: this was the last
   * @param counts of what the page holds, by status or kind
   */
  public record Page(List<Suspect> suspects, @Nullable String next, Map<String, Long> counts) {
    static final Page EMPTY = new Page(List.of(), null, Map.of());
  }

  /** Ids that begin with the instance's and a dash lie together, in order of bytes. */
  private static final String OWNS_NOTHING =
      """
      (select true from bookmarks b
              where b.id > (p.id || '-') collate "C" and b.id < (p.id || '.') collate "C"
                and b.workflow_instance_id = p.id limit 1) is null
         and (select true from timers t
               where t.id > (p.id || '-') collate "C" and t.id < (p.id || '.') collate "C"
                 and t.workflow_instance_id = p.id limit 1) is null
         and (select true from timers t where t.id = ('start-' || p.id) collate "C") is null
         and (select true from workflow_instances c
               where c.parent_id = p.id and c.finished_at is null limit 1) is null\
      """;

  static final String INSTANCES =
      """
      with page as materialized (
        select id, status, revision, updated_at, finished_at
          from workflow_instances where id > $1 order by id limit $2
      ), judged as materialized (
        select id, status, revision,
               finished_at is null
         and updated_at < clock_timestamp() - make_interval(secs => $3)
         and %s as bad
          from page p
      )
      select max(id), count(*),
             (select json_object_agg(status, n)
                from (select status, count(*) as n from page group by status) as s)::text,
             array_agg(id order by id) filter (where bad),
             array_agg(revision order by id) filter (where bad),
             array_agg(status order by id) filter (where bad)
        from judged
      """
          .formatted(OWNS_NOTHING);

  /** Unfinished instances without a bookmark, a timer or an unfinished child. */
  public Future<Page> instances(String after, int max, Duration grace) {
    return page("scan instances", INSTANCES, Tuple.of(after, max, seconds(grace)), max);
  }

  /**
   * As many births and news that are on their way are looked through; with more, none is judged.
   */
  private static final int ON_THE_WAY_MAX = 10_000;

  /**
   * Also without a child that is being born or news that are on their way: these are found by their
   * own ids, so they are asked for only here.
   */
  static final String INSTANCES_AGAIN =
      """
      with births as materialized (
        select payload ->> 'parentId' as id from timers
         where id > 'child-' and id < 'child.' limit $3
      ), news as materialized (
        select workflow_instance_id as id from timers
         where id > 'done-' and id < 'done.' limit $3
      )
      select p.id, p.revision, p.status as detail
        from workflow_instances p
       where p.id = any($1::text[]) and p.finished_at is null
         and p.updated_at < clock_timestamp() - make_interval(secs => $2)
         and %s
         and (p.id in (select id from births)) is not true
         and (p.id in (select id from news)) is not true
         and (select count(*) from births) < $3 and (select count(*) from news) < $3
      """
          .formatted(OWNS_NOTHING);

  public Future<List<Suspect>> instancesAgain(List<String> ids, Duration grace) {
    return again(
        "look at instances again",
        INSTANCES_AGAIN,
        Tuple.of(array(ids), seconds(grace), ON_THE_WAY_MAX));
  }

  static final String BOOKMARKS =
      """
      with page as materialized (
        select id, workflow_instance_id, created_at
          from bookmarks where id > $1 order by id limit $2
      ), judged as materialized (
        select id, workflow_instance_id,
               created_at < clock_timestamp() - make_interval(secs => $3)
               and (select true from workflow_instances i
                     where i.id = p.workflow_instance_id and i.finished_at is null) is null as bad
          from page p
      )
      select max(id), count(*), null::text,
             array_agg(id order by id) filter (where bad),
             array_agg(0::bigint order by id) filter (where bad),
             array_agg(workflow_instance_id order by id) filter (where bad)
        from judged
      """;

  /** Bookmarks of finished or missing instances. */
  public Future<Page> bookmarks(String after, int max, Duration grace) {
    return page("scan bookmarks", BOOKMARKS, Tuple.of(after, max, seconds(grace)), max);
  }

  static final String BOOKMARKS_AGAIN =
      """
      select b.id, 0::bigint as revision, b.workflow_instance_id as detail
        from bookmarks b
       where b.id = any($1::text[])
         and (select true from workflow_instances i
               where i.id = b.workflow_instance_id and i.finished_at is null) is null
      """;

  public Future<List<Suspect>> bookmarksAgain(List<String> ids) {
    return again("look at bookmarks again", BOOKMARKS_AGAIN, Tuple.of(array(ids)));
  }

  static final String TIMED =
      """
      with page as materialized (
        select id, workflow_instance_id, name, created_at
          from bookmarks where id > $1 order by id limit $2
      ), judged as materialized (
        select id, workflow_instance_id,
               name = any($4::text[]) and created_at < clock_timestamp() - make_interval(secs => $3)
               and (select true from timers t where t.id = p.id) is null as bad
          from page p
      )
      select max(id), count(*), null::text,
             array_agg(id order by id) filter (where bad),
             array_agg(0::bigint order by id) filter (where bad),
             array_agg(workflow_instance_id order by id) filter (where bad)
        from judged
      """;

  /** Bookmarks of these names without a timer. */
  public Future<Page> timed(String after, int max, Duration grace, List<String> names) {
    return page(
        "scan bookmarks for timers",
        TIMED,
        Tuple.of(after, max, seconds(grace), array(names)),
        max);
  }

  static final String TIMED_AGAIN =
      """
      select b.id, i.revision, b.workflow_instance_id as detail
        from bookmarks b join workflow_instances i on i.id = b.workflow_instance_id
       where b.id = any($1::text[]) and i.finished_at is null
         and (select true from timers t where t.id = b.id) is null
      """;

  public Future<List<Suspect>> timedAgain(List<String> ids) {
    return again("look at timed bookmarks again", TIMED_AGAIN, Tuple.of(array(ids)));
  }

  static final String TIMERS =
      """
      with page as materialized (
        select id, workflow_instance_id, kind, attempts
          from timers where id > $1 order by id limit $2
      ), judged as materialized (
        select id, kind, attempts,
               kind in ('Bookmark', 'Start')
               and (select true from workflow_instances i
                     where i.id = p.workflow_instance_id and i.finished_at is null) is null as bad
          from page p
      )
      select max(id), count(*),
             (select json_object_agg(kind, n)
                from (select kind, count(*) as n from page group by kind
                      union all
                      select 'postponed', count(*) from page where attempts > 0) as s)::text,
             array_agg(id order by id) filter (where bad),
             array_agg(0::bigint order by id) filter (where bad),
             array_agg(kind order by id) filter (where bad)
        from judged
      """;

  /**
   * Timers of finished or missing instances, where these would have taken them along. Counted by
   * kind, and as {@code postponed} those whose firing failed.
   */
  public Future<Page> timers(String after, int max) {
    return page("scan timers", TIMERS, Tuple.of(after, max), max);
  }

  static final String TIMERS_AGAIN =
      """
      select t.id, 0::bigint as revision, t.kind || ' of ' || t.workflow_instance_id as detail
        from timers t
       where t.id = any($1::text[]) and t.kind in ('Bookmark', 'Start')
         and (select true from workflow_instances i
               where i.id = t.workflow_instance_id and i.finished_at is null) is null
      """;

  public Future<List<Suspect>> timersAgain(List<String> ids) {
    return again("look at timers again", TIMERS_AGAIN, Tuple.of(array(ids)));
  }

  static final String OVERDUE =
      """
      select id, due_at, attempts, kind from timers
       where due_at < (select clock_timestamp() - make_interval(secs => $1))
         and (due_at, id) > ($2::timestamptz, $3)
       order by due_at, id limit $4
      """;

  private static final String BEGINNING = "0001-01-01T00:00:00Z";

  /** Timers that are later than the bound, the latest first. */
  public Future<Page> overdue(String after, int max, Duration bound) {
    int bar = after.indexOf('|');
    var due = Database.timestamp(Instant.parse(bar < 0 ? BEGINNING : after.substring(0, bar)));
    var parameters = Tuple.of(seconds(bound), due, after.substring(bar + 1), max);
    return database
        .run("scan overdue timers", OVERDUE, parameters)
        .map(rows -> {
          var found = new ArrayList<Suspect>();
          var next = (String) null;
          for (var row : rows) {
            found.add(late(row));
            next = Database.instant(row.getOffsetDateTime("due_at")) + "|" + row.getString("id");
          }
          return new Page(found, found.size() < max ? null : next, Map.of());
        });
  }

  private static Suspect late(Row row) {
    int attempts = row.getInteger("attempts");
    var cause = attempts == 0 ? "unattended" : "postponed after " + attempts + " failures";
    return new Suspect(
        row.getString("id"),
        0,
        row.getString("kind") + ", due at " + row.getOffsetDateTime("due_at") + ", " + cause);
  }

  static final String OVERDUE_AGAIN =
      """
      select id, due_at, attempts, kind from timers
       where id = any($1::text[])
         and due_at < (select clock_timestamp() - make_interval(secs => $2))
      """;

  public Future<List<Suspect>> overdueAgain(List<String> ids, Duration bound) {
    return database
        .run("look at overdue timers again", OVERDUE_AGAIN, Tuple.of(array(ids), seconds(bound)))
        .map(rows -> {
          var found = new ArrayList<Suspect>();
          rows.forEach(row -> found.add(late(row)));
          return found;
        });
  }

  private static final String HAS_NO_OCCURRENCE =
      """
      (p.payload ->> 'cronExpression' is not null or p.payload ->> 'interval' is not null)
               and (select true from timers t
                     where t.kind = 'Trigger'
                       and t.payload ->> 'definitionId' = p.workflow_definition_id
                       and t.payload ->> 'triggerId' = p.id limit 1) is null\
      """;

  static final String TRIGGERS =
      """
      with page as materialized (
        select id, workflow_definition_id, workflow_definition_version_id, payload
          from triggers where id > $1 order by id limit $2
      ), judged as materialized (
        select id, workflow_definition_version_id,
               %s as bad
          from page p
      )
      select max(id), count(*), null::text,
             array_agg(id order by id) filter (where bad),
             array_agg(0::bigint order by id) filter (where bad),
             array_agg(workflow_definition_version_id order by id) filter (where bad)
        from judged
      """
          .formatted(HAS_NO_OCCURRENCE);

  /** Recurring triggers without a timer; the detail is the id of their version. */
  public Future<Page> triggers(String after, int max) {
    return page("scan triggers", TRIGGERS, Tuple.of(after, max), max);
  }

  static final String TRIGGERS_AGAIN =
      """
      select p.id, 0::bigint as revision, p.workflow_definition_version_id as detail
        from triggers p
       where p.id = any($1::text[])
         and %s
      """
          .formatted(HAS_NO_OCCURRENCE);

  public Future<List<Suspect>> triggersAgain(List<String> ids) {
    return again("look at triggers again", TRIGGERS_AGAIN, Tuple.of(array(ids)));
  }

  private static final String LEASES =
      """
      select name as id, 0::bigint as revision, 'held by ' || holder as detail
        from leases
       where name > $1 and expires_at > clock_timestamp() and not (holder = any($2::text[]))
       order by name limit $3
      """;

  /** Leases that still run, of holders that are not among these. */
  public Future<Page> leases(String after, int max, List<String> alive) {
    return again("scan leases", LEASES, Tuple.of(after, array(alive), max))
        .map(found -> new Page(found, found.size() < max ? null : found.getLast().id(), Map.of()));
  }

  private Future<Page> page(String what, String sql, Tuple parameters, int max) {
    return database
        .run(what, sql, parameters)
        .map(rows -> {
          var row = rows.iterator().next();
          var suspects = new ArrayList<Suspect>();
          var ids = row.getArrayOfStrings(3);
          var revisions = row.getArrayOfLongs(4);
          var details = row.getArrayOfStrings(5);
          if (ids != null && revisions != null && details != null) {
            for (int i = 0; i < ids.length; i++) {
              suspects.add(new Suspect(ids[i], revisions[i], details[i]));
            }
          }
          var next = row.getLong(1) < max ? null : row.getString(0);
          return new Page(suspects, next, counts(row.getString(2)));
        });
  }

  private static Map<String, Long> counts(@Nullable String json) {
    var counts = new LinkedHashMap<String, Long>();
    if (json != null) {
      new JsonObject(json)
          .forEach(e -> counts.put(e.getKey(), ((Number) e.getValue()).longValue()));
    }
    return counts;
  }

  private Future<List<Suspect>> again(String what, String sql, Tuple parameters) {
    return database
        .run(what, sql, parameters)
        .map(rows -> {
          var found = new ArrayList<Suspect>();
          rows.forEach(row ->
              found.add(
                  new Suspect(
                      row.getString("id"), row.getLong("revision"), row.getString("detail"))));
          return found;
        });
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  private static String[] array(List<String> texts) {
    return texts.toArray(String[]::new);
  }
}
