package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;

/**
 * Looks for rows that contradict each other, a page of keys at a time: whatever the tables hold, a
 * page costs the same. Subqueries stand alone, since a join might read the whole other table.
 * Thread-safe.
 */
public final class InvariantQueries {
  private final SuspectReads reads;

  public InvariantQueries(Database database) {
    this.reads = new SuspectReads(database);
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
               where c.parent_id = p.id and c.finished_at is null
                 and c.tenant_id = p.tenant_id limit 1) is null\
      """;

  static final String INSTANCES =
      """
      with page as materialized (
        select id, status, revision, updated_at, finished_at, tenant_id
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
  public Future<SuspectPage> instances(String after, int max, Duration grace) {
    return reads.page(
        "scan instances", INSTANCES, Tuple.of(after, max, SuspectReads.seconds(grace)), max);
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
    return reads.again(
        "look at instances again",
        INSTANCES_AGAIN,
        Tuple.of(SuspectReads.array(ids), SuspectReads.seconds(grace), ON_THE_WAY_MAX));
  }

  /**
   * Old rows of the journal may have been dropped, so it may begin at any revision, but not end
   * before the instance's, and have no gap. Rows without a state id are of nodes of older versions.
   */
  private static final String BROKEN =
      """
      (select i.id, i.revision,
                     'revision ' || i.revision || ', state ' || coalesce(i.state_id::text, 'unnamed')
                       || '; journal ' || found.lowest || ' to ' || found.highest || ', '
                       || found.n || ' rows, last state '
                       || coalesce(last.state_id::text, 'unnamed') as detail
                from page i,
                     lateral (select count(*) as n, min(revision) as lowest, max(revision) as highest
                                from journal j
                               where j.workflow_instance_id = i.id
                                 and j.revision > i.revision - latest.max) as found,
                     lateral (select max(j.state_id::text)::uuid as state_id from journal j
                               where j.workflow_instance_id = i.id
                                 and j.revision = i.revision) as last
               where found.n > 0
                 and (found.highest <> i.revision
                      or found.n <> found.highest - found.lowest + 1
                      or (last.state_id is not null
                          and last.state_id is distinct from i.state_id)))
      """;

  static final String HISTORIES =
      """
      with latest as materialized (
        select $3::bigint as max
      ), page as materialized (
        select id, revision, state_id from workflow_instances where id > $1 order by id limit $2
      ), broken as materialized (
        select bad.* from latest, lateral %s as bad
      )
      select (select max(id) from page), (select count(*) from page), null::text,
             array_agg(id order by id), array_agg(revision order by id),
             array_agg(detail order by id)
        from broken
      """
          .formatted(BROKEN);

  /** Revisions of an instance that are looked at, the latest. */
  private static final int HISTORY_MAX = 1_000;

  /** Instances whose state is not the one that the last row of their journal made. */
  public Future<SuspectPage> histories(String after, int max) {
    return reads.page("scan histories", HISTORIES, Tuple.of(after, max, HISTORY_MAX), max);
  }

  static final String HISTORIES_AGAIN =
      """
      with latest as materialized (
        select $2::bigint as max
      ), page as materialized (
        select id, revision, state_id from workflow_instances where id = any($1::text[])
      )
      select bad.id, bad.revision, bad.detail from latest, lateral %s as bad
      """
          .formatted(BROKEN);

  public Future<List<Suspect>> historiesAgain(List<String> ids) {
    return reads.again(
        "look at histories again", HISTORIES_AGAIN, Tuple.of(SuspectReads.array(ids), HISTORY_MAX));
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
  public Future<SuspectPage> bookmarks(String after, int max, Duration grace) {
    return reads.page(
        "scan bookmarks", BOOKMARKS, Tuple.of(after, max, SuspectReads.seconds(grace)), max);
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
    return reads.again(
        "look at bookmarks again", BOOKMARKS_AGAIN, Tuple.of(SuspectReads.array(ids)));
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
  public Future<SuspectPage> timed(String after, int max, Duration grace, List<String> names) {
    return reads.page(
        "scan bookmarks for timers",
        TIMED,
        Tuple.of(after, max, SuspectReads.seconds(grace), SuspectReads.array(names)),
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
    return reads.again(
        "look at timed bookmarks again", TIMED_AGAIN, Tuple.of(SuspectReads.array(ids)));
  }

  static final String TIMERS =
      """
      with page as materialized (
        select id, workflow_instance_id, kind, attempts
          from timers where id > $1 order by id limit $2
      ), judged as materialized (
        select id, kind, attempts,
               kind = 'Bookmark'
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
   * Timers of bookmarks of finished or missing instances; other timers may come before their
   * instance. Counted by kind, and as {@code postponed} those whose firing failed.
   */
  public Future<SuspectPage> timers(String after, int max) {
    return reads.page("scan timers", TIMERS, Tuple.of(after, max), max);
  }

  static final String TIMERS_AGAIN =
      """
      select t.id, t.workflow_instance_id as detail,
             coalesce((select i.revision from workflow_instances i
                        where i.id = t.workflow_instance_id), 0) as revision
        from timers t
       where t.id = any($1::text[]) and t.kind = 'Bookmark'
         and (select true from workflow_instances i
               where i.id = t.workflow_instance_id and i.finished_at is null) is null
      """;

  /** With the revision of the instance; 0: it is missing. */
  public Future<List<Suspect>> timersAgain(List<String> ids) {
    return reads.again("look at timers again", TIMERS_AGAIN, Tuple.of(SuspectReads.array(ids)));
  }
}
