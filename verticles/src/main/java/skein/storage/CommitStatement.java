package skein.storage;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.AuditEntry;
import skein.model.Bookmark;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;

/**
 * Writes any number of transitions in one statement, each whole or not at all.
 *
 * <p>{@code won} is the heart of Skein: a transition of an existing instance wins if the row still
 * has the revision that the burst read, a new instance if its id is free, both only while their
 * guard holds by the database's clock. Everything else joins what won, so of two bursts that
 * started from one revision only one leaves a trace, whoever holds which lock.
 */
final class CommitStatement {
  private static final int PARAMETERS = 64;

  private CommitStatement() {}

  /**
   * Returns one row: the ids of the instances whose transition won, null for none.
   *
   * <p>How it is planned must not depend on what the statistics say about tables that fill and
   * empty by the second, so nothing in it leaves a choice to the planner of {@link #PLANNER}: rows
   * of tables are found by their keys, one after the other, and what won is asked for in hashed
   * subqueries, which {@code is true} keeps from becoming joins.
   */
  static final String SQL =
      """
      with refused as materialized (
        select g.id from unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::text[])
          as g (id, not_before, not_after, consumes)
         where not_before > clock_timestamp()
            or not_after <= clock_timestamp()
            or (consumes is not null and (select true from timers t where t.id = consumes) is null)
      ), updated as (
        update workflow_instances i
           set definition_version_id = n.version_id, version = n.version, status = n.status,
               correlation_id = n.correlation_id, name = n.name, incident_count = n.incidents,
               revision = n.expected + 1, updated_at = n.updated_at, finished_at = n.finished_at,
               state = n.state,
               activation = case when n.finished_at is null then i.activation end
          from unnest($5::text[], $6::int8[], $7::text[], $8::int4[], $9::text[], $10::text[],
            $11::text[], $12::int4[], $13::timestamptz[], $14::timestamptz[], $15::bytea[])
            as n (id, expected, version_id, version, status, correlation_id, name, incidents,
              updated_at, finished_at, state)
         where i.id = n.id and i.revision = n.expected
           and (n.id in (select id from refused)) is not true
        returning i.id
      ), inserted as (
        insert into workflow_instances (id, definition_id, definition_version_id, version, status,
            correlation_id, name, parent_id, incident_count, revision, created_at, updated_at,
            finished_at, state, activation)
        select id, definition_id, version_id, version, status, correlation_id, name, parent_id,
               incidents, 1, created_at, updated_at, finished_at, state,
               case when finished_at is null then activation end
          from unnest($16::text[], $17::text[], $18::text[], $19::int4[], $20::text[], $21::text[],
            $22::text[], $23::text[], $24::int4[], $25::timestamptz[], $26::timestamptz[],
            $27::timestamptz[], $28::bytea[], $29::text[], $30::text[], $31::text[])
            as n (id, definition_id, version_id, version, status, correlation_id, name, parent_id,
              incidents, created_at, updated_at, finished_at, state, published, activation,
              activation_correlation)
         where (n.id in (select id from refused)) is not true
           and (published is null or (published in (
                 select d.id from workflow_definitions d
                  where d.id = any($32::text[]) and d.is_published)) is true)
           and (activation is null or (
                 select true from workflow_instances other
                  where other.activation = n.activation) is null)
           and (activation_correlation is null or (
                 select true from workflow_instances other
                  where other.correlation_id = n.activation_correlation
                    and other.finished_at is null limit 1) is null)
        on conflict do nothing
        returning id
      ), won as materialized (
        select id from updated union all select id from inserted
      ), journal_added as (
        insert into journal (workflow_instance_id, revision, at, commit_id, node, entries)
        select j.id, j.revision, j.at, j.commit_id, $33, j.entries::json
          from unnest($34::text[], $35::int8[], $36::timestamptz[], $37::uuid[], $38::text[])
            as j (id, revision, at, commit_id, entries)
         where (j.id in (select id from won)) is true
      ), bookmarks_added as (
        insert into bookmarks (id, workflow_instance_id, name, hash, correlation_id, token_hash,
            expires_at, created_at, subjects, task)
        select b.id, b.instance_id, b.name, b.hash, b.correlation_id, b.token_hash, b.expires_at,
               b.created_at,
               case when b.subjects is not null
                    then array(select json_array_elements_text(b.subjects::json)) end,
               b.task::json
          from unnest($39::text[], $40::text[], $41::text[], $42::text[], $43::text[],
            $44::text[], $45::timestamptz[], $46::timestamptz[], $47::text[], $48::text[])
            as b (id, instance_id, name, hash, correlation_id, token_hash, expires_at, created_at,
              subjects, task)
         where (b.instance_id in (select id from won)) is true
        on conflict (id) do update
          set token_hash = excluded.token_hash, expires_at = excluded.expires_at,
              subjects = excluded.subjects, task = excluded.task
      ), bookmarks_burnt as (
        delete from bookmarks where id = any(array(
          select b.id from unnest($49::text[], $50::text[]) as b (id, instance_id)
           where (b.instance_id in (select id from won)) is true))
      ), timers_added as (
        insert into timers (id, due_at, workflow_instance_id, kind, payload)
        select t.id, t.due_at, t.instance_id, t.kind, t.payload::json
          from unnest($51::text[], $52::timestamptz[], $53::text[], $54::text[], $55::text[],
            $56::text[])
            as t (id, due_at, instance_id, kind, payload, made_by)
         where (t.made_by in (select id from won)) is true
        on conflict (id) do nothing
      ), timers_done as (
        delete from timers where id = any(array(
          select t.id from unnest($57::text[], $58::text[]) as t (id, done_by)
           where (t.done_by in (select id from won)) is true))
      ), audited as (
        insert into audit_log (action, outcome, workflow_instance_id, bookmark_id, actor, node)
        select a.action, a.outcome, a.instance_id, a.bookmark_id, a.actor, $33
          from unnest($59::text[], $60::text[], $61::text[], $62::text[], $63::text[], $64::text[])
            as a (action, outcome, instance_id, bookmark_id, actor, made_by)
         where (a.made_by in (select id from won)) is true
      )
      select array_agg(id) from won
      """;

  /**
   * Settings of a connection that runs {@link #SQL}. The plan is made once and looks rows up by
   * their keys: statistics from a moment when a table was empty would have it read whole tables.
   */
  static final Map<String, String> PLANNER =
      Map.of(
          "plan_cache_mode", "force_generic_plan",
          "enable_seqscan", "off",
          "enable_bitmapscan", "off",
          "enable_hashjoin", "off",
          "enable_mergejoin", "off",
          "jit", "off");

  /**
   * @param batch at most one transition of an instance, sorted by instance id
   * @param states of the instances, encoded, in the same order
   */
  static Tuple parameters(List<Transition> batch, Buffer[] states, String node) {
    var tuple = Tuple.tuple(new ArrayList<>(PARAMETERS));
    addGuards(tuple, batch);
    addInstances(tuple, batch, states);
    tuple.addString(node);
    addJournal(tuple, batch);
    addBookmarks(tuple, batch);
    addTimers(tuple, batch);
    addAudit(tuple, batch);
    return tuple;
  }

  private static void addGuards(Tuple tuple, List<Transition> batch) {
    var guarded = batch.stream().filter(t -> isChecked(t.guard())).toList();
    tuple.addValue(ids(guarded));
    tuple.addValue(times(guarded, t -> t.guard().notBefore()));
    tuple.addValue(times(guarded, t -> t.guard().notAfter()));
    tuple.addValue(texts(guarded, t -> t.guard().consumes()));
  }

  private static boolean isChecked(Transition.Guard guard) {
    return guard.notBefore() != null || guard.notAfter() != null || guard.consumes() != null;
  }

  private static void addInstances(Tuple tuple, List<Transition> batch, Buffer[] states) {
    var updates = new ArrayList<Transition>();
    var updated = new ArrayList<Buffer>();
    var inserts = new ArrayList<Transition>();
    var inserted = new ArrayList<Buffer>();
    for (int i = 0; i < states.length; i++) {
      boolean isNew = batch.get(i).expectedRevision() == 0;
      (isNew ? inserts : updates).add(batch.get(i));
      (isNew ? inserted : updated).add(states[i]);
    }
    addUpdates(tuple, updates, updated);
    addInserts(tuple, inserts, inserted);
  }

  private static void addUpdates(Tuple tuple, List<Transition> batch, List<Buffer> states) {
    tuple.addValue(ids(batch));
    tuple.addValue(longs(batch, Transition::expectedRevision));
    tuple.addValue(texts(batch, t -> t.next().definition().versionId()));
    tuple.addValue(integers(batch, t -> t.next().definition().version()));
    tuple.addValue(texts(batch, t -> t.next().status().name()));
    tuple.addValue(texts(batch, t -> t.next().labels().correlationId()));
    tuple.addValue(texts(batch, t -> t.next().labels().name()));
    tuple.addValue(integers(batch, t -> t.next().incidents().size()));
    tuple.addValue(times(batch, t -> t.next().timing().updatedAt()));
    tuple.addValue(times(batch, t -> t.next().timing().finishedAt()));
    tuple.addValue(states.toArray(Buffer[]::new));
  }

  private static void addInserts(Tuple tuple, List<Transition> batch, List<Buffer> states) {
    tuple.addValue(ids(batch));
    tuple.addValue(texts(batch, t -> t.next().definition().definitionId()));
    tuple.addValue(texts(batch, t -> t.next().definition().versionId()));
    tuple.addValue(integers(batch, t -> t.next().definition().version()));
    tuple.addValue(texts(batch, t -> t.next().status().name()));
    tuple.addValue(texts(batch, t -> t.next().labels().correlationId()));
    tuple.addValue(texts(batch, t -> t.next().labels().name()));
    tuple.addValue(texts(batch, t -> valueOf(t.next().labels().parentId())));
    tuple.addValue(integers(batch, t -> t.next().incidents().size()));
    tuple.addValue(times(batch, t -> t.next().timing().createdAt()));
    tuple.addValue(times(batch, t -> t.next().timing().updatedAt()));
    tuple.addValue(times(batch, t -> t.next().timing().finishedAt()));
    tuple.addValue(states.toArray(Buffer[]::new));
    tuple.addValue(texts(batch, t -> t.guard().published()));
    tuple.addValue(texts(batch, t -> only(t, Transition.Activation::key)));
    tuple.addValue(texts(batch, t -> only(t, Transition.Activation::correlationId)));
    tuple.addValue(
        batch.stream()
            .map(t -> t.guard().published())
            .filter(Objects::nonNull)
            .distinct()
            .toArray(String[]::new));
  }

  private static @Nullable String valueOf(@Nullable InstanceId id) {
    return id == null ? null : id.value();
  }

  private static @Nullable String only(
      Transition transition, Function<Transition.Activation, @Nullable String> part) {
    var activation = transition.guard().activation();
    return activation == null ? null : part.apply(activation);
  }

  private static void addJournal(Tuple tuple, List<Transition> batch) {
    tuple.addValue(ids(batch));
    tuple.addValue(longs(batch, t -> t.next().revision()));
    tuple.addValue(times(batch, t -> t.next().timing().updatedAt()));
    tuple.addValue(batch.stream().map(Transition::commitId).toArray(UUID[]::new));
    tuple.addValue(texts(batch, t -> JournalJson.print(t.journal())));
  }

  private static void addBookmarks(Tuple tuple, List<Transition> batch) {
    record Made(Bookmark bookmark, @Nullable String correlationId) {}
    var made =
        batch.stream()
            .flatMap(
                t -> t.made().stream().map(b -> new Made(b, t.next().labels().correlationId())))
            .toList();
    tuple.addValue(texts(made, m -> m.bookmark().id().toString()));
    tuple.addValue(texts(made, m -> m.bookmark().id().instanceId().value()));
    tuple.addValue(texts(made, m -> m.bookmark().name()));
    tuple.addValue(texts(made, m -> m.bookmark().hash()));
    tuple.addValue(texts(made, Made::correlationId));
    tuple.addValue(
        texts(
            made,
            m -> {
              var token = m.bookmark().token();
              return token == null ? null : token.hash();
            }));
    tuple.addValue(
        times(
            made,
            m -> {
              var token = m.bookmark().token();
              return token == null ? null : token.expiresAt();
            }));
    tuple.addValue(times(made, m -> m.bookmark().createdAt()));
    tuple.addValue(texts(made, m -> UserTaskRow.subjects(m.bookmark())));
    tuple.addValue(texts(made, m -> UserTaskRow.task(m.bookmark())));
    var burnt = batch.stream().flatMap(t -> t.burnt().stream()).toList();
    tuple.addValue(texts(burnt, Object::toString));
    tuple.addValue(texts(burnt, id -> id.instanceId().value()));
  }

  private static void addTimers(Tuple tuple, List<Transition> batch) {
    record Made(Timer timer, String by) {}
    var made =
        batch.stream()
            .flatMap(t -> t.timersMade().stream().map(m -> new Made(m, t.next().id().value())))
            .toList();
    tuple.addValue(texts(made, m -> m.timer().id()));
    tuple.addValue(times(made, m -> m.timer().dueAt()));
    tuple.addValue(texts(made, m -> m.timer().instanceId().value()));
    tuple.addValue(texts(made, m -> m.timer().kind().name()));
    tuple.addValue(
        texts(made, m -> m.timer().payload() == null ? null : JsonText.print(m.timer().payload())));
    tuple.addValue(texts(made, Made::by));
    record Done(String id, String by) {}
    var done =
        batch.stream()
            .flatMap(t -> t.timersDone().stream().map(id -> new Done(id, t.next().id().value())))
            .toList();
    tuple.addValue(texts(done, Done::id));
    tuple.addValue(texts(done, Done::by));
  }

  private static void addAudit(Tuple tuple, List<Transition> batch) {
    record Made(AuditEntry entry, String by) {}
    var made =
        batch.stream()
            .flatMap(t -> t.audit().stream().map(a -> new Made(a, t.next().id().value())))
            .toList();
    tuple.addValue(texts(made, m -> m.entry().action()));
    tuple.addValue(texts(made, m -> m.entry().outcome()));
    tuple.addValue(texts(made, m -> m.entry().instanceId()));
    tuple.addValue(texts(made, m -> m.entry().bookmarkId()));
    tuple.addValue(texts(made, m -> m.entry().actor()));
    tuple.addValue(texts(made, Made::by));
  }

  private static String[] ids(List<Transition> batch) {
    var ids = new String[batch.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = batch.get(i).next().id().value();
    }
    return ids;
  }

  private static Long[] longs(List<Transition> batch, ToLongFunction<Transition> column) {
    var values = new Long[batch.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsLong(batch.get(i));
    }
    return values;
  }

  private static Integer[] integers(List<Transition> batch, ToIntFunction<Transition> column) {
    var values = new Integer[batch.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsInt(batch.get(i));
    }
    return values;
  }

  private static <T> @Nullable String[] texts(List<T> rows, Function<T, @Nullable String> column) {
    var values = new @Nullable String[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.apply(rows.get(i));
    }
    return values;
  }

  private static <T> @Nullable OffsetDateTime[] times(
      List<T> rows, Function<T, @Nullable Instant> column) {
    var values = new @Nullable OffsetDateTime[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = Database.timestamp(column.apply(rows.get(i)));
    }
    return values;
  }
}
