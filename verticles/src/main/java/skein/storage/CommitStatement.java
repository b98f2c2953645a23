package skein.storage;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.AuditEntry;
import skein.model.Bookmark;
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
  private CommitStatement() {}

  /** Returns the ids of the instances whose transition won. */
  static final String SQL =
      """
      with next as materialized (
        select * from unnest($1::text[], $2::int8[], $3::text[], $4::text[], $5::int4[], $6::text[],
            $7::text[], $8::text[], $9::text[], $10::int4[], $11::timestamptz[],
            $12::timestamptz[], $13::timestamptz[], $14::bytea[], $15::timestamptz[],
            $16::timestamptz[], $17::text[], $18::uuid[], $19::text[], $20::text[],
            $21::text[], $22::text[])
          as n (id, expected, definition_id, version_id, version, status,
            correlation_id, name, parent_id, incidents, created_at,
            updated_at, finished_at, state, not_before,
            not_after, published, commit_id, entries, consumes, activation,
            activation_correlation)
         where (not_before is null or not_before <= clock_timestamp())
           and (not_after is null or not_after > clock_timestamp())
           and (consumes is null or exists (select from timers t where t.id = consumes))
      ), updated as (
        update workflow_instances i
           set definition_version_id = n.version_id, version = n.version, status = n.status,
               correlation_id = n.correlation_id, name = n.name, incident_count = n.incidents,
               revision = n.expected + 1, updated_at = n.updated_at, finished_at = n.finished_at,
               state = n.state,
               activation = case when n.finished_at is null then i.activation end
          from next n
         where i.id = n.id and n.expected > 0 and i.revision = n.expected
        returning i.id
      ), inserted as (
        insert into workflow_instances (id, definition_id, definition_version_id, version, status,
            correlation_id, name, parent_id, incident_count, revision, created_at, updated_at,
            finished_at, state, activation)
        select id, definition_id, version_id, version, status, correlation_id, name, parent_id,
               incidents, 1, created_at, updated_at, finished_at, state,
               case when finished_at is null then activation end
          from next n
         where expected = 0
           and (published is null or exists (
                 select from workflow_definitions d where d.id = n.published and d.is_published))
           and (activation is null or not exists (
                 select from workflow_instances other where other.activation = n.activation))
           and (activation_correlation is null or not exists (
                 select from workflow_instances other
                  where other.correlation_id = n.activation_correlation
                    and other.finished_at is null))
        on conflict do nothing
        returning id
      ), won as (
        select id from updated union all select id from inserted
      ), journal_added as (
        insert into journal (workflow_instance_id, revision, at, commit_id, node, entries)
        select id, expected + 1, updated_at, commit_id, $23, entries::json
          from next join won using (id)
      ), bookmarks_added as (
        insert into bookmarks (id, workflow_instance_id, name, hash, correlation_id, token_hash,
            expires_at, created_at, subjects, task)
        select b.id, b.instance_id, b.name, b.hash, b.correlation_id, b.token_hash, b.expires_at,
               b.created_at,
               case when b.subjects is not null
                    then array(select json_array_elements_text(b.subjects::json)) end,
               b.task::json
          from unnest($24::text[], $25::text[], $26::text[], $27::text[], $28::text[],
            $29::text[], $30::timestamptz[], $31::timestamptz[], $32::text[], $33::text[])
          as b (id, instance_id, name, hash, correlation_id, token_hash, expires_at, created_at,
            subjects, task)
          join won on won.id = b.instance_id
        on conflict (id) do update
          set token_hash = excluded.token_hash, expires_at = excluded.expires_at,
              subjects = excluded.subjects, task = excluded.task
      ), bookmarks_burnt as (
        delete from bookmarks where id in (
          select b.id from unnest($34::text[], $35::text[]) as b (id, instance_id)
            join won on won.id = b.instance_id)
      ), timers_added as (
        insert into timers (id, due_at, workflow_instance_id, kind, payload)
        select t.id, t.due_at, t.instance_id, t.kind, t.payload::json
          from unnest($36::text[], $37::timestamptz[], $38::text[], $39::text[], $40::text[],
              $41::text[])
            as t (id, due_at, instance_id, kind, payload, made_by)
          join won on won.id = t.made_by
        on conflict (id) do nothing
      ), timers_done as (
        delete from timers where id in (
          select t.id from unnest($42::text[], $43::text[]) as t (id, done_by)
            join won on won.id = t.done_by)
      ), audited as (
        insert into audit_log (action, outcome, workflow_instance_id, bookmark_id, actor, node)
        select a.action, a.outcome, a.instance_id, a.bookmark_id, a.actor, $23
          from unnest($44::text[], $45::text[], $46::text[], $47::text[], $48::text[], $49::text[])
            as a (action, outcome, instance_id, bookmark_id, actor, made_by)
          join won on won.id = a.made_by
      )
      select id from won
      """;

  /**
   * @param batch at most one transition of an instance, sorted by instance id
   * @param states of the instances, encoded, in the same order
   */
  static Tuple parameters(List<Transition> batch, Buffer[] states, String node) {
    var tuple = Tuple.tuple();
    addInstances(tuple, batch, states);
    tuple.addString(node);
    addBookmarks(tuple, batch);
    addTimers(tuple, batch);
    addAudit(tuple, batch);
    return tuple;
  }

  private static void addInstances(Tuple tuple, List<Transition> batch, Buffer[] states) {
    tuple.addValue(texts(batch, t -> t.next().id().value()));
    tuple.addValue(batch.stream().map(Transition::expectedRevision).toArray(Long[]::new));
    tuple.addValue(texts(batch, t -> t.next().definition().definitionId()));
    tuple.addValue(texts(batch, t -> t.next().definition().versionId()));
    tuple.addValue(
        batch.stream().map(t -> t.next().definition().version()).toArray(Integer[]::new));
    tuple.addValue(texts(batch, t -> t.next().status().name()));
    tuple.addValue(texts(batch, t -> t.next().labels().correlationId()));
    tuple.addValue(texts(batch, t -> t.next().labels().name()));
    tuple.addValue(
        texts(
            batch,
            t -> {
              var parent = t.next().labels().parentId();
              return parent == null ? null : parent.value();
            }));
    tuple.addValue(batch.stream().map(t -> t.next().incidents().size()).toArray(Integer[]::new));
    tuple.addValue(times(batch, t -> t.next().timing().createdAt()));
    tuple.addValue(times(batch, t -> t.next().timing().updatedAt()));
    tuple.addValue(times(batch, t -> t.next().timing().finishedAt()));
    tuple.addValue(states);
    tuple.addValue(times(batch, t -> t.guard().notBefore()));
    tuple.addValue(times(batch, t -> t.guard().notAfter()));
    tuple.addValue(texts(batch, t -> t.guard().published()));
    tuple.addValue(batch.stream().map(Transition::commitId).toArray(UUID[]::new));
    tuple.addValue(texts(batch, t -> JournalJson.print(t.journal())));
    tuple.addValue(texts(batch, t -> t.guard().consumes()));
    tuple.addValue(
        texts(
            batch,
            t -> {
              var only = t.guard().activation();
              return only == null ? null : only.key();
            }));
    tuple.addValue(
        texts(
            batch,
            t -> {
              var only = t.guard().activation();
              return only == null ? null : only.correlationId();
            }));
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

  private static <T> @Nullable String[] texts(List<T> rows, Function<T, @Nullable String> column) {
    return rows.stream().map(column).toArray(String[]::new);
  }

  private static <T> @Nullable OffsetDateTime[] times(
      List<T> rows, Function<T, @Nullable Instant> column) {
    return rows.stream()
        .map(r -> Database.timestamp(column.apply(r)))
        .toArray(OffsetDateTime[]::new);
  }
}
