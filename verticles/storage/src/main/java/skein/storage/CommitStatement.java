package skein.storage;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import skein.model.Transition;

/**
 * Writes any number of transitions in one statement, each whole or not at all.
 *
 * <p>{@code won} is the heart of Skein: a transition of an existing instance wins if the row still
 * holds the state that it was decided on, which its id names, a new instance if its id is free,
 * both only while their guard holds by the database's clock. Everything else asks what won, so of
 * two bursts that were decided on one state only one leaves a trace, whichever node holds a lock.
 *
 * <p>What no transition of a batch needs is left out of its statement: starting and ending a part
 * costs PostgreSQL about as much as a row.
 */
final class CommitStatement {
  private CommitStatement() {}

  /** The possible parts of a batch, in the order of the parameters. */
  enum Part {
    GUARDS(
        """
        refused as materialized (
          select g.id from unnest(?::text[], ?::timestamptz[], ?::timestamptz[], ?::text[])
            as g (id, not_before, not_after, consumes)
           where not_before > clock_timestamp()
              or not_after <= clock_timestamp()
              or (consumes is not null
                  and (select true from timers t where t.id = consumes) is null)
        )\
        """),
    /** Locked until the commit ends, so that no node claims a key whose request takes effect. */
    KEYS_HELD(
        """
        unheld as materialized (
          select k.id from unnest(?::text[], ?::text[], ?::uuid[]) as k (id, key, claim)
           where (select true from idempotency_keys held
                   where held.key = k.key and held.claim = k.claim
                     and held.reply is null and held.status is null
                     for update) is null
        )\
        """),
    UPDATES(
        """
        updated as (
          update workflow_instances i
             set definition_version_id = n.version_id, version = n.version, status = n.status,
                 correlation_id = n.correlation_id, name = n.name, incident_count = n.incidents,
                 revision = n.revision, updated_at = n.updated_at, finished_at = n.finished_at,
                 state = n.state, state_id = n.state_id,
                 activation = case when n.finished_at is null then i.activation end
            from unnest(?::text[], ?::int8[], ?::int8[], ?::text[], ?::int4[], ?::text[], ?::text[],
              ?::text[], ?::int4[], ?::timestamptz[], ?::timestamptz[], ?::bytea[], ?::uuid[], ?::uuid[])
              as n (id, expected, revision, version_id, version, status, correlation_id, name, incidents,
                updated_at, finished_at, state, built_on, state_id)
           where i.id = n.id and i.revision = n.expected
             and i.state_id is not distinct from n.built_on and {unrefused}
          returning i.id
        )\
        """),
    INSERTS(
        """
        inserted as (
          insert into workflow_instances (id, definition_id, definition_version_id, version, status,
              correlation_id, name, parent_id, incident_count, revision, created_at, updated_at,
              finished_at, state, activation, state_id, tenant_id)
          select id, definition_id, version_id, version, status, correlation_id, name, parent_id,
                 incidents, 1, created_at, updated_at, finished_at, state,
                 case when finished_at is null then activation end, state_id, tenant_id
            from unnest(?::text[], ?::text[], ?::text[], ?::int4[], ?::text[], ?::text[],
              ?::text[], ?::text[], ?::int4[], ?::timestamptz[], ?::timestamptz[],
              ?::timestamptz[], ?::bytea[], ?::text[], ?::text[], ?::text[], ?::uuid[], ?::text[])
              as n (id, definition_id, version_id, version, status, correlation_id, name,
                parent_id, incidents, created_at, updated_at, finished_at, state, published,
                activation, activation_correlation, state_id, tenant_id)
           where {unrefused}
             and (published is null or (published in (
                   select d.id from workflow_definitions d
                    where d.id = any(?::text[]) and d.is_published)) is true)
             and (activation is null or (
                   select true from workflow_instances other
                    where other.activation = n.activation) is null)
             and (activation_correlation is null or (
                   select true from workflow_instances other
                    where other.correlation_id = n.activation_correlation
                      and other.tenant_id = n.tenant_id and other.finished_at is null limit 1) is null)
          on conflict do nothing
          returning id
        )\
        """),
    JOURNAL(
        """
        won as materialized (
          {won}
        ), journal_added as (
          insert into journal (workflow_instance_id, revision, at, commit_id, entries, state_id,
              status, reply, node)
          select j.id, j.revision, j.at, j.commit_id, j.entries::json, j.state_id, j.status, j.reply,
                 here.node
            from unnest(?::text[], ?::int8[], ?::timestamptz[], ?::uuid[], ?::text[], ?::uuid[],
              ?::text[], ?::bytea[])
              as j (id, revision, at, commit_id, entries, state_id, status, reply),
              (select ?::text) as here (node)
           where (j.id in (select id from won)) is true
        )\
        """),
    BOOKMARKS_MADE(
        """
        bookmarks_added as (
          insert into bookmarks (id, workflow_instance_id, name, hash, correlation_id, token_hash,
              expires_at, created_at, subjects, task, execution, job_queue, job, task_tenant)
          select b.id, b.instance_id, b.name, b.hash, b.correlation_id, b.token_hash, b.expires_at,
                 b.created_at,
                 case when b.subjects is not null
                      then array(select json_array_elements_text(b.subjects::json)) end,
                 b.task::json, b.execution, b.job_queue, b.job::json, b.task_tenant
            from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
              ?::timestamptz[], ?::timestamptz[], ?::text[], ?::text[], ?::int4[], ?::text[],
              ?::text[], ?::text[])
              as b (id, instance_id, name, hash, correlation_id, token_hash, expires_at,
                created_at, subjects, task, execution, job_queue, job, task_tenant)
           where (b.instance_id in (select id from won)) is true
          on conflict (id) do update
            set token_hash = excluded.token_hash, expires_at = excluded.expires_at,
                subjects = excluded.subjects, task = excluded.task,
                task_tenant = excluded.task_tenant
        )\
        """),
    BOOKMARKS_BURNT(
        """
        bookmarks_burnt as (
          delete from bookmarks where id = any(array(
            select b.id from unnest(?::text[], ?::text[]) as b (id, instance_id)
             where (b.instance_id in (select id from won)) is true))
        )\
        """),
    TIMERS_MADE(
        """
        timers_added as (
          insert into timers (id, due_at, workflow_instance_id, kind, payload)
          select t.id, t.due_at, t.instance_id, t.kind, t.payload::json
            from unnest(?::text[], ?::timestamptz[], ?::text[], ?::text[], ?::text[], ?::text[])
              as t (id, due_at, instance_id, kind, payload, made_by)
           where (t.made_by in (select id from won)) is true
          on conflict (id) do nothing
        )\
        """),
    TIMERS_DONE(
        """
        timers_done as (
          delete from timers where id = any(array(
            select t.id from unnest(?::text[], ?::text[]) as t (id, done_by)
             where (t.done_by in (select id from won)) is true))
        )\
        """),
    AUDIT(
        """
        audited as (
          insert into audit_log (action, outcome, workflow_instance_id, bookmark_id, actor,
              tenant_id, node)
          select a.action, a.outcome, a.instance_id, a.bookmark_id, a.actor, a.tenant_id, here.node
            from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
              as a (action, outcome, instance_id, bookmark_id, actor, made_by, tenant_id),
              (select ?::text) as here (node)
           where (a.made_by in (select id from won)) is true
        )\
        """),
    KEYS_ANSWERED(
        """
        keys_answered as (
          update idempotency_keys held set reply = k.reply, complete = k.complete
            from unnest(?::text[], ?::uuid[], ?::bytea[], ?::bool[], ?::text[])
              as k (key, claim, reply, complete, made_by)
           where held.key = k.key and held.claim = k.claim
             and (k.made_by in (select id from won)) is true
        )\
        """);

    private final String sql;

    Part(String sql) {
      this.sql = sql;
    }
  }

  /**
   * Settings of a connection that commits. How a statement is planned must not depend on what the
   * statistics say about tables that fill and empty by the second: statistics from a moment when a
   * table was empty would have it read whole tables. So nothing is left to choose: rows of tables
   * are found by their keys, one after the other, and what won is asked for in hashed subqueries,
   * which {@code is true} keeps from becoming joins.
   */
  static final Map<String, String> PLANNER =
      Map.of(
          "plan_cache_mode", "force_generic_plan",
          "enable_seqscan", "off",
          "enable_bitmapscan", "off",
          "enable_hashjoin", "off",
          "enable_mergejoin", "off",
          "jit", "off");

  static boolean isGuarded(Transition transition) {
    var guard = transition.guard();
    return guard.notBefore() != null || guard.notAfter() != null || guard.consumes() != null;
  }

  /** The parts of a batch. */
  static Set<Part> parts(List<Chain> batch) {
    var parts = EnumSet.noneOf(Part.class);
    for (var chain : batch) {
      parts.add(chain.isNew() ? Part.INSERTS : Part.UPDATES);
      parts.add(Part.JOURNAL);
      for (var proposal : chain.proposals()) {
        addParts(parts, proposal.transition());
      }
    }
    return parts;
  }

  /** Those that a transition needs beside its row and its journal. */
  private static void addParts(Set<Part> parts, Transition transition) {
    if (isGuarded(transition)) {
      parts.add(Part.GUARDS);
    }
    if (!transition.made().isEmpty()) {
      parts.add(Part.BOOKMARKS_MADE);
    }
    if (!transition.burnt().isEmpty()) {
      parts.add(Part.BOOKMARKS_BURNT);
    }
    if (!transition.timersMade().isEmpty()) {
      parts.add(Part.TIMERS_MADE);
    }
    if (!transition.timersDone().isEmpty()) {
      parts.add(Part.TIMERS_DONE);
    }
    if (!transition.audit().isEmpty()) {
      parts.add(Part.AUDIT);
    }
    if (transition.kept() != null) {
      parts.add(Part.KEYS_HELD);
      parts.add(Part.KEYS_ANSWERED);
    }
  }

  /** Returns one row: the ids of the instances whose transition won, null for none. */
  static String sql(Set<Part> parts) {
    var won = new ArrayList<String>();
    if (parts.contains(Part.UPDATES)) {
      won.add("select id from updated");
    }
    if (parts.contains(Part.INSERTS)) {
      won.add("select id from inserted");
    }
    var unrefused = unrefused(parts);
    var text = new ArrayList<String>();
    for (var part : Part.values()) {
      if (parts.contains(part)) {
        text.add(
            part.sql
                .replace("{won}", String.join(" union all ", won))
                .replace("{unrefused}", unrefused));
      }
    }
    return numbered("with " + String.join(", ", text) + " select array_agg(id) from won");
  }

  private static String unrefused(Set<Part> parts) {
    var conditions = new ArrayList<String>();
    if (parts.contains(Part.GUARDS)) {
      conditions.add("(n.id in (select id from refused)) is not true");
    }
    if (parts.contains(Part.KEYS_HELD)) {
      conditions.add("(n.id in (select id from unheld)) is not true");
    }
    return conditions.isEmpty() ? "true" : String.join(" and ", conditions);
  }

  private static String numbered(String sql) {
    var result = new StringBuilder(sql.length() + 100);
    int parameters = 0;
    for (int i = 0; i < sql.length(); i++) {
      if (sql.charAt(i) == '?') {
        result.append('$').append(++parameters);
      } else {
        result.append(sql.charAt(i));
      }
    }
    return result.toString();
  }
}
