package skein.node;

import java.util.List;

/**
 * The outcomes of the timers of instances, written down by the database itself when a commit
 * consumes one: when it was due and when it went, by one clock. One that was put off after it was
 * due, as is done when no node can execute it at once, was due when it was due first.
 */
public record TimerLog(Sql sql) {
  private static final List<String> SETUP =
      List.of(
          "create table if not exists timers_gone (id text, due_at timestamptz, gone_at"
              + " timestamptz)",
          "create table if not exists timers_put_off (id text, due_at timestamptz)",
          "create or replace function timer_put_off() returns trigger language plpgsql as $$"
              + " begin insert into timers_put_off values (old.id, old.due_at);"
              + " return null; end $$",
          "create or replace trigger timer_put_off after update on timers for each row"
              + " when (old.due_at <= clock_timestamp() and new.due_at > old.due_at)"
              + " execute function timer_put_off()",
          "create or replace function timer_gone() returns trigger language plpgsql as $$"
              + " begin insert into timers_gone values (old.id, least(old.due_at, (select"
              + " min(due_at) from timers_put_off where id = old.id)), clock_timestamp());"
              + " return null; end $$",
          "create or replace trigger timer_gone after delete on timers for each row"
              + " when (old.kind = 'Bookmark') execute function timer_gone()");

  public static TimerLog of(TestCluster cluster) {
    SETUP.forEach(statement -> cluster.sql().rows(statement));
    return new TimerLog(cluster.sql());
  }

  long gone() {
    return sql.number("select count(*) from timers_gone");
  }

  long early() {
    return sql.number("select count(*) from timers_gone where gone_at < due_at");
  }

  long twice() {
    return sql.number("select count(*) - count(distinct id) from timers_gone");
  }

  /** Milliseconds by which each was late, ascending. */
  long[] lateMillis() {
    return sql
        .rows(
            "select (extract(epoch from gone_at - due_at) * 1000)::bigint from timers_gone order by"
                + " 1")
        .stream()
        .mapToLong(row -> row.getLong(0))
        .toArray();
  }

  public void forget() {
    sql.rows("truncate timers_gone, timers_put_off");
  }
}
